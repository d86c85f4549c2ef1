using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.Clusters.Tests.Monitors;

[TestFixture]
internal sealed class InterestMonitorTests
{
    private const long Second = 1_000_000_000;

    // The tree is a - b - c. A client of c wants t from 1 s to 30 s; a publishes at 20 s and later.
    [TestCase(25, 0, 1, 0, TestName = "Towards the subscriber")]
    [TestCase(25, 1, 2, 0, TestName = "To the subscriber's node")]
    [TestCase(25, 1, 0, 1, TestName = "Away from it")]
    [TestCase(30.5, 0, 1, 0, TestName = "Just after the interest ended")]
    [TestCase(32, 0, 1, 1, TestName = "Long after it ended")]
    public void A_link_of_a_single_overlay_leads_to_somebody_who_wants_the_topic(
        double seconds,
        int from,
        int to,
        int violations
    )
    {
        var monitor = Monitor(ClusterSystem.SingleOverlay, Event(seconds, ClusterEventKind.Sent, from, to, message: 2));
        Assert.That(monitor.ViolationCount, Is.EqualTo(violations));
    }

    [TestCase(1, 1, TestName = "A node that neither wants nor publishes it")]
    [TestCase(2, 0, TestName = "A subscriber's node")]
    [TestCase(0, 0, TestName = "A publisher's node")]
    public void A_link_of_a_topics_overlay_leads_to_a_member(int to, int violations)
    {
        var monitor = Monitor(
            ClusterSystem.TopicOverlay,
            Event(25, ClusterEventKind.Sent, to == 0 ? 2 : 0, to, message: 2)
        );
        Assert.That(monitor.ViolationCount, Is.EqualTo(violations));
        if (violations > 0)
            Assert.That(monitor.Violations[0].What, Is.EqualTo("n1 sends a message on t to n2, where nobody wants it"));
    }

    [Test]
    public void The_first_publication_goes_everywhere_and_a_fault_excuses_all_for_some_time()
    {
        var monitor = Monitor(
            ClusterSystem.SingleOverlay,
            Event(20, ClusterEventKind.Sent, 1, 0, message: 1),
            Event(40, ClusterEventKind.FaultBegan, 2) with
            {
                Fault = FaultKind.Freeze,
            },
            Event(44, ClusterEventKind.Sent, 1, 0, message: 2)
        );
        Assert.That(monitor.ViolationCount, Is.Zero);
        monitor.Add(Event(46, ClusterEventKind.Sent, 1, 0, message: 2));
        Assert.That(monitor.ViolationCount, Is.EqualTo(1));
    }

    [Test]
    public void The_root_of_a_topic_changes_only_with_its_members()
    {
        var monitor = Add(
            new TopicRootMonitor(["n1", "n2", "n3"]),
            Event(1, ClusterEventKind.TopicMembersChanged, 0),
            Event(2, ClusterEventKind.TopicRootChanged, 0, 1),
            Event(3, ClusterEventKind.TopicMembersChanged, 0),
            Event(4, ClusterEventKind.TopicRootChanged, 0, 2),
            Event(5, ClusterEventKind.TopicRootChanged, 0, 2)
        );
        Assert.That(monitor.ViolationCount, Is.Zero);
        Add(
            monitor,
            Event(5.5, ClusterEventKind.TopicMembersChanged, 1),
            Event(5.6, ClusterEventKind.TopicRootChanged, 0, 0),
            Event(5.7, ClusterEventKind.TopicMembersChanged, 2),
            Event(5.8, ClusterEventKind.TopicRootChanged, 0, 2)
        );
        Assert.That(monitor.ViolationCount, Is.Zero, "another node has seen a member come or go");
        monitor.Add(Event(6, ClusterEventKind.TopicRootChanged, 0, 1));
        Assert.That(
            monitor.Violations.Single().What,
            Is.EqualTo("n1 takes n2 for the root of t instead of n3, and the members are the same")
        );
    }

    [Test]
    public void A_fault_and_its_end_excuse_one_change_of_the_root_each()
    {
        var monitor = Add(
            new TopicRootMonitor(["n1", "n2", "n3"]),
            Event(1, ClusterEventKind.TopicMembersChanged, 0),
            Event(2, ClusterEventKind.TopicRootChanged, 0, 1),
            Event(3, ClusterEventKind.FaultBegan, 1),
            Event(4, ClusterEventKind.TopicRootChanged, 0, 2),
            Event(5, ClusterEventKind.FaultEnded, 1),
            Event(6, ClusterEventKind.TopicRootChanged, 0, 1)
        );
        Assert.That(monitor.ViolationCount, Is.Zero);
        monitor.Add(Event(7, ClusterEventKind.TopicRootChanged, 0, 2));
        Assert.That(monitor.ViolationCount, Is.EqualTo(1));
    }

    // A monitor that has seen the interest come and go, and then these events.
    private static InterestMonitor Monitor(ClusterSystem system, params ClusterEvent[] events) =>
        Add(
            new InterestMonitor(TopologyFile.Read("mesh:3", system), 5 * Second),
            [
                Event(0, ClusterEventKind.ParentChanged, 1, 0),
                Event(0, ClusterEventKind.ParentChanged, 2, 1),
                Event(1, ClusterEventKind.Subscribed, 2, client: 7),
                Event(20, ClusterEventKind.Published, 0, client: 1, message: 1),
                Event(22, ClusterEventKind.Published, 0, client: 1, message: 2),
                Event(30, ClusterEventKind.Unsubscribed, 2, client: 7),
                .. events,
            ]
        );

    private static TMonitor Add<TMonitor>(TMonitor monitor, params ClusterEvent[] events)
        where TMonitor : ClusterMonitor
    {
        foreach (var clusterEvent in events)
            monitor.Add(clusterEvent);
        return monitor;
    }

    private static ClusterEvent Event(
        double seconds,
        ClusterEventKind kind,
        int node,
        int peer = -1,
        int client = -1,
        long message = -1
    ) =>
        new()
        {
            Nanoseconds = (long)(seconds * Second),
            Kind = kind,
            Node = node,
            Peer = peer,
            Client = client,
            Message = message,
            Topic = "t",
        };
}
