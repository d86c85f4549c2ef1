using System.Text;
using System.Text.Json.Nodes;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Tests.Profiles;

namespace MqttCheck.Clusters.Tests.Topologies.Files;

/// <summary>Keeps the published schemas and the readers in step: same keys, same words, same files.</summary>
[TestFixture]
internal sealed class ClusterSchemaTests
{
    private static readonly JsonNode s_cluster = Resource("clusters/cluster.schema.json");
    private static readonly JsonNode s_scenario = Resource("scenarios/scenario.schema.json");

    private const string Template = """
        { "name": "x", "system": "flood", "nodes": [ { "name": "a" }, { "name": "b" } ], "links": [ { "between": ["a", "b"] } ], "sites": [ { "name": "s", "at": "a" } ] }
        """;

    [TestCase("", "")]
    [TestCase("nodes.0", "nodes")]
    [TestCase("sites.0", "sites")]
    public void Reader_and_schema_know_the_same_keys(string place, string key)
    {
        var document = JsonNode.Parse(Template)!;
        Assert.That(Unknown(document, place), Is.EquivalentTo(Keys(key)));
    }

    [Test]
    public void Reader_and_schema_know_the_same_keys_of_bridged_links_and_of_families()
    {
        var document = JsonNode.Parse(Template)!;
        document["system"] = "mosquitto-bridge";
        document["links"]![0]!["topics"] = "#";
        Assert.That(Unknown(document, "links.0"), Is.EquivalentTo(Keys("links")));
        var family = JsonNode.Parse(
            """{ "name": "x", "system": "mosquitto-bridge", "family": "line:2", "topics": "#" }"""
        )!;
        Assert.That(
            Unknown(family, "").Concat(["nodes", "links"]),
            Is.EquivalentTo(s_cluster["properties"]!.AsObject().Select(member => member.Key))
        );
    }

    [Test]
    public void Reader_and_schema_know_the_same_keys_of_a_scenario()
    {
        var wrong = Assert.Throws<InputException>(() =>
            ScenarioFile.Parse("""{ "name": "x", "no such key": 1 }"""u8, "test.json")
        )!;
        Assert.That(
            Allowed(wrong.Message),
            Is.EquivalentTo(s_scenario["properties"]!.AsObject().Select(member => member.Key))
        );
    }

    [TestCase("system")]
    [TestCase("rules")]
    [TestCase("hop")]
    [TestCase("return")]
    public void Reader_and_schema_know_the_same_words(string key)
    {
        var document = JsonNode.Parse(Template)!;
        document[key] = "no such word";
        var wrong = Assert.Throws<InputException>(() => Read(document))!.Message;
        var schema = s_cluster["properties"]![key]!;
        if (schema["$ref"] is { } reference)
            schema = s_cluster["$defs"]![reference.GetValue<string>()["#/$defs/".Length..]]!;
        Assert.That(
            Allowed(wrong.Split('\n').First(line => line.Contains("no such word", StringComparison.Ordinal))),
            Is.EquivalentTo(schema["enum"]!.AsArray().Select(word => $"\"{word}\""))
        );
    }

    [Test]
    public void Shipped_files_keep_to_their_schemas()
    {
        foreach (var name in TopologyFile.BuiltInNames)
        {
            var document = Resource($"clusters/{name}.json");
            Assert.That(SchemaCheck.Conforms(document, s_cluster, s_cluster), name);
            document.AsObject().Add("no such key", 1);
            Assert.That(SchemaCheck.Conforms(document, s_cluster, s_cluster), Is.False, name);
        }
        foreach (var name in ScenarioFile.BuiltInNames)
            Assert.That(SchemaCheck.Conforms(Resource($"scenarios/{name}.json"), s_scenario, s_scenario), name);
    }

    private static IEnumerable<string> Keys(string array)
    {
        var schema = array.Length == 0 ? s_cluster : s_cluster["properties"]![array]!["items"]!;
        var keys = schema["properties"]!.AsObject().Select(member => member.Key);
        // Only a family or a bridge asks for these beside nodes and links.
        return array.Length == 0
            ? keys.Except(["delay", "rate", "loss", "topics", "cleanSession", "localCleanSession"])
            : keys;
    }

    private static string[] Unknown(JsonNode document, string place)
    {
        var node = place
            .Split('.', StringSplitOptions.RemoveEmptyEntries)
            .Aggregate(document, (at, key) => int.TryParse(key, out var index) ? at[index]! : at[key]!);
        node["no such key"] = 1;
        return Allowed(Assert.Throws<InputException>(() => Read(document))!.Message);
    }

    private static string[] Allowed(string message) =>
        [
            .. message[(message.IndexOf("allowed: ", StringComparison.Ordinal) + "allowed: ".Length)..]
                .Split(", ")
                .Distinct(),
        ];

    private static Topology Read(JsonNode document) =>
        TopologyFile.Parse(Encoding.UTF8.GetBytes(document.ToJsonString()), "test.json");

    private static JsonNode Resource(string name)
    {
        using var stream = typeof(TopologyFile).Assembly.GetManifestResourceStream(name)!;
        return JsonNode.Parse(stream)!;
    }
}
