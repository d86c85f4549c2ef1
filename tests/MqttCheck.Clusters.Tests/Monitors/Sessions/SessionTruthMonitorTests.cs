using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Monitors.Messages;
using MqttCheck.Clusters.Monitors.Sessions;

namespace MqttCheck.Clusters.Tests.Monitors.Sessions;

[TestFixture]
internal sealed class SessionTruthMonitorTests
{
    [Test]
    public void A_session_that_nobody_made_is_a_violation_also_after_a_fault()
    {
        var tape = new EventTape().Fault(10, 20, node: 0).Invented(100, client: 1, "t");
        Assert.That(
            Judge(tape).Single().What,
            Is.EqualTo("a told reader s-1 at 0.100 s that it had its session (session present 1), and there was none")
        );
    }

    [Test]
    public void A_session_that_is_gone_where_nothing_failed_is_a_violation()
    {
        var tape = new EventTape().Subscribed(0, client: 1, "t").Forgotten(100, client: 1, "t");
        Assert.That(
            Judge(tape).Single().What,
            Is.EqualTo(
                "a told reader s-1 at 0.100 s that it had no session (session present 0), and it was made at a, "
                    + "where nothing failed"
            )
        );
        Assert.That(Judge(tape.Fault(50, 60, node: 1)), Is.Empty, "the node may have lost it by a fault");
    }

    [TestCase(true, 1)]
    [TestCase(false, 0)]
    public void A_session_follows_its_client_to_another_node_where_that_is_promised(bool isShared, int violations)
    {
        var tape = new EventTape().Subscribed(0, client: 1, "t").Forgotten(100, client: 1, "t", node: 1);
        Assert.That(Judge(tape, isShared), Has.Count.EqualTo(violations));
    }

    [Test]
    public void The_node_of_the_last_connection_counts()
    {
        var tape = new EventTape().Subscribed(0, client: 1, "t").Connected(50, client: 1, node: 1);
        Assert.That(Judge(tape.Forgotten(100, client: 1, "t")), Is.Empty);
        tape.Events[^1] = tape.Events[^1] with { Node = 1 };
        Assert.That(Judge(tape), Has.Count.EqualTo(1));
    }

    private static IReadOnlyList<ClusterViolation> Judge(EventTape tape, bool isShared = false) =>
        tape.Play(new SessionTruthMonitor(new MessageBook(EventTape.Names, new(["p"], ["s"]), 0), isShared)).Violations;
}
