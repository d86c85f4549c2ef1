using MqttCheck.Clusters.Mosquitto;

namespace MqttCheck.Clusters.Tests.Mosquitto.Linting;

[TestFixture]
internal sealed class LineFindingsTests : Lint
{
    // Mosquitto 2.0.11 sends SUBSCRIBE a/# and then UNSUBSCRIBE a/#; nothing of b arrives at a.
    [Test]
    public void A_line_that_only_sends_ends_an_earlier_one_that_fetches_the_same()
    {
        Assert.That(
            Remarks(ConfRule.DeadTopic, A("topic a/# in 1", "topic a/# out 1"), B()),
            Is.EqualTo([
                "a.conf:5: a.conf:6 unsubscribes from 'a/#' again, so this line fetches nothing | "
                    + "one line 'topic a/# both 1', or 'bridge_attempt_unsubscribe false'",
            ])
        );
        Assert.That(Remarks(ConfRule.DeadTopic, A("topic a/# out 1", "topic a/# in 1"), B()), Is.Empty);
        Assert.That(Remarks(ConfRule.DeadTopic, A("topic a/# in 1", "topic a/+ out 1"), B()), Is.Empty);
        Assert.That(
            Remarks(
                ConfRule.DeadTopic,
                A("topic a/# in 1", "topic a/# out 1", "bridge_attempt_unsubscribe false"),
                B()
            ),
            Is.Empty
        );
    }

    [TestCase("s/# out 1 \"\" site1/", "s/# out 1", true)]
    [TestCase("s/# out 1", "s/# out 1 site1/ site1/", true)]
    [TestCase("s/# out 1 \"\" site1/", "site1/# out 1", false)]
    [TestCase("s/# out 1 \"\" site1/", "# out 1", false)]
    [TestCase("# out 1 \"\" site1/", "cmd/# out 1", false)]
    [TestCase("s/# out 1", "t/# out 1", false)]
    public void A_line_that_misses_what_comes_by_a_prefix_forwards_nothing_of_it(string one, string next, bool isDead)
    {
        var remarks = Remarks(
            ConfRule.DeadTopic,
            A("topic " + one),
            B("connection on", "address 127.0.0.1:1885", "topic " + next),
            "listener 1885\n"
        );
        Assert.That(remarks, isDead ? Has.One.StartsWith("b.conf:5: takes") : Is.Empty);
    }

    // Mosquitto 2.0.11: of "a/# out 1" and "a/b out 0" the second one gives the only copy of a/b, with QoS 0.
    [Test]
    public void Overlapping_lines_forward_once_with_the_quality_of_service_of_the_first_in_the_tree()
    {
        Assert.That(
            Remarks(ConfRule.OverlappingLines, A("topic a/# out 1", "topic a/b out 0"), B()),
            Is.EqualTo([
                "a.conf:6: a.conf:5 takes 'a/b' too, and each message is forwarded once: with QoS 0 | "
                    + "the same QoS in both lines, or filters that do not overlap",
            ])
        );
        Assert.That(
            Remarks(ConfRule.OverlappingLines, A("topic # out 1 \"\" p/", "topic b/# out 1 a/ q/"), B()),
            Has.One.Contains("takes 'a/b/#' too").And.Contain("as 'p/a/b/#' only")
        );
        Assert.That(
            Remarks(ConfRule.OverlappingLines, A("topic a/# out 1 \"\" p/", "topic a/b out 1 \"\" q/"), B()),
            Has.One.Contains("with QoS 1, as 'p/a/b' only")
        );
    }

    [TestCase("a/# out 1", "b/# out 0")]
    [TestCase("a/# out 1", "a/# in 0")]
    [TestCase("a/+/x out 1", "a/b/+ out 1")]
    public void Lines_for_other_topics_or_another_direction_or_alike_do_not_overlap(string one, string other) =>
        Assert.That(Remarks(ConfRule.OverlappingLines, A("topic " + one, "topic " + other), B()), Is.Empty);

    [TestCase("a/# out 1", "a/b out 1", 6)]
    [TestCase("a/b out 1", "a/# both 1", 5)]
    [TestCase("a/# both 1", "a/# both 1", 6)]
    [TestCase("a/# out 1", "a/b both 1", 0)]
    [TestCase("a/b out 1", "a/# in 1", 0)]
    public void A_line_within_another_one_has_no_effect(string one, string other, int line)
    {
        var remarks = Remarks(ConfRule.NoEffect, A("topic " + one, "topic " + other), B());
        Assert.That(
            remarks,
            line == 0 ? Is.Empty : Has.One.StartsWith($"a.conf:{line}: a.conf:{11 - line} forwards all topics")
        );
    }
}
