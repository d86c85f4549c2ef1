using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.Clusters.Tests.Monitors;

[TestFixture]
internal sealed class ConvergenceMonitorTests
{
    private const string Topic = "t";

    private static readonly Topology s_mesh = TopologyFile.Read("mesh:4", ClusterSystem.SpanningTree);

    [Test]
    public void A_cluster_that_tells_of_no_tree_has_no_convergence() => Assert.That(Measure([Kill(1_000, 3)]), Is.Null);

    [Test]
    public void A_tree_that_stands_without_the_dead_node_has_converged_at_once() =>
        Assert.That(Measure([.. Tree(0), Kill(1_000, 3)]), Is.Zero);

    // The root dies at 1 s; the last of the others follows the new one at 1.5 s.
    [Test]
    public void A_dead_root_is_replaced_when_the_last_node_follows_the_new_one() =>
        Assert.That(Measure([.. Tree(0), Kill(1_000, 0), .. Tree(1, 1_300, 2), .. Tree(1, 1_500, 3)]), Is.EqualTo(500));

    // Nodes find better parents for ever if delays vary.
    [Test]
    public void A_better_parent_long_after_a_fault_is_no_disagreement() =>
        Assert.That(
            Measure([
                .. Tree(0),
                Kill(1_000, 0),
                .. Tree(1, 1_300, 2),
                .. Tree(1, 1_500, 3),
                Of(9_000, ClusterEventKind.ParentChanged, 3, 2),
                Of(9_500, ClusterEventKind.ParentChanged, 3, 1),
            ]),
            Is.EqualTo(500)
        );

    [Test]
    public void An_agreement_that_does_not_last_two_seconds_is_none() =>
        Assert.That(
            Measure([
                .. Tree(0),
                Kill(1_000, 0),
                .. Tree(1, 1_300, 2),
                .. Tree(1, 1_300, 3),
                Of(2_000, ClusterEventKind.RootChanged, 3, 3),
                Of(2_700, ClusterEventKind.RootChanged, 3, 1),
            ]),
            Is.EqualTo(1_700)
        );

    [Test]
    public void Parents_that_form_a_loop_do_not_converge() =>
        Assert.That(
            Measure([
                .. Tree(0),
                Kill(1_000, 0),
                .. Tree(1, 1_300, 2),
                .. Tree(1, 1_300, 3),
                Of(1_400, ClusterEventKind.ParentChanged, 2, 3),
                Of(1_400, ClusterEventKind.ParentChanged, 3, 2),
            ]),
            Is.EqualTo(double.PositiveInfinity)
        );

    [Test]
    public void A_node_that_comes_back_has_to_join_the_tree() =>
        Assert.That(
            Measure([.. Tree(0), Kill(1_000, 3), Kill(4_000, 3, begins: false), .. Tree(0, 4_250, 3)]),
            Is.EqualTo(250)
        );

    [Test]
    public void The_members_of_a_topic_converge_on_a_tree_of_their_own()
    {
        ClusterEvent[] formed = [.. Members(500, 0, 1, 2), .. TopicRoot(600, 1, 0), .. TopicRoot(600, 2, 0)];
        Assert.That(Measure([.. formed, Kill(1_000, 3)]), Is.Zero, "no member died");
        Assert.That(
            Measure([.. formed, Kill(1_000, 0), .. Members(1_800, 1, 2), .. TopicRoot(2_100, 2, 1)]),
            Is.EqualTo(1_100)
        );
        Assert.That(Measure([.. formed, Kill(1_000, 0)]), Is.EqualTo(double.PositiveInfinity));
        var left = TopicEvent(1_200, ClusterEventKind.TopicMembersChanged, 2, 2) with { Value = 0 };
        Assert.That(
            Measure([.. formed, Kill(1_000, 0), left, .. Members(1_800, 1)]),
            Is.EqualTo(800),
            "who has left need not agree"
        );
    }

    private static double? Measure(ClusterEvent[] events)
    {
        var monitor = new ConvergenceMonitor(s_mesh);
        foreach (var happened in events)
            monitor.Add(happened);
        return monitor.Nanoseconds(10_000 * EventTape.Millisecond) / EventTape.Millisecond;
    }

    // The nodes, or one of them, take a root for their parent, too.
    private static IEnumerable<ClusterEvent> Tree(int root, long at = 100, int? only = null) =>
        (only is { } one ? (int[])[root, one] : [0, 1, 2, 3]).SelectMany(node =>
            (ClusterEvent[])
                [
                    Of(at, ClusterEventKind.RootChanged, node, root),
                    Of(at, ClusterEventKind.ParentChanged, node, node == root ? -1 : root),
                ]
        );

    private static IEnumerable<ClusterEvent> Members(long at, params int[] nodes) =>
        nodes.Select(node => TopicEvent(at, ClusterEventKind.TopicMembersChanged, node, node) with { Value = at });

    private static IEnumerable<ClusterEvent> TopicRoot(long at, int node, int root) =>
        [
            TopicEvent(at, ClusterEventKind.TopicRootChanged, node, root),
            TopicEvent(at, ClusterEventKind.TopicParentChanged, node, root),
        ];

    private static ClusterEvent TopicEvent(long at, ClusterEventKind kind, int node, int peer) =>
        Of(at, kind, node, peer) with
        {
            Topic = Topic,
        };

    private static ClusterEvent Kill(long at, int node, bool begins = true) =>
        Of(at, begins ? ClusterEventKind.FaultBegan : ClusterEventKind.FaultEnded, node, -1) with
        {
            Fault = FaultKind.Kill,
        };

    private static ClusterEvent Of(long at, ClusterEventKind kind, int node, int peer) =>
        new()
        {
            Nanoseconds = at * EventTape.Millisecond,
            Kind = kind,
            Node = node,
            Peer = peer,
        };
}
