using System.Text;
using MqttCheck.Profiles;

namespace MqttCheck.Tests.Profiles.Behaviours;

/// <summary>Each behaviour that cannot be is refused by name before anything starts.</summary>
internal sealed class BehaviourKeysTests
{
    [TestCase(""" "weights": {}, "order": ["publish", "disconnect"] """, "order[0]", "comes first")]
    [TestCase(
        """ "weights": { "publish": 1 }, "order": ["connect", "disconnect", "publish"] """,
        "order[1]",
        "as the last"
    )]
    [TestCase(""" "order": ["connect", "publish"] """, "weights", "the key is missing")]
    [TestCase(""" "weights": {}, "order": ["connect", "publish"] """, "weights", "no weight|has weight 0")]
    [TestCase(
        """ "weights": { "publish": 1 }, "afterConnect": { "topicName": "birth", "payload": "on" } """,
        "afterConnect.payload",
        "does not tell its sender"
    )]
    [TestCase(
        """ "weights": { "publish": 1 }, "afterConnect": { "topicName": "birth/{topic}" } """,
        "afterConnect.topicName",
        "without {topic}"
    )]
    [TestCase(
        """ "weights": { "publish": 1 }, "simultaneous": { "everySeconds": 1, "jitterSeconds": 0.6 } """,
        "simultaneous.jitterSeconds",
        "at most half"
    )]
    [TestCase(
        """ "weights": { "publish": 1 }, "simultaneous": { "everySeconds": 1 }, "stages": [{ "seconds": 1, "load": 1 }] """,
        "simultaneous",
        "beside \"stages\""
    )]
    [TestCase(
        """ "weights": { "subscribe": 1, "disconnect": 1 }, "simultaneous": { "everySeconds": 1, "message": "publish" } """,
        "simultaneous",
        "no client publishes"
    )]
    [TestCase(
        """ "weights": { "publish": 1 }, "topicName": "a/{client}", "filters": ["a/#"] """,
        "filters",
        "no client subscribes"
    )]
    [TestCase(
        """ "weights": { "publish": 1, "subscribe": 1 }, "filters": ["a/#"] """,
        "filters",
        "topics without a name"
    )]
    [TestCase(
        """ "weights": { "disconnect": 1, "subscribe": 1 }, "filters": ["a/+/c", "x/y", "a/b/#"] """,
        "filters[2]",
        "given beside \"a/+/c\""
    )]
    [TestCase(
        """ "weights": { "disconnect": 1, "subscribe": 1 }, "filters": ["a"], "session": "clean", "sharedSubscription": "s" """,
        "filters",
        "sharedSubscription"
    )]
    [TestCase(""" "weights": { "publish": 1 }, "topicName": "a/{client}", "topics": 5 """, "topics", "has no {topic}")]
    [TestCase(
        """ "weights": { "publish": 1 }, "reply": { "topicName": "a" } """,
        "reply",
        "no client of a profile answers"
    )]
    public void A_behaviour_that_cannot_be_is_refused_by_name(string keys, string path, string why)
    {
        var text = $$"""{ "name": "p", "waitMilliseconds": { "constant": 1 }, {{keys}} }""";

        Assert.That(
            () => ProfileFile.Parse(Encoding.UTF8.GetBytes(text), "p.json"),
            Throws.TypeOf<InputException>().With.Message.Contains($": {path}: ").And.Message.Match(Pattern(why))
        );
    }

    [Test]
    public void Filters_beside_topics_of_the_run_are_refused()
    {
        const string text = """
            { "name": "p", "groups": [
              { "name": "hub", "share": 1, "profile": { "waitMilliseconds": { "constant": 1 },
                "weights": { "subscribe": 1, "disconnect": 1 }, "filters": ["#"] } },
              { "name": "sensors", "share": 1, "profile": "up1" } ] }
            """;

        Assert.That(
            () => ProfileFile.Parse(Encoding.UTF8.GetBytes(text), "p.json"),
            Throws.TypeOf<InputException>().With.Message.Contains("\"filters\" of hub given beside sensors")
        );
    }

    private static string Pattern(string why) =>
        why.Contains('|', StringComparison.Ordinal) ? why : System.Text.RegularExpressions.Regex.Escape(why);
}
