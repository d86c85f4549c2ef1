using MqttCheck.Clusters.Mosquitto;

namespace MqttCheck.Clusters.Tests.Mosquitto.Linting;

// A bridge of Mosquitto 2.0.11 whose far end was away for a second showed what is kept.
[TestFixture]
internal sealed class LossFindingsTests : Lint
{
    [TestCase("cleansession true", "a.conf:6: while the link is away, a keeps nothing for this bridge")]
    [TestCase("cleansession false\nlocal_cleansession true", "a.conf:7: while the link is away, a keeps nothing")]
    [TestCase(
        "cleansession true\nlocal_cleansession false",
        "a.conf:5: while the link is away, a keeps the first 1000"
    )]
    [TestCase(
        "cleansession false",
        "a.conf:5: while the link is away, a keeps the first 1000 messages for this bridge"
    )]
    public void A_clean_session_at_the_end_that_sends_keeps_nothing(string settings, string remark) =>
        Assert.That(
            Remarks(ConfRule.LostWhenAway, A("topic x/# out 1", settings), B()),
            Has.One.StartsWith(remark).And.None.Contains("b keeps")
        );

    [Test]
    public void A_clean_session_at_the_far_end_keeps_nothing_of_what_is_fetched() =>
        Assert.That(
            Remarks(ConfRule.LostWhenAway, A("topic x/# in 1", "cleansession true"), B()),
            Has.One.StartsWith("a.conf:6: while the link is away, b keeps nothing").And.None.Contains("a keeps")
        );

    [Test]
    public void Messages_of_QoS_0_are_kept_only_where_the_broker_is_told_so()
    {
        Assert.That(
            Remarks(ConfRule.LostWhenAway, A("topic x/# out 0", "topic y/# out"), B()),
            Has.One.EqualTo(
                "a.conf:5: while the link is away, a keeps no messages of QoS 0 (also a.conf:6) | "
                    + "'topic x/# out 1', or 'queue_qos0_messages true' in a.conf"
            )
        );
        var keeping = A("topic x/# out 0").Replace("persistence true", "queue_qos0_messages true");
        Assert.That(Remarks(ConfRule.LostWhenAway, keeping, B()), Has.None.Contains("QoS 0"));
        Assert.That(Remarks(ConfRule.LostWhenAway, A("topic x/# in 0"), B()), Has.One.Contains("b keeps no messages"));
        Assert.That(
            Remarks(ConfRule.LostWhenAway, A("topic x/# in 0"), B("queue_qos0_messages true")),
            Has.None.Contains("QoS 0")
        );
    }

    [Test]
    public void The_limit_of_the_queue_is_told_with_its_number_and_its_line()
    {
        Assert.That(
            Remarks(ConfRule.LostWhenAway, A("topic x/# in 1"), B("max_queued_messages 3")),
            Has.One.StartsWith("b.conf:3: while the link is away, b keeps the first 3 messages")
        );
        Assert.That(
            Remarks(ConfRule.LostWhenAway, A("topic x/# in 1"), B("max_queued_messages 0")),
            Has.None.Contains("first")
        );
    }

    [TestCase("persistence true", "a.conf:2: when a crashes, what it kept in the last 1800 seconds is lost")]
    [TestCase("persistence true\nautosave_interval 5", "a.conf:3: when a crashes, what it kept in the last 5 seconds")]
    [TestCase("persistence true\nautosave_interval 0", "a.conf:3: when a crashes, all that it keeps since its start")]
    [TestCase(
        "persistence true\nautosave_interval 9\nautosave_on_changes true",
        "a.conf:3: when a crashes, what it kept in the last 9 changes"
    )]
    [TestCase("persistence false", "a.conf:2: when a stops, what it keeps for bridges and clients is lost")]
    public void A_broker_loses_at_its_end_what_it_has_not_saved(string settings, string remark) =>
        Assert.That(
            Remarks(ConfRule.LostWhenAway, A("topic x/# out 1").Replace("persistence true", settings), B()),
            Has.One.StartsWith(remark)
        );

    [Test]
    public void A_broker_without_bridges_is_nobody_whose_messages_are_lost() =>
        Assert.That(Remarks(ConfRule.LostWhenAway, "listener 1883\n", B()), Is.Empty);

    [TestCase("once", true)]
    [TestCase("automatic", false)]
    public void A_bridge_that_starts_once_is_not_opened_again(string type, bool isTold) =>
        Assert.That(
            Remarks(ConfRule.LostWhenAway, A("topic x/# out 1", $"start_type {type}"), B()),
            isTold ? Has.One.StartsWith("a.conf:6: after its first failure") : Has.None.Contains("first failure")
        );
}
