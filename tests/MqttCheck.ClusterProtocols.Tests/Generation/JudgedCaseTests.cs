using MqttCheck.ClusterProtocols.Generation;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.ClusterProtocols.Systems;
using MqttCheck.ClusterProtocols.Tests.Simulation;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.ClusterProtocols.Tests.Generation;

/// <summary>Cases whose bounds were once too tight, and what the steps of cases do.</summary>
[TestFixture]
internal sealed class JudgedCaseTests
{
    private const string FrozenPublisher =
        "delay 10ms; without n4; without n1; root balance; freeze n3 at 0s for 18s; "
        + "n3 publish t/1 qos=2 at 2s; n2 subscribe # qos=2 at 26s; n5 publish t/1 qos=2 at 65s";

    // A link whose cut is over is used again when the next attempt to connect succeeds, up to 2 s later.
    [TestCase(
        "tree-mesh-5",
        1UL,
        "without n3-n5; without n2-n3; without n1-n3; without n4; delay 10ms; cut n1-n2 at 580ms for 1710ms; "
            + "kill n3 at 2080ms for 1710ms",
        TestName = "A path is judged when connections have been made again"
    )]
    [TestCase(
        "tree-mesh-5",
        1UL,
        "delay 10ms; without n5; without n4; without n1; cut n2-n3 at 1s for 1640ms",
        TestName = "A root may change when a connection is made again"
    )]
    [TestCase(
        "tree-mesh-5",
        1UL,
        "without n5; without n4; without n3; delay 10ms; n2 subscribe # qos=2 at 0s; cut n1-n2 at 1720ms for 1700ms; "
            + "n1 publish t/1 qos=2 at 4940ms",
        TestName = "A message is owed when connections have been made again"
    )]
    [TestCase(
        "ring:6",
        2997805046UL,
        "capability n6 3; n2 subscribe # qos=2 at 0s; n3 publish t/1 qos=2 at 20072ms; n3 publish t/1 qos=2 at 20102ms",
        TestName = "A message on a shorter way overtakes an earlier one on the longer way"
    )]
    [TestCase(
        "mesh:5",
        748066920UL,
        "delay 10ms; slow n1-n2 delay=constant:40ms at 6600ms for 17500ms",
        TestName = "A round trip that began before a change of the delay counts for a while"
    )]
    [TestCase(
        "ring:6",
        2542254791UL,
        "delay 10ms; partition n1,n2,n5,n3|n4,n6 at 6s for 12s; slow n1-n6 delay=constant:60ms at 6s",
        TestName = "A round trip through a partition counts for a while"
    )]
    public void A_case_holds(string cluster, ulong seed, string steps) =>
        Assert.That(Judge(cluster, seed, steps), Is.Empty);

    [Test]
    public void The_fittest_node_is_the_root_by_the_capability_of_the_case()
    {
        var topology = TopologyFile.Read("ring:6");
        var tested = CaseText.Parse("capability n4 2; n1 publish t/1 qos=1 at 20s", topology, "test");
        var log = new EventLog();
        new ClusterSimulator(CaseRun.PlanOf(topology, tested, TreeMutant.None), log).Run(1, 0);
        var last = log.Events.Last(e => e is { Kind: ClusterEventKind.RootChanged, Node: 0 });
        Assert.That(last.Peer, Is.EqualTo(3));
    }

    // The first announcement of each node is lost, and the second one comes; without the second nobody would be found.
    [TestCase("900ms", true)]
    [TestCase("30s", false)]
    public void Nodes_are_found_although_one_announcement_is_lost(string lost, bool isFound)
    {
        var steps =
            $"announcements lost at 0s for {lost}; n2 subscribe # qos=2 at 1s; n1 publish t/1 qos=2 at 60s; "
            + "n1 publish t/1 qos=2 at 70s";
        var violations = Judge("mesh:3", 1, steps, ClusterSystem.TopicOverlay);
        Assert.That(violations.Count == 0, Is.EqualTo(isFound), string.Join("\n", violations));
    }

    // It announces itself once, which is lost, and stands still until its discovery is over.
    [Test]
    public void A_node_that_stands_still_through_its_discovery_is_found() =>
        Assert.That(
            Judge(
                "mesh:3",
                1,
                "join n3 at 20s; announcements lost at 19900ms for 300ms; freeze n3 at 20100ms for 5s; "
                    + "n3 subscribe # qos=2 at 1s; n1 publish t/1 qos=2 at 70s; n1 publish t/1 qos=2 at 80s",
                ClusterSystem.TopicOverlay
            ),
            Is.Empty
        );

    // A publication of n3 while it stands still counts there for 60 s from the time when it goes on.
    [Test]
    public void A_topic_of_a_node_that_stood_still_counts_for_its_load() =>
        Assert.That(Judge("mesh:5", 1942834403, FrozenPublisher, ClusterSystem.TopicOverlay), Is.Empty);

    private static IReadOnlyList<ClusterViolation> Judge(
        string cluster,
        ulong seed,
        string steps,
        ClusterSystem system = ClusterSystem.SpanningTree
    )
    {
        var topology = ClusterCheck.WithUsualDelays(TopologyFile.Read(cluster, system));
        return ClusterCheck.Judge(topology, CaseText.Parse(steps, topology, "test"), seed);
    }
}
