using System.Text.Json;
using MqttCheck.Clients;
using MqttCheck.Json;
using MqttCheck.Statistics;

namespace MqttCheck.Latency.Files;

/// <summary>The profile of training in a model file.</summary>
internal static class TrainingProfileJson
{
    public static void Write(Utf8JsonWriter writer, TrainingProfile profile)
    {
        writer.WriteStartObject();
        writer.WriteStartArray("names");
        foreach (var name in profile.Names)
            writer.WriteStringValue(name);
        writer.WriteEndArray();
        if (profile.MeanWaitMilliseconds is { } wait)
            Write(writer, "meanWaitMilliseconds", wait);
        if (profile.SequenceLength is { } length)
            Write(writer, "sequenceLength", length);
        writer.WriteStartObject("shares");
        for (var kind = 0; kind < MessageKinds.Count; kind++)
            Write(writer, ((MessageKind)kind).Name(), profile.Shares[kind]);
        writer.WriteEndObject();
        if (profile.Packets.Count > 0)
        {
            writer.WriteStartArray("packets");
            foreach (var keys in profile.Packets)
                Write(writer, keys);
            writer.WriteEndArray();
        }
        writer.WriteEndObject();
    }

    public static TrainingProfile Read(JsonTree tree, JsonFindings findings)
    {
        var reader = new JsonObjectReader(tree, findings);
        var shares = new Interval[MessageKinds.Count];
        if (reader.Required("shares", "an object with a range per kind of message") is { } byKind)
        {
            var inner = new JsonObjectReader(byKind, findings);
            for (var kind = 0; kind < shares.Length; kind++)
                shares[kind] = Read(inner.Required(((MessageKind)kind).Name(), Range), 1, findings) ?? default;
            inner.End();
        }
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

    private const string Range = "an object with from and to";

    private static void Write(Utf8JsonWriter writer, IReadOnlyDictionary<string, string> keys)
    {
        writer.WriteStartObject();
        foreach (var (key, value) in keys)
            writer.WriteString(key, value);
        writer.WriteEndObject();
    }

    private static Dictionary<string, string> ReadKeys(JsonTree tree, JsonFindings findings)
    {
        if (tree.Type != JsonTokenType.StartObject)
            findings.Add(tree, $"{tree.Given} given; allowed: an object");
        return tree.Members.ToDictionary(member => member.Key, member => member.Value.Text);
    }

    private static void Write(Utf8JsonWriter writer, string key, Interval range)
    {
        writer.WriteStartObject(key);
        writer.WriteNumber("from", range.Lower);
        writer.WriteNumber("to", range.Upper);
        writer.WriteEndObject();
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
