using System.Text;
using System.Text.Json.Nodes;
using MqttCheck.Json;
using MqttCheck.Tests.Profiles;

namespace MqttCheck.Tests.Json;

/// <summary>The laws that hold for every format, since reader, writer and schema are one declaration.</summary>
internal static class FormatLaws
{
    private const string Source = "f.json";
    private const string Unknown = "no such key";

    /// <summary>
    /// A value that was written is read back and conforms to the schema. Where the schema refuses the same text with
    /// a key that is missing, wrong or unknown, the reader does so too, and names line and key.
    /// </summary>
    /// <param name="kind">The format.</param>
    /// <param name="value">The value to write.</param>
    /// <param name="mark">The key without which the text is taken for another format.</param>
    /// <returns>The value that was read back.</returns>
    public static T Hold<T>(JsonKind<T> kind, T value, string mark = "")
    {
        var (bytes, schema) = (kind.ToBytes(value), JsonNode.Parse(kind.Schema!().ToJsonString())!);
        var read = kind.Parse(bytes, Source);
        Assert.That(kind.ToBytes(read), Is.EqualTo(bytes));
        Assert.That(SchemaCheck.Conforms(JsonNode.Parse(bytes), schema, schema), Encoding.UTF8.GetString(bytes));
        Assert.That(Refuses(1, ": unknown key; allowed: ", Unknown, members => members[Unknown] = true));
        foreach (var (key, _) in JsonNode.Parse(bytes)!.AsObject())
        {
            if (key != mark)
                Refuses(0, ": the key is missing; allowed: ", key, members => members.Remove(key));
            Refuses(1, "", key, members => members[key] = new JsonArray(new JsonArray()));
        }
        return read;

        bool Refuses(int has, string what, string key, Action<JsonObject> spoil)
        {
            var node = JsonNode.Parse(bytes)!.AsObject();
            spoil(node);
            if (SchemaCheck.Conforms(node, schema, schema))
                return false;
            // Each member has a line of its own.
            var lines = node.Select(member => $"\"{member.Key}\": {member.Value!.ToJsonString()}").ToList();
            var text = Encoding.UTF8.GetBytes($"{{\n{string.Join(",\n", lines)}}}");
            var line =
                1 + has * (1 + lines.FindIndex(line => line.StartsWith($"\"{key}\":", StringComparison.Ordinal)));
            Assert.That(
                () => kind.Parse(text, Source),
                Throws
                    .InstanceOf<InputException>()
                    .With.Message.Match($"(?m)^{Source}:{line}: {key.Replace("$", "\\$")}.*{what}")
            );
            return true;
        }
    }
}
