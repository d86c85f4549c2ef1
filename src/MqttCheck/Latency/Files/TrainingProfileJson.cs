using System.Text.Json;
using System.Text.Json.Nodes;
using MqttCheck.Json;
using MqttCheck.Statistics;

namespace MqttCheck.Latency.Files;

/// <summary>The profile of training in a model file.</summary>
internal static class TrainingProfileJson
{
    private const string Range = "an object with from and to";

    public static JsonObject Of(TrainingProfile profile) =>
        JsonNodes.Object(
            ("names", JsonNodes.Texts(profile.Names)),
            ("meanWaitMilliseconds", profile.MeanWaitMilliseconds is { } wait ? Of(wait) : null),
            ("sequenceLength", profile.SequenceLength is { } length ? Of(length) : null),
            ("shares", ModelJson.ByKind(kind => Of(profile.Shares[kind]))),
            ("packets", profile.Packets.Count > 0 ? JsonNodes.Array(profile.Packets, Of) : null)
        );

    public static TrainingProfile Read(JsonTree tree, JsonFindings findings)
    {
        var reader = new JsonObjectReader(tree, findings);
        var shares = ModelJson.ByKind(
            reader,
            "shares",
            "an object with a range per kind of message",
            (inner, name) => Read(inner.Required(name, Range), 1, findings) ?? default,
            findings
        );
        var profile = new TrainingProfile(
            [.. reader.Array("names", "an array of texts").Select(item => item.Text)],
            Read(reader.Optional("meanWaitMilliseconds"), double.MaxValue, findings),
            Read(reader.Optional("sequenceLength"), int.MaxValue, findings),
            shares
        )
        {
            Packets = reader.Optional("packets") is null
                ? []
                : [.. reader.Array("packets", "an array of objects").Select(item => ReadKeys(item, findings))],
        };
        reader.End();
        return profile;
    }

    private static JsonObject Of(Interval range) => JsonNodes.Object(("from", range.Lower), ("to", range.Upper));

    private static JsonObject Of(IReadOnlyDictionary<string, string> keys) =>
        new(keys.Select(key => KeyValuePair.Create(key.Key, (JsonNode?)key.Value)));

    private static Dictionary<string, string> ReadKeys(JsonTree tree, JsonFindings findings)
    {
        if (tree.Type != JsonTokenType.StartObject)
            findings.Add(tree, $"{tree.Given} given; allowed: an object");
        return tree.Members.ToDictionary(member => member.Key, member => member.Value.Text);
    }

    private static Interval? Read(JsonTree? tree, double maximum, JsonFindings findings)
    {
        if (tree is null)
            return null;
        var reader = new JsonObjectReader(tree, findings);
        var from = reader.Number("from", 0, maximum);
        var range = new Interval(from, reader.Number("to", from, maximum));
        reader.End();
        return range;
    }
}
