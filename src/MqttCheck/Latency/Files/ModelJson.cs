using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using MqttCheck.Clients;
using MqttCheck.Json;

namespace MqttCheck.Latency.Files;

/// <summary>Reads and writes parameters that several kinds of model have in common.</summary>
internal static class ModelJson
{
    /// <summary>
    /// An array of numbers on one line; indented, a file of many numbers would be several times as long.
    /// </summary>
    public static void Write(Utf8JsonWriter writer, string key, IEnumerable<double> numbers)
    {
        writer.WritePropertyName(key);
        var texts = numbers.Select(number => number.ToString(CultureInfo.InvariantCulture));
        writer.WriteRawValue($"[{string.Join(',', texts)}]");
    }

    /// <summary>An object with a value per kind of message.</summary>
    public static JsonObject ByKind(Func<int, JsonNode?> of) =>
        new(MessageKinds.Names.Select((name, kind) => KeyValuePair.Create(name, of(kind))));

    /// <summary>Reads an object with a value per kind of message.</summary>
    public static T[] ByKind<T>(
        JsonObjectReader reader,
        string key,
        string allowed,
        Func<JsonObjectReader, string, T> read,
        JsonFindings findings
    ) =>
        reader.Required(key, allowed) is { } tree
            ? JsonObjectReader.Read(
                tree,
                findings,
                inner => Array.ConvertAll(MessageKinds.Names, name => read(inner, name))
            )
            : new T[MessageKinds.Count];

    /// <summary>Reads true or false per kind of message.</summary>
    public static bool[] Flags(JsonObjectReader reader, string key, JsonFindings findings) =>
        ByKind(
            reader,
            key,
            "an object with true or false per kind of message",
            (inner, name) => inner.Flag(name),
            findings
        );

    /// <summary>An object with a number per regressor.</summary>
    public static JsonObject ByRegressor(string[] regressors, double[] numbers) =>
        new(regressors.Zip(numbers, (name, number) => KeyValuePair.Create(name, (JsonNode?)number)));

    /// <summary>Reads an object with a number per regressor.</summary>
    public static double[] ByRegressor(
        JsonObjectReader reader,
        string key,
        string[] regressors,
        double minimum,
        JsonFindings findings
    ) =>
        reader.Required(key, "an object with a number per regressor") is { } tree
            ? JsonObjectReader.Read(
                tree,
                findings,
                inner => Array.ConvertAll(regressors, name => inner.Number(name, minimum, double.MaxValue))
            )
            : new double[regressors.Length];

    /// <summary>Reads an array of so many numbers.</summary>
    public static double[] Numbers(JsonObjectReader reader, string key, int count, JsonFindings findings)
    {
        var numbers = new double[count];
        var allowed = string.Create(CultureInfo.InvariantCulture, $"an array of {count} numbers");
        var items = reader.Array(key, allowed);
        if (items.Count != count && reader.Tree.Member(key) is { } array)
            findings.Add(
                array,
                string.Create(CultureInfo.InvariantCulture, $"{items.Count} numbers given; allowed: {count}")
            );
        for (var i = 0; i < Math.Min(count, items.Count); i++)
            numbers[i] = JsonObjectReader.Number(items[i], double.MinValue, double.MaxValue, findings);
        return numbers;
    }

    /// <summary>The error of a model that is asked for a kind of message it has never seen.</summary>
    public static InvalidOperationException Unknown(MessageKind kind) =>
        new($"The latency model was learned without a {kind.Name()} message, so it cannot predict one.");
}
