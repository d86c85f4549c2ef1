using System.Text;
using MqttCheck.Captures.Replay;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Captures.Tests.Replay;

/// <summary>Names are hashes level by level, so that filters match what they matched.</summary>
[TestFixture]
internal sealed class ReplayNamesTests
{
    private static readonly string[] s_levels = ["", "a", "b", "temperature", "plant 7"];

    // Seed 55; the broker's own matching decides, so there are no false alarms.
    [Test]
    public void A_hashed_filter_matches_a_hashed_topic_exactly_if_it_did_before()
    {
        var random = new Random(55);
        var names = new ReplayNames(keepsNames: false, "", "run/1/");
        var matches = 0;
        for (var i = 0; i < 2000; i++)
        {
            var topic = string.Join('/', Levels(random, wildcards: false));
            var filter = string.Join('/', Levels(random, wildcards: true));
            if (topic.Length == 0 || filter.Length == 0)
                continue;
            var before = TopicFilter.Matches(Encoding.UTF8.GetBytes(filter), Encoding.UTF8.GetBytes(topic));
            var hashed = names.Topic(Encoding.UTF8.GetBytes(topic));
            var after = TopicFilter.Matches(Encoding.UTF8.GetBytes(names.Filter(filter)), hashed);
            Assert.That(after, Is.EqualTo(before), $"{filter} and {topic}");
            matches += before ? 1 : 0;
        }
        Assert.That(matches, Is.GreaterThan(100));
    }

    [Test]
    public void Nothing_of_a_name_is_left_and_its_length_is()
    {
        var names = new ReplayNames(keepsNames: false, "test/", "run/1/");
        var topic = Encoding.UTF8.GetString(names.Topic("factory/temperature"u8));
        Assert.That(topic, Does.Match("^test/run/1/[0-9a-f]{8}/[0-9a-f]{11}$"));
        Assert.That(
            names.Filter("$share/group/factory/#"),
            Does.Match("^\\$share/[0-9a-f]{8}/test/run/1/[0-9a-f]{8}/#$")
        );
        Assert.That(names.Client("anna", isIdentifier: true), Does.Match("^run1[0-9a-f]{8}$"));
        var other = new ReplayNames(keepsNames: false, "test/", "run/1/");
        Assert.That(Encoding.UTF8.GetString(other.Topic("factory/temperature"u8)), Is.Not.EqualTo(topic));
    }

    [Test]
    public void Names_that_are_kept_are_sent_as_they_are()
    {
        var names = new ReplayNames(keepsNames: true, "test/", "run/1/");
        Assert.That(names.Topic("factory/7"u8), Is.EqualTo("test/factory/7"u8.ToArray()));
        Assert.That(names.Filter("$share/group/factory/#"), Is.EqualTo("$share/group/test/factory/#"));
        Assert.That(names.Client("anna", isIdentifier: true), Is.EqualTo("anna"));
        Assert.That(names.Client("192.0.2.1:50001", isIdentifier: false), Does.StartWith("run1"));
    }

    private static IEnumerable<string> Levels(Random random, bool wildcards)
    {
        var count = random.Next(1, 4);
        for (var i = 0; i < count; i++)
        {
            if (wildcards && random.Next(3) == 0)
                yield return "+";
            else
                yield return s_levels[random.Next(s_levels.Length)];
        }
        if (wildcards && random.Next(3) == 0)
            yield return "#";
    }
}
