using System.Globalization;
using System.Text;
using System.Text.Json;
using MqttCheck.Clients;
using MqttCheck.Json;

namespace MqttCheck.Latency.Files;

/// <summary>What the parameters of several kinds of model have in common in their files.</summary>
internal static class ModelJson
{
    /// <summary>
    /// An array of numbers on one line; indented, a file of many numbers would be several times as long.
    /// </summary>
    public static void Write<T>(Utf8JsonWriter writer, string key, ReadOnlySpan<T> numbers)
        where T : IFormattable
    {
        writer.WritePropertyName(key);
        Write(writer, numbers);
    }

    /// <inheritdoc cref="Write{T}(Utf8JsonWriter, string, ReadOnlySpan{T})"/>
    public static void Write(Utf8JsonWriter writer, string key, double[] numbers) =>
        Write<double>(writer, key, numbers);

    /// <summary>An array of numbers on one line.</summary>
    public static void Write<T>(Utf8JsonWriter writer, ReadOnlySpan<T> numbers)
        where T : IFormattable
    {
        var text = new StringBuilder("[");
        for (var i = 0; i < numbers.Length; i++)
            text.Append(i > 0 ? "," : "").Append(numbers[i].ToString(null, CultureInfo.InvariantCulture));
        writer.WriteRawValue(text.Append(']').ToString());
    }

    /// <summary>True or false per kind of message.</summary>
    public static void Write(Utf8JsonWriter writer, string key, bool[] kinds)
    {
        writer.WriteStartObject(key);
        for (var kind = 0; kind < MessageKinds.Count; kind++)
            writer.WriteBoolean(((MessageKind)kind).Name(), kinds[kind]);
        writer.WriteEndObject();
    }

    /// <summary>Reads what <see cref="Write(Utf8JsonWriter, string, bool[])"/> wrote.</summary>
    public static bool[] Kinds(JsonObjectReader reader, string key, JsonFindings findings)
    {
        var kinds = new bool[MessageKinds.Count];
        if (reader.Required(key, "an object with true or false per kind of message") is { } tree)
        {
            var inner = new JsonObjectReader(tree, findings);
            for (var kind = 0; kind < kinds.Length; kind++)
                kinds[kind] = inner.Flag(((MessageKind)kind).Name());
            inner.End();
        }
        return kinds;
    }

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
