using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using MqttCheck.Profiles;

namespace MqttCheck.Tests.Profiles;

/// <summary>Keeps the published schema and the reader in step: same shipped files, same refusals.</summary>
public sealed class ProfileSchemaTests
{
    private static readonly JsonNode Schema = Resource("profile.schema.json");

    private const string Template = """
        { "name": "p", "groups": [ { "name": "a", "share": 1, "profile": { "waitMilliseconds": { "constant": 1 }, "weights": { "publish": 1 },
          "stages": [ { "seconds": 1, "load": 1 } ], "will": { "topicName": "t" } } } ] }
        """;

    [Test]
    public void Shipped_profiles_conform_to_the_schema(
        [Values("up1", "up2", "population", "tasmota", "home-assistant", "sparkplug", "simultaneous-meters")]
            string name
    ) => Assert.That(SchemaCheck.Conforms(Resource(name + ".json"), Schema, Schema), Is.True);

    [TestCase("""{ "name": "p" }""")]
    [TestCase("""{ "name": "p", "waitMilliseconds": { "constant": 1 }, "weights": { "publish": -1 } }""")]
    [TestCase("""{ "name": "p", "waitMilliseconds": { "exponential": 0 }, "weights": { "publish": 1 } }""")]
    [TestCase("""{ "name": "p", "waitMilliseconds": { "uniform": [1] }, "weights": { "publish": 1 } }""")]
    [TestCase(
        """{ "name": "p", "waitMilliseconds": { "uniform": [1, 2], "constant": 1 }, "weights": { "publish": 1 } }"""
    )]
    [TestCase("""{ "name": "", "waitMilliseconds": { "constant": 1 }, "weights": { "publish": 1 } }""")]
    [TestCase("""{ "name": "p", "groups": [] }""")]
    [TestCase("""{ "name": "p", "groups": [ { "name": "a", "share": 0, "profile": "up1" } ] }""")]
    [TestCase("""{ "name": "p", "groups": [ { "name": "a", "share": 1, "profile": 3 } ] }""")]
    [TestCase("""{ "name": "p", "groups": [ { "name": "a", "profile": "up1" } ] }""")]
    public void Reader_and_schema_refuse_the_same_files(string text)
    {
        var document = JsonNode.Parse(text)!;
        Assert.That(SchemaCheck.Conforms(document, Schema, Schema), Is.False);
        Assert.That(() => Read(document), Throws.InstanceOf<InputException>());
    }

    // These stand beside a right name, waits and weights.
    [TestCase(""" "qos": 3 """)]
    [TestCase(""" "topics": 0.5 """)]
    [TestCase(""" "payloadBytes": 11 """)]
    [TestCase(""" "qos": { "subscribe": 1 } """)]
    [TestCase(""" "qos": { "publish": [1, 2] } """)]
    [TestCase(""" "session": "none" """)]
    [TestCase(""" "topicName": "a/#/{topic}" """)]
    [TestCase(""" "topicName": "{topic}1" """)]
    [TestCase(""" "payload": "no number" """)]
    [TestCase(""" "payloadBytes": { "minimum": 12 } """)]
    [TestCase(""" "waitMillisecondsBefore": { "publish": 1 } """)]
    [TestCase(""" "rampUpSeconds": -1 """)]
    [TestCase(""" "rampUpSeconds": 10, "connectsPerSecond": 5 """)]
    [TestCase(""" "connectsPerSecond": 0 """)]
    [TestCase(""" "stages": [] """)]
    [TestCase(""" "stages": [{ "seconds": 0, "load": 1 }] """)]
    [TestCase(""" "stages": [{ "seconds": 5 }] """)]
    [TestCase(""" "stages": [{ "seconds": 5, "load": -1 }] """)]
    [TestCase(""" "keepAliveSeconds": 65536 """)]
    [TestCase(""" "retain": 1 """)]
    [TestCase(""" "session": "clean", "sharedSubscription": "a/b" """)]
    [TestCase(""" "messageExpirySeconds": 0 """)]
    [TestCase(""" "userProperties": {} """)]
    [TestCase(""" "userProperties": { "a": 1 } """)]
    [TestCase(""" "topicAliases": -1 """)]
    [TestCase(""" "will": { "topicName": "a/#" } """)]
    [TestCase(""" "will": { "payload": "gone" } """)]
    [TestCase(""" "will": { "topicName": "a", "onDisconnect": 1 } """)]
    [TestCase(""" "will": { "topicName": "a", "qos": 3 } """)]
    [TestCase(""" "will": { "topicName": "a", "retain": 1 } """)]
    [TestCase(""" "topicName": "a/{client}1" """)]
    [TestCase(""" "order": ["connect"] """)]
    [TestCase(""" "order": ["connect", "send"] """)]
    [TestCase(""" "afterConnect": { "payload": "on" } """)]
    [TestCase(""" "afterConnect": { "topicName": "a/{client}", "payload": "on", "payloadBytes": 20 } """)]
    [TestCase(""" "afterConnect": { "topicName": "a/+" } """)]
    [TestCase(""" "simultaneous": { "everySeconds": 0 } """)]
    [TestCase(""" "simultaneous": { "everySeconds": 1, "message": "subscribe" } """)]
    [TestCase(""" "filters": [] """)]
    [TestCase(""" "filters": ["$SYS/#"] """)]
    [TestCase(""" "reply": true """)]
    public void Reader_and_schema_refuse_the_same_keys(string keys) =>
        Reader_and_schema_refuse_the_same_files(
            $$"""{ "name": "p", "waitMilliseconds": { "constant": 1 }, "weights": { "publish": 1 }, {{keys}} }"""
        );

