using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;

namespace MqttCheck.Clusters.Tests.Monitors;

[TestFixture]
internal sealed class TransportMonitorTests
{
    [Test]
    public void Once_and_in_order_of_each_peer_is_right() =>
        Assert.That(Play([Out(1), Out(2), Out(3, to: 2), In(3, at: 2), In(1), Acknowledged(1), In(2)]), Is.Empty);

    [Test]
    public void A_later_one_first_is_a_violation() =>
        Assert.That(
            Play([Out(1), Out(2), In(2)]),
            Is.EqualTo(new[] { "message 2 of a went upward at b, where 1 was next" })
        );

    [Test]
    public void A_repeat_is_a_violation() =>
        Assert.That(Play([Out(1), In(1), In(1)]), Is.EqualTo(new[] { "message 1 of a went upward at b again" }));

    [Test]
    public void An_acknowledgement_without_a_delivery_is_a_violation() =>
        Assert.That(
            Play([Out(1), Out(2), Acknowledged(2), In(1)]),
            Is.EqualTo(new[] { "message 2 was acknowledged and never went upward" })
        );

    [Test]
    public void A_queue_beyond_its_bound_is_a_violation()
    {
        Assert.That(Play([Queue(10)]), Is.Empty);
        Assert.That(Play([Queue(11)]), Is.EqualTo(new[] { "11 messages waited at b, and 10 is the bound" }));
    }

    [Test]
    public void A_node_that_takes_new_messages_for_an_overloaded_peer_is_a_violation()
    {
        ClusterEvent[] held = [Sent(1), Heard(7), Sent(2), Sent(3)];
        Assert.That(Play(held), Is.Empty, "both may have been in its send queue");
        Assert.That(Play([.. held, Sent(3), Sent(1)]), Is.Empty, "these are sent again");
        Assert.That(Play([.. held, Heard(6), Sent(4), Heard(7), Sent(5)]), Is.Empty, "it has heard otherwise");
        Assert.That(
            Play([.. held, Heard(8), Sent(1, to: 2), Sent(4)]),
            Is.EqualTo(
                new[] { "a sent 3 new messages after it had heard that more than 6 wait at b, and 2 is the bound" }
            )
        );
    }

    [Test]
    public void A_send_queue_beyond_its_bound_is_a_violation()
    {
        Assert.That(Play([SendQueue(2)]), Is.Empty);
        Assert.That(
            Play([SendQueue(3)]),
            Is.EqualTo(new[] { "3 messages waited to be sent at b, and 2 is the bound" })
        );
    }

    [Test]
    public void A_gap_before_what_went_upward_was_asked_for()
    {
        ClusterEvent[] gap = [Out(1), Out(2), Out(3), Arrived(1), In(1), Arrived(3)];
        ClusterEvent[] repaired = [Arrived(2), In(2), In(3)];
        Assert.That(Play([.. gap, Asked(2, 2), .. repaired], receiveQueue: long.MaxValue), Is.Empty);
        Assert.That(Play([.. gap], receiveQueue: long.MaxValue), Is.Empty, "it may wait yet");
        Assert.That(Play([.. gap, .. repaired]), Is.Empty, "a queue with a bound may have dropped number 3");
        Assert.That(
            Play([.. gap, Asked(2, 1), .. repaired], receiveQueue: long.MaxValue),
            Is.EqualTo(
                new[] { "b got number 3 of a at 0 s, and did not ask for all that was missing from number 2 on" }
            )
        );
    }

    private static ClusterEvent Arrived(long sequence) => Of(ClusterEventKind.Received, 1, 0, sequence);

    private static ClusterEvent Asked(long first, long last) =>
        Of(ClusterEventKind.GapRequested, 1, 0, first) with
        {
            Value = last,
        };

    private static ClusterEvent SendQueue(long length) =>
        Of(ClusterEventKind.SendQueueLength, 1, -1, -1) with
        {
            Value = length,
        };

    private static IEnumerable<string> Play(ClusterEvent[] events, long receiveQueue = 10)
    {
        var monitor = new TransportMonitor(new(receiveQueue, Shed: 6, SendQueue: 2), EventTape.Names);
        foreach (var happened in events)
            monitor.Add(happened);
        monitor.End(100);
        return monitor.Violations.Select(violation => violation.What);
    }

    private static ClusterEvent Out(long message, int to = 1) => Of(ClusterEventKind.Published, 0, to, message);

    private static ClusterEvent In(long message, int at = 1) => Of(ClusterEventKind.Delivered, at, 0, message);

    private static ClusterEvent Acknowledged(long message) => Of(ClusterEventKind.Acknowledged, 0, 1, message);

    private static ClusterEvent Queue(long length) =>
        Of(ClusterEventKind.QueueLength, 1, -1, -1) with
        {
            Value = length,
        };

    private static ClusterEvent Heard(long length) =>
        Of(ClusterEventKind.QueueLength, 0, 1, -1) with
        {
            Value = length,
        };

    private static ClusterEvent Sent(long sequence, int to = 1) => Of(ClusterEventKind.Sent, 0, to, sequence);

    private static ClusterEvent Of(ClusterEventKind kind, int node, int peer, long message) =>
        new()
        {
            Nanoseconds = 1,
            Kind = kind,
            Node = node,
            Peer = peer,
            Message = message,
        };
}
