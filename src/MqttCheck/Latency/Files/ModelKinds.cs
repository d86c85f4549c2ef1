using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using MqttCheck.Clients;
using MqttCheck.Json;

namespace MqttCheck.Latency.Files;

/// <summary>The kinds of values that several kinds of model have in common.</summary>
internal static class ModelKinds
{
    /// <summary>True or false per kind of message.</summary>
    public static JsonKind<bool[]> Flags { get; } =
        ByName(MessageKinds.Names, JsonKinds.Flag, "an object with true or false per kind of message");

    /// <summary>An object with a value per name.</summary>
    /// <param name="names">The names.</param>
    /// <param name="value">The kind of the values.</param>
    /// <param name="allowed">The text about a missing object.</param>
    public static JsonKind<T[]> ByName<T>(string[] names, JsonKind<T> value, string allowed) =>
        JsonFormat.Of<T[]>(
            fields => [.. names.Select((name, at) => fields.Required(name, value, values => values[at]))],
            allowed
        );

    /// <summary>An object with a number per regressor.</summary>
    /// <param name="regressors">Their names.</param>
    /// <param name="minimum">The least number.</param>
    public static JsonKind<double[]> ByRegressor(string[] regressors, double minimum = double.MinValue) =>
        ByName(regressors, JsonKinds.Number(minimum), "an object with a number per regressor");

    /// <summary>
    /// An array of so many numbers on one line; indented, a file of many numbers would be several times as long.
    /// </summary>
    /// <param name="count">How many there are.</param>
    public static JsonKind<double[]> Numbers(int count)
    {
        var allowed = string.Create(CultureInfo.InvariantCulture, $"an array of {count} numbers");
        return OnOneLine(
            JsonKinds.List(JsonKinds.Number(), allowed).As(numbers => numbers.ToArray(), numbers => numbers) with
            {
                Read = (tree, findings) => ReadNumbers(tree, findings, count, allowed),
                StandIn = () => new double[count],
            }
        );
    }

    /// <summary>The same kind, written without line breaks.</summary>
    /// <param name="kind">The kind.</param>
    /// <param name="isSpaced">Whether spaces part the members of an object.</param>
    public static JsonKind<T> OnOneLine<T>(JsonKind<T> kind, bool isSpaced = false) =>
        kind with
        {
            Write = (writer, value) =>
            {
                var line = JsonText.Line(inner => kind.Write(inner, value));
                writer.WriteRawValue(isSpaced ? Spaced(JsonNode.Parse(line)!.AsObject()) : line);
            },
        };

    /// <summary>The error of a model that is asked for a kind of message it has never seen.</summary>
    public static InvalidOperationException Unknown(MessageKind kind) =>
        new($"The latency model was learned without a {kind.Name()} message, so it cannot predict one.");

    private static string Spaced(JsonObject members) =>
        $"{{ {string.Join(", ", members.Select(member => $"\"{member.Key}\": {member.Value!.ToJsonString()}"))} }}";

    private static double[] ReadNumbers(JsonTree tree, JsonFindings findings, int count, string allowed)
    {
        JsonKinds.Is(tree, findings, tree.Type == JsonTokenType.StartArray, allowed);
        if (tree.Items.Count != count)
            findings.Add(
                tree,
                string.Create(CultureInfo.InvariantCulture, $"{tree.Items.Count} numbers given; allowed: {count}")
            );
        var numbers = new double[count];
        for (var at = 0; at < Math.Min(count, tree.Items.Count); at++)
            numbers[at] = JsonKinds.Number().Read(tree.Items[at], findings);
        return numbers;
    }
}
