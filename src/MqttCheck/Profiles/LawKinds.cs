using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using MqttCheck.Json;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Profiles;

/// <summary>Laws of waits and sizes in files.</summary>
internal sealed class LawKinds
{
    /// <summary>The largest wait in milliseconds, and the largest size in bytes.</summary>
    internal const double Largest = 3_600_000;

    private static readonly Law s_standIn = new ConstantLaw(0);

    private static readonly JsonKind<double> s_value = JsonKinds.Number(0, Largest);

    private static readonly JsonKind<double> s_positive = JsonKinds.Positive(
        Largest,
        string.Create(CultureInfo.InvariantCulture, $"a positive number, at most {Largest}")
    );

    private readonly string _allowed;
    private readonly Form[] _forms;

    private LawKinds(string allowed)
    {
        _allowed =
            "one of {\"constant\": c}, {\"uniform\": [min, max]}, {\"exponential\": mean}, "
            + "{\"normal\": [mean, deviation]}, {\"lognormal\": [median, sigma]}, "
            + allowed;
        _forms =
        [
            One("constant", s_value, value => new ConstantLaw(value), law => law.Value),
            Two("uniform", s_value, s_value, (least, most) => new UniformLaw(least, most), l => [l.Minimum, l.Maximum]),
            One("exponential", s_positive, mean => new ExponentialLaw(mean), law => law.MeanValue),
            Two("normal", s_value, s_value, (mean, sigma) => new NormalLaw(mean, sigma), l => [l.Location, l.Sigma]),
            Two(
                "lognormal",
                s_positive,
                JsonKinds.Number(0, 5),
                (median, sigma) => new LogNormalLaw(median, sigma),
                law => [law.Median, law.Sigma]
            ),
        ];
    }

    /// <summary>The law of waits.</summary>
    public static JsonKind<Law> Waits { get; } = new LawKinds("in ms").Kind;

    /// <summary>The law of sizes, which has bounds beside it.</summary>
    public static LawKinds Sizes { get; } = new("in bytes, beside \"minimum\" and \"maximum\"");

    /// <summary>The kind of objects that hold nothing else.</summary>
    public JsonKind<Law> Kind =>
        new(
            _allowed,
            Read,
            (writer, law) =>
            {
                writer.WriteStartObject();
                WriteMember(writer, law);
                writer.WriteEndObject();
            },
            () => s_standIn,
            () => Schema()
        );

    /// <summary>Writes a law as a member of an object.</summary>
    /// <param name="writer">Inside the object.</param>
    /// <param name="law">The law.</param>
    public void WriteMember(Utf8JsonWriter writer, Law law)
    {
        var form =
            Array.Find(_forms, form => form.Fits(law))
            ?? throw new ArgumentException($"The law {law} has no form in a profile file.", nameof(law));
        writer.WritePropertyName(form.Name);
        form.Kind.Write(writer, law);
    }

    /// <summary>The schema of objects that hold a law.</summary>
    /// <param name="beside">What may stand beside it.</param>
    public JsonObject Schema(params ReadOnlySpan<(string Key, JsonNode? Value)> beside) =>
        JsonNodes.Object(
            ("type", "object"),
            ("oneOf", JsonNodes.Array(_forms, form => JsonNodes.Object(("required", JsonNodes.Texts([form.Name]))))),
            ("additionalProperties", false),
            (
                "properties",
                JsonNodes.Object([.. _forms.Select(form => (form.Name, (JsonNode?)form.Kind.Schema!())), .. beside])
            )
        );

    /// <summary>Notes that a pair of bounds is the wrong way round.</summary>
    /// <param name="pair">The pair.</param>
    /// <param name="findings">Receives the finding.</param>
    /// <param name="isReversed">Whether it is.</param>
    public static void CheckOrder(JsonTree pair, JsonFindings findings, bool isReversed)
    {
        if (isReversed)
            findings.Add(
                pair,
                $"minimum {pair.Items[0].Given} is greater than maximum "
                    + $"{pair.Items[1].Given}; allowed: [min, max] with min <= max"
            );
    }

    private Law Read(JsonTree tree, JsonFindings findings)
    {
        if (tree.Members is not [var (name, value)])
            findings.Add(
                tree,
                $"{(tree.Type == JsonTokenType.StartObject ? "an object with other than one key" : tree.Given)} "
                    + $"given; allowed: {_allowed}"
            );
        else if (Array.Find(_forms, form => form.Name == name) is { } found)
            return found.Kind.Read(value, findings);
        else
            findings.Add(value, $"unknown key; allowed: {_allowed}");
        return s_standIn;
    }

    private static Form One<T>(string name, JsonKind<double> kind, Func<double, T> make, Func<T, double> number)
        where T : Law => new(name, kind.As<Law>(make, law => number((T)law)), law => law is T);

    private Form Two<T>(
        string name,
        JsonKind<double> first,
        JsonKind<double> second,
        Func<double, double, T> make,
        Func<T, double[]> numbers
    )
        where T : Law =>
        new(
            name,
            JsonKinds
                .Tuple($"an array of two numbers: {_allowed}", first, second)
                .Then((tree, findings, pair) => CheckOrder(tree, findings, name == "uniform" && pair[0] > pair[1]))
                .As<Law>(pair => make(pair[0], pair[1]), law => numbers((T)law)),
            law => law is T
        );

    private sealed record Form(string Name, JsonKind<Law> Kind, Predicate<Law> Fits);
}
