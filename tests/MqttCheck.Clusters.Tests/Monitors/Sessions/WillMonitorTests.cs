using MqttCheck.Clusters.Monitors.Sessions;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Sessions;

namespace MqttCheck.Clusters.Tests.Monitors.Sessions;

/// <summary>Planted histories of wills for client 1, which has subscribed at the beginning.</summary>
[TestFixture]
internal sealed class WillMonitorTests
{
    [Test]
    public void A_will_that_came_once_and_one_that_was_discarded_violate_nothing_and_are_counted()
    {
        var monitor = Judge(Heir().WillOwed(2000, 1, "t").Delivered(2100, 1, 1).WillDiscarded(3000, 2, "t"));
        Assert.That(monitor.Violations, Is.Empty);
        Assert.That(
            monitor.Remarks.Single().What,
            Is.EqualTo(
                "a will reaches the subscribers of every node: 1 of 1 wills of broken connections came, and 0 of 1 of "
                    + "orderly ones"
            )
        );
    }

    // Section 4.3: at most once, at least once, exactly once.
    [TestCase(0, 0, null)]
    [TestCase(0, 2, "came 2 times to client 1")]
    [TestCase(1, 0, "never came to client 1")]
    [TestCase(1, 2, null)]
    [TestCase(2, 0, "never came to client 1")]
    [TestCase(2, 2, "came 2 times to client 1")]
    public void A_will_comes_as_often_as_its_quality_of_service_allows(int qos, int times, string? problem)
    {
        var tape = Heir().WillDiscarded(1500, 7, "t").WillOwed(2000, 1, "t", qos: qos);
        for (var time = 0; time < times; time++)
            tape.Delivered(2100 + time, 1, 1);
        Assert.That(
            Judge(tape).Violations.Select(violation => violation.What),
            Is.EqualTo(problem is null ? [] : (string[])[$"will #2 of client 9, of QoS {qos}, {problem}"])
        );
    }

    [Test]
    public void A_will_that_came_after_a_disconnect_is_violated_even_near_a_fault() =>
        Assert.That(
            Judge(Heir().Fault(1900, 2100, node: 0).WillDiscarded(2000, 1, "t").Delivered(2100, 1, 1))
                .Violations.Single()
                .What,
            Is.EqualTo("will #1 of client 9, of QoS 1, came, although it had disconnected in order")
        );

    [Test]
    public void Nothing_is_owed_near_a_fault_to_a_subscriber_that_left_or_by_other_brokers()
    {
        Assert.That(Judge(Heir().Fault(1500, 1700, node: 0).WillOwed(2000, 1, "t")).Violations, Is.Empty);
        Assert.That(Judge(Heir().Disconnected(2500, 1, 1).WillOwed(2000, 1, "t")).Violations, Is.Empty);
        Assert.That(Judge(Heir().WillOwed(2000, 1, "t"), ClusterSystem.MosquittoBridge).Violations, Is.Empty);
    }

    [Test]
    public void Messages_of_other_clients_are_no_wills() =>
        Assert.That(Judge(Heir().Published(2000, 1, "t").Published(2100, 2, "t")).Violations, Is.Empty);

    private static EventTape Heir() => new EventTape().Subscribed(0, 1, "t", node: 1);

    private static WillMonitor Judge(EventTape tape, ClusterSystem system = ClusterSystem.SpanningTree) =>
        tape.PlayOfSessions(new WillMonitor(1000 * EventTape.Millisecond, SystemPromises.Of(system)));
}
