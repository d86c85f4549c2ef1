using System.Globalization;
using System.Text.Json;
using MqttCheck.Statistics;

namespace MqttCheck.Cli.Terminal;

/// <summary>
/// A cell of a table: the text that people read, and the value that JSON has at full precision. A text is its own
/// value, so it is given as it is, and so is a whole number.
/// </summary>
internal sealed class TableCell
{
    private readonly Action<Utf8JsonWriter> _write;

    private TableCell(string text, Action<Utf8JsonWriter> write) => (Text, _write) = (text, write);

    /// <summary>The cell as people read it.</summary>
    public string Text { get; }

    /// <summary>A number.</summary>
    /// <param name="number">The number; null or NaN where it is not known.</param>
    /// <param name="text">Its text, rounded; empty in a table that only JSON has.</param>
    public static TableCell Of(double? number, string text = "") => new(text, json => Write(json, number));

    /// <summary>An interval.</summary>
    /// <param name="interval">The interval; null where it is not known.</param>
    /// <param name="text">Its text, rounded; empty in a table that only JSON has.</param>
    public static TableCell Of(Interval? interval, string text = "") => new(text, json => Write(json, interval));

    /// <summary>A latency in milliseconds.</summary>
    public static TableCell Milliseconds(double milliseconds) =>
        Of(milliseconds, NumberText.Milliseconds(milliseconds));

    /// <summary>A probability; NaN where it is not known.</summary>
    public static TableCell Probability(double probability) => Of(probability, NumberText.Probability(probability));

    /// <summary>An interval of a probability.</summary>
    public static TableCell Probability(Interval interval) => Of(interval, NumberText.Probability(interval));

    /// <summary>A difference of probabilities; null where it is not known.</summary>
    public static TableCell Difference(double? difference) =>
        Of(difference, difference is { } known ? NumberText.Difference(known) : "-");

    /// <summary>A text.</summary>
    public static implicit operator TableCell(string text) => new(text, json => json.WriteStringValue(text));

    /// <summary>A whole number.</summary>
    public static implicit operator TableCell(long number) =>
        new(number.ToString(CultureInfo.InvariantCulture), json => json.WriteNumberValue(number));

    /// <summary>Writes the value.</summary>
    public void Write(Utf8JsonWriter json) => _write(json);

    private static void Write(Utf8JsonWriter json, Interval? interval)
    {
        if (interval is not { } known)
        {
            json.WriteNullValue();
            return;
        }
        json.WriteStartArray();
        Write(json, known.Lower);
        Write(json, known.Upper);
        json.WriteEndArray();
    }

    // JSON has no infinite numbers; they have the names that the tool's files give them.
    private static void Write(Utf8JsonWriter json, double? number)
    {
        if (number is not { } known || double.IsNaN(known))
            json.WriteNullValue();
        else if (double.IsFinite(known))
            json.WriteNumberValue(known);
        else
            json.WriteStringValue(known > 0 ? "Infinity" : "-Infinity");
    }
}
