using System.Globalization;
using System.Text.Json;
using MqttCheck.Json;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Profiles;

/// <summary>Sizes and texts of payloads in profile files.</summary>
internal static class PayloadKinds
{
    private const int Largest = 1_048_576;
    private const int LargestByDefault = 65_536;
    private const int Smallest = UsageProfile.SmallestPayloadBytes;

    private static readonly JsonKind<int> s_bytes = JsonKinds.Integer(Smallest, Largest);

    private static readonly JsonKind<PayloadSizes> s_pair = JsonKinds
        .Tuple("one size or [min, max], in bytes", s_bytes, s_bytes)
        .Then((tree, findings, pair) => LawKinds.CheckOrder(tree, findings, pair[0] > pair[1]))
        .As(pair => new PayloadSizes(pair[0], pair[1]), sizes => [sizes.Minimum, sizes.Maximum]);

    private static readonly JsonKind<PayloadSizes> s_law = s_pair with
    {
        Read = ReadLaw,
        Write = (writer, sizes) =>
        {
            writer.WriteStartObject();
            LawKinds.Sizes.WriteMember(writer, sizes.Law!);
            writer.WriteNumber("minimum", sizes.Minimum);
            writer.WriteNumber("maximum", sizes.Maximum);
            writer.WriteEndObject();
        },
        Schema = () => LawKinds.Sizes.Schema(("minimum", s_bytes.Schema!()), ("maximum", s_bytes.Schema!())),
    };

    /// <summary>The sizes of payloads without a text.</summary>
    public static JsonKind<PayloadSizes> Sizes { get; } =
        s_pair
            .Or(
                s_bytes.As(size => new PayloadSizes(size, size), sizes => sizes.Minimum),
                tree => tree.Type == JsonTokenType.Number,
                _ => false
            )
            .Or(s_law, tree => tree.Type == JsonTokenType.StartObject, sizes => sizes.Law is not null);

    /// <summary>The sizes that stand beside a text, which has one of its own.</summary>
    public static JsonKind<PayloadSizes> Unread { get; } = Sizes with { Read = (_, _) => new() };

    /// <summary>The text of payloads.</summary>
    public static JsonKind<PayloadTemplate> Template { get; } =
        new(
            "",
            ReadTemplate,
            (writer, template) => writer.WriteStringValue(template.Text),
            () => null!,
            () => JsonNodes.Object(("type", "string"), ("pattern", "\\{number\\}"))
        );

    private static PayloadTemplate ReadTemplate(JsonTree tree, JsonFindings findings)
    {
        PayloadTemplate? template = null;
        var problem =
            tree.Type == JsonTokenType.String
                ? PayloadTemplate.TryParse(tree.Text, out template)
                : "a text with {number} once";
        if (template is { Bytes: > Largest })
            problem = string.Create(CultureInfo.InvariantCulture, $"a text of at most {Largest} bytes");
        JsonKinds.Is(tree, findings, problem is null, problem ?? "");
        return problem is null ? template! : null!;
    }

    // The bounds stand beside the law.
    private static PayloadSizes ReadLaw(JsonTree tree, JsonFindings findings)
    {
        var bounds = new JsonObjectReader(tree, findings);
        var minimum = bounds.Integer("minimum", Smallest, Largest, Smallest);
        var maximum = bounds.Integer("maximum", Smallest, Largest, Math.Max(minimum, LargestByDefault));
        if (minimum > maximum)
            findings.Add(tree, $"minimum {minimum} is greater than maximum {maximum}; allowed: minimum <= maximum");
        return new(minimum, maximum, LawKinds.Sizes.Kind.Read(tree.Without("minimum", "maximum"), findings));
    }
}
