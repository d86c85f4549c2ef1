using System.Text;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Tests.Protocol;

public sealed class TopicFilterTests
{
    // The examples of section 4.7 (3.1.1 and 5).
    [TestCase("sport/tennis/player1/#", "sport/tennis/player1", true)]
    [TestCase("sport/tennis/player1/#", "sport/tennis/player1/ranking", true)]
    [TestCase("sport/tennis/player1/#", "sport/tennis/player1/score/wimbledon", true)]
    [TestCase("sport/#", "sport", true)]
    [TestCase("#", "sport/tennis", true)]
    [TestCase("sport/tennis/+", "sport/tennis/player1", true)]
    [TestCase("sport/tennis/+", "sport/tennis/player1/ranking", false)]
    [TestCase("sport/+", "sport", false)]
    [TestCase("sport/+", "sport/", true)]
    [TestCase("+/+", "/finance", true)]
    [TestCase("/+", "/finance", true)]
    [TestCase("+", "/finance", false)]
    [TestCase("#", "$SYS/monitor", false)]
    [TestCase("+/monitor/Clients", "$SYS/monitor/Clients", false)]
    [TestCase("$SYS/#", "$SYS/", true)]
    [TestCase("$SYS/monitor/+", "$SYS/monitor/Clients", true)]
    // Names and filters are compared byte for byte (MQTT-4.7.3-4).
    [TestCase("a", "A", false)]
    [TestCase("a", "/a", false)]
    [TestCase("a", "a/", false)]
    [TestCase("a/b", "a//b", false)]
    [TestCase("a/+/b", "a//b", true)]
    [TestCase("a/#", "a/", true)]
    [TestCase("a/#", "a/b/c", true)]
    [TestCase("a/#", "ab", false)]
    [TestCase("a/b/#", "a", false)]
    [TestCase("/", "/", true)]
    [TestCase("+/+/#", "a/b", true)]
    [TestCase("+/+/#", "a", false)]
    public void Matching_follows_section_4_7(string filter, string topic, bool matches)
    {
        Assert.That(TopicFilter.Matches(filter, topic), Is.EqualTo(matches));
        var tree = new SubscriptionTree<int>();
        tree.Set(Encoding.UTF8.GetBytes(filter), 1);
        var found = new List<int>();
        tree.Match(Encoding.UTF8.GetBytes(topic), found);
        Assert.That(found, Has.Count.EqualTo(matches ? 1 : 0));
    }

    [TestCase("#", true)]
    [TestCase("+", true)]
    [TestCase("/", true)]
    [TestCase("a/#", true)]
    [TestCase("+/a/+/#", true)]
    [TestCase("", false)]
    [TestCase("a#", false)]
    [TestCase("a/#/b", false)]
    [TestCase("#/a", false)]
    [TestCase("a+", false)]
    [TestCase("+a", false)]
    [TestCase("a/b+/c", false)]
    [TestCase("a\0b", false)]
    [TestCase("$share/g/a", true)]
    [TestCase("$share/g//a", true)]
    [TestCase("$share/g/#", true)]
    [TestCase("$share/", false)]
    [TestCase("$share//a", false)]
    [TestCase("$share/g", false)]
    [TestCase("$share/g/", false)]
    [TestCase("$share/g+/a", false)]
    [TestCase("$share/g/a#", false)]
    public void Filters_are_valid_as_sections_4_7_and_4_8_say(string filter, bool valid) =>
        Assert.That(TopicFilter.IsValid(filter, ProtocolVersion.V5), Is.EqualTo(valid));

    [TestCase("$share/")]
    [TestCase("$share//a")]
    [TestCase("$share/g")]
    public void Shared_subscriptions_mean_nothing_in_3_1_1(string filter) =>
        Assert.That(TopicFilter.IsValid(filter, ProtocolVersion.V311), Is.True);

    [Test]
    public void A_lone_surrogate_has_no_place_in_a_filter() =>
        Assert.That(TopicFilter.IsValid("a" + (char)0xD800, ProtocolVersion.V5), Is.False);

    [Test]
    public void The_longest_filter_has_65535_bytes()
    {
        Assert.That(TopicFilter.IsValid(new string('a', 65535), ProtocolVersion.V311), Is.True);
        Assert.That(TopicFilter.IsValid(new string('a', 65536), ProtocolVersion.V311), Is.False);
        Assert.That(TopicFilter.IsValid(new string('ä', 32768), ProtocolVersion.V311), Is.False);
    }

    [Test]
    public void A_shared_filter_splits_into_group_and_filter()
    {
        Assert.That(TopicFilter.TrySplitShared("$share/g//a"u8, out var name, out var filter), Is.True);
        Assert.That((Encoding.UTF8.GetString(name), Encoding.UTF8.GetString(filter)), Is.EqualTo(("g", "/a")));
        Assert.That(
            (TopicFilter.TrySplitShared("a/b"u8, out _, out var whole), Encoding.UTF8.GetString(whole)),
            Is.EqualTo((false, "a/b"))
        );
    }
}
