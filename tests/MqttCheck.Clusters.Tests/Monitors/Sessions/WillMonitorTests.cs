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

    [TestCase(0)]
    [TestCase(2)]
    public void A_will_that_came_never_or_twice_is_violated(int times)
    {
        var tape = Heir().WillOwed(2000, 1, "t");
        for (var time = 0; time < times; time++)
            tape.Delivered(2100 + time, 1, 1);
        Assert.That(
            Judge(tape).Violations.Single().What,
            Is.EqualTo($"the connection of client 9 broke, and its will 1 came {times} times to client 1")
        );
    }

    [Test]
    public void A_will_that_came_after_a_disconnect_is_violated_even_near_a_fault() =>
        Assert.That(
            Judge(Heir().Fault(1900, 2100, node: 0).WillDiscarded(2000, 1, "t").Delivered(2100, 1, 1))
                .Violations.Single()
                .What,
            Is.EqualTo("client 9 disconnected in order, and its will 1 came nevertheless")
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