    [Test]
    public void Files_of_both_kinds_conform()
    {
        foreach (
            var text in new[]
            {
                Template,
                """{ "name": "p", "groups": [ { "name": "a", "share": 1, "profile": "up1" } ] }""",
                """{ "name": "p", "waitMilliseconds": { "lognormal": [1, 0] }, "weights": { "publish": 1 }, "payloadBytes": 12 }""",
                """{ "name": "p", "waitMilliseconds": { "constant": 1 }, "weights": { "publish": 1 }, "payload": "{\"t\":{time},\"n\":\"{number}\",\"r\":\"{random:8}\"}" }""",
                """{ "name": "p", "waitMilliseconds": { "constant": 1 }, "weights": { "publish": 1 }, "payloadBytes": { "exponential": 200, "maximum": 4096 }, "topicName": "a/{topic}/b" }""",
                """{ "name": "p", "waitMilliseconds": { "constant": 1 }, "weights": { "publish": 1 }, "qos": { "publish": [1, 2, 0], "subscribe": 2 }, "session": "clean" }""",
                """{ "name": "p", "waitMilliseconds": { "constant": 1 }, "waitMillisecondsBefore": { "connect": { "exponential": 5 } }, "weights": { "publish": 1 } }""",
                """{ "name": "p", "waitMilliseconds": { "constant": 1 }, "weights": { "publish": 1 }, "rampUpSeconds": 10, "stages": [{ "seconds": 5, "load": 0 }, { "seconds": 0.5, "load": 2.5 }] }""",
                """{ "name": "p", "waitMilliseconds": { "constant": 1 }, "weights": { "publish": 1 }, "connectsPerSecond": 0.5, "keepAliveSeconds": 60, "retain": true, "messageExpirySeconds": 1 }""",
                """{ "name": "p", "waitMilliseconds": { "constant": 1 }, "weights": { "publish": 1 }, "session": "clean", "sharedSubscription": "share-1", "userProperties": { "site": "north" }, "topicAliases": 10 }""",
                """{ "name": "p", "waitMilliseconds": { "constant": 1 }, "weights": { "publish": 1 }, "will": { "topicName": "status/{client}", "payload": "gone", "qos": 1 } }""",
                """{ "name": "p", "waitMilliseconds": { "constant": 1 }, "weights": { "publish": 1 }, "will": { "topicName": "a", "onDisconnect": true } }""",
                """{ "name": "p", "waitMilliseconds": { "constant": 1 }, "weights": { "publish": 1 }, "will": { "topicName": "a/{client}", "retain": true }, "topicName": "a/{client}/b", "afterConnect": { "topicName": "a/{client}", "payload": "on", "retain": true } }""",
                """{ "name": "p", "waitMilliseconds": { "constant": 1 }, "order": ["connect", "publish", "disconnect"], "simultaneous": { "everySeconds": 900, "jitterSeconds": 2, "message": "connect" } }""",
                """{ "name": "p", "waitMilliseconds": { "constant": 1 }, "weights": { "subscribe": 1, "unsubscribe": 1 }, "filters": ["plant/+/temp", "plant/{client}/b/#"] }""",
            }
        )
        {
            Assert.That(SchemaCheck.Conforms(JsonNode.Parse(text)!, Schema, Schema), Is.True, text);
            Assert.That(() => Read(JsonNode.Parse(text)!), Throws.Nothing, text);
        }
    }

    [TestCase("docs/reference/profiles.md", 4)]
    [TestCase("docs/manual/own-profiles.md", 5)]
    public void Examples_in_the_documentation_conform_and_can_be_read(string page, int count)
    {
        var examples = Examples(Text(page));
        Assert.That(examples, Has.Length.EqualTo(count));
        foreach (var example in examples)
        {
            Assert.That(SchemaCheck.Conforms(example, Schema, Schema), Is.True, example["name"]!.GetValue<string>());
            // The population names the file of the first example.
            if (example["groups"] is { } groups)
                groups[0]!["profile"] = "up2";
            Assert.That(() => Read(example), Throws.Nothing);
        }
    }

    [Test]
    public void Every_key_of_load_and_packets_has_an_example_in_the_manual()
    {
        var page = Text("docs/manual/own-profiles.md");
        var shown = Examples(page).SelectMany(example => example.AsObject().Select(member => member.Key)).ToHashSet();
        // Two keys may exclude each other; then one is in the file.
        shown.UnionWith(Regex.Matches(page, "`\"(\\w+)\": ").Select(match => match.Groups[1].Value));
        string[] keys =
        [
            "rampUpSeconds",
            "connectsPerSecond",
            "stages",
            "keepAliveSeconds",
            "retain",
            "sharedSubscription",
            "messageExpirySeconds",
            "userProperties",
            "topicAliases",
            "will",
            "order",
            "afterConnect",
            "simultaneous",
            "filters",
        ];
        Assert.That(keys, Is.SubsetOf(shown));
    }

    private static JsonNode[] Examples(string page) =>
        [
            .. Regex
                .Matches(page, "```json\n(.*?)```", RegexOptions.Singleline)
                .Select(match => JsonNode.Parse(match.Groups[1].Value)!),
        ];

    private static string Text(string page)
    {
        using var stream = typeof(ProfileSchemaTests).Assembly.GetManifestResourceStream(page)!;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd();
    }

    private static Population Read(JsonNode document) =>
        ProfileFile.Parse(Encoding.UTF8.GetBytes(document.ToJsonString()), "test");

    private static JsonNode Resource(string name)
    {
        using var stream = typeof(ProfileFile).Assembly.GetManifestResourceStream("profiles/" + name);
        return JsonNode.Parse(stream!, documentOptions: new JsonDocumentOptions { AllowDuplicateProperties = false })!;
    }
}
