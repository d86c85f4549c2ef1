using System.Globalization;
using System.Text.Json;
using MqttCheck.Json;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Profiles;

/// <summary>Reads laws of waits and sizes from JSON values.</summary>
internal static class LawReader
{
    /// <summary>The largest wait in milliseconds, and the largest size in bytes.</summary>
    internal const double Largest = 3_600_000;

    /// <summary>The forms of a law of waits, for messages.</summary>
    public const string Waits = Forms + ", in ms";

    /// <summary>The forms of a law of sizes, for messages.</summary>
    public const string Sizes = Forms + ", in bytes, beside \"minimum\" and \"maximum\"";

    private const string Forms =
        "one of {\"constant\": c}, {\"uniform\": [min, max]}, {\"exponential\": "
        + "mean}, {\"normal\": [mean, deviation]}, {\"lognormal\": [median, sigma]}";

    private static readonly Law StandIn = new ConstantLaw(0);

    /// <summary>Reads a law.</summary>
    /// <param name="tree">The JSON value.</param>
    /// <param name="findings">Receives the findings.</param>
    /// <param name="forms">The allowed forms, for messages.</param>
    /// <returns>The law, or a stand-in after a finding.</returns>
    public static Law Read(JsonTree tree, JsonFindings findings, string forms)
    {
        if (tree.Members.Count != 1)
        {
            findings.Add(
                tree,
                $"{(tree.Type == JsonTokenType.StartObject ? "an object with other than one key" : tree.Given)} "
                    + $"given; allowed: {forms}"
            );
            return StandIn;
        }
        var (form, value) = tree.Members[0];
        switch (form)
        {
            case "constant":
                return new ConstantLaw(Value(value));
            case "exponential":
                return new ExponentialLaw(Positive(value));
            case "uniform":
                if (!IsPair(value, findings, forms))
                    return StandIn;
                var before = findings.Count;
                var (minimum, maximum) = (Value(value.Items[0]), Value(value.Items[1]));
                if (findings.Count == before && minimum > maximum)
                    AddReversed(value, findings);
                return new UniformLaw(minimum, maximum);
            case "normal":
                if (!IsPair(value, findings, forms))
                    return StandIn;
                return new NormalLaw(Value(value.Items[0]), Value(value.Items[1]));
            case "lognormal":
                if (!IsPair(value, findings, forms))
                    return StandIn;
                return new LogNormalLaw(
                    Positive(value.Items[0]),
                    JsonObjectReader.Number(value.Items[1], 0, 5, findings)
                );
            default:
                findings.Add(value, $"unknown key; allowed: {forms}");
                return StandIn;
        }

        double Value(JsonTree number) => JsonObjectReader.Number(number, 0, Largest, findings);

        double Positive(JsonTree number)
        {
            if (number is not { Type: JsonTokenType.Number, Number: 0 })
                return Value(number);
            findings.Add(
                number,
                string.Create(CultureInfo.InvariantCulture, $"0 given; allowed: a positive number, at most {Largest}")
            );
            return 1;
        }
    }

    private static bool IsPair(JsonTree pair, JsonFindings findings, string forms)
    {
        if (pair.Items.Count == 2)
            return true;
        findings.Add(pair, $"{pair.Given} given; allowed: an array of two numbers: {forms}");
        return false;
    }

    /// <summary>Notes that a pair of bounds is the wrong way round.</summary>
    /// <param name="pair">The pair.</param>
    /// <param name="findings">Receives the finding.</param>
    public static void AddReversed(JsonTree pair, JsonFindings findings) =>
        findings.Add(
            pair,
            $"minimum {pair.Items[0].Given} is greater than maximum "
                + $"{pair.Items[1].Given}; allowed: [min, max] with min <= max"
        );
}
