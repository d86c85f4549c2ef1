using MqttCheck.Broker.Core;
using MqttCheck.Broker.Routing;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Tests.Broker.Core;

public sealed class BrokerAccessTests
{
    private const string Text = """
        # comment
        user alice secret
        anonymous no

        deny  * both      private/#
        allow alice both  home/+/light
        allow * subscribe home/#
        """;

    [TestCase("alice", "home/hall/light", true)]
    [TestCase("alice", "home/hall", false)]
    [TestCase("alice", "private/home", false)]
    [TestCase(null, "home/hall/light", false)]
    public void The_first_rule_about_a_topic_decides_who_may_publish(string? user, string topic, bool allowed) =>
        Assert.That(BrokerAccess.Parse(Text, "test").MayPublish(user, topic), Is.EqualTo(allowed));

    [TestCase("home/#", true)]
    [TestCase("home/+/light", true)]
    [TestCase("home", true)]
    [TestCase("#", false)]
    [TestCase("+/hall", false)]
    [TestCase("private/x", false)]
    [TestCase("garden/#", false)]
    public void A_subscription_is_granted_if_every_topic_it_can_match_is_allowed(string filter, bool allowed) =>
        Assert.That(BrokerAccess.Parse(Text, "test").MaySubscribe("bob", filter), Is.EqualTo(allowed));

    [Test]
    public void Wrong_lines_are_all_named_and_show_no_password()
    {
        var exception = Assert.Throws<InputException>(() =>
            BrokerAccess.Parse(
                "user alice\nuser bob hunter2 x\nallow * read a\nallow * both a#\nuser a x\nuser a y",
                "rules.txt"
            )
        )!;
        Assert.That(exception.Message.Split('\n'), Has.Length.EqualTo(5).And.All.StartsWith("rules.txt, line "));
        Assert.That(
            exception.Message,
            Does.Contain("line 4: 'a#' is not a topic filter")
                .And.Contain("line 6: user 'a' is there twice")
                .And.Not.Contain("hunter2")
        );
    }

    [Test]
    public void Covering_and_overlapping_filters_agree_with_matching()
    {
        // Every filter and topic of up to three levels over a small alphabet: coverage and overlap by enumeration of
        // the topics.
        var topics = Words(["a", "b", "$x", ""], 4);
        var filters = Words(["a", "+", "$x"], 3).SelectMany(f => new[] { f, f + "/#" }).Append("#").ToArray();
        foreach (var outer in filters)
        foreach (var inner in filters)
        {
            var innerTopics = topics.Where(t => TopicFilter.Matches(inner, t)).ToArray();
            Assert.That(
                FilterRelations.Overlap(outer, inner),
                Is.EqualTo(innerTopics.Any(t => TopicFilter.Matches(outer, t))),
                $"{outer} overlaps {inner}"
            );
            Assert.That(
                FilterRelations.Covers(outer, inner),
                Is.EqualTo(innerTopics.All(t => TopicFilter.Matches(outer, t))),
                $"{outer} covers {inner}"
            );
        }
    }

    private static string[] Words(string[] alphabet, int maximum)
    {
        var words = new List<string>(alphabet);
        var last = alphabet;
        for (var length = 2; length <= maximum; length++)
            words.AddRange(last = [.. last.SelectMany(word => alphabet.Select(level => word + "/" + level))]);
        return [.. words.Where(word => word.Length > 0)];
    }
}
