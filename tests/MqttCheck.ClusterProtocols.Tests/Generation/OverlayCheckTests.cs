using MqttCheck.ClusterProtocols.Generation;
using MqttCheck.ClusterProtocols.Interest;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.ClusterProtocols.Systems;
using MqttCheck.ClusterProtocols.Tests.Simulation;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.ClusterProtocols.Tests.Generation;

/// <summary>Random subscriptions, publications, joins and faults on the nodes of overlays.</summary>
[TestFixture]
internal sealed class OverlayCheckTests
{
    [TestCase(ClusterSystem.SingleOverlay, "mesh:5", RootRule.Capacity)]
    [TestCase(ClusterSystem.SingleOverlay, "ring:6", RootRule.Capacity)]
    [TestCase(ClusterSystem.SingleOverlay, "line:3", RootRule.Capacity)]
    [TestCase(ClusterSystem.TopicOverlay, "mesh:5", RootRule.Capacity)]
    [TestCase(ClusterSystem.TopicOverlay, "mesh:5", RootRule.Balance)]
    [Category("Whole")]
    public void Overlays_lose_no_settled_message_and_send_only_where_somebody_wants_it(
        ClusterSystem system,
        string family,
        RootRule root
    )
    {
        var check = new ClusterCheck(Of(system, family) with { Overlay = new OverlaySettings { Root = root } }, 2);
        for (var i = 0; i < 2000; i++)
            if (check.Next() is { } finding)
                Assert.Fail($"{finding.Number}: {finding.Violation}\n{finding.Shrunk} seed {finding.Seed}");
    }

    [TestCase(OverlayMutant.NoUnsubscribe, ClusterSystem.SingleOverlay, "interest")]
    [TestCase(OverlayMutant.TablesKept, ClusterSystem.SingleOverlay, null)]
    [TestCase(OverlayMutant.ChangesNotFlooded, ClusterSystem.SingleOverlay, "lost message")]
    [TestCase(OverlayMutant.LeavesAtOnce, ClusterSystem.SingleOverlay, "lost message", Category = "Whole")]
    [TestCase(OverlayMutant.LeavesAtOnce, ClusterSystem.TopicOverlay, "lost message", Category = "Whole")]
    [TestCase(OverlayMutant.RootsNotFrozen, ClusterSystem.TopicOverlay, "stable topic root")]
    [TestCase(OverlayMutant.NoMembersVersion, ClusterSystem.TopicOverlay, null)]
    public void A_defect_of_an_overlay_is_found(object mutant, ClusterSystem system, string? invariant)
    {
        var topology = Of(system, "mesh:5") with { Overlay = new OverlaySettings { Root = RootRule.Balance } };
        var check = new ClusterCheck(topology, 3, TreeMutant.None, (OverlayMutant)mutant);
        // More than any of them took with other seeds.
        for (var i = 0; i < 4000; i++)
            if (check.Next() is { } finding && (invariant is null || finding.Violation.Invariant == invariant))
            {
                TestContext.Out.WriteLine(
                    $"{finding.Number}: {finding.Violation}\n{finding.Shrunk} seed {finding.Seed}"
                );
                return;
            }
        Assert.Fail("Nothing found.");
    }

    [TestCase(
        ClusterSystem.TopicOverlay,
        "mesh:5",
        1214510797UL,
        "delay 10ms; without n4; without n3; n2 subscribe t/2 qos=2 at 1s; n1 subscribe t/2 qos=2 at 1s; "
            + "n2 unsubscribe t/2 at 55s; n5 publish t/2 qos=1 at 56s; n2 publish t/2 qos=1 at 61400ms; "
            + "n1 unsubscribe t/2 at 63s",
        TestName = "A member leaves, and one that joins next does not wait for it"
    )]
    [TestCase(
        ClusterSystem.TopicOverlay,
        "mesh:5",
        3733871449UL,
        "delay 10ms; without n2; n4 subscribe # qos=2 at 0s; stop n5 at 26s; n5 publish t/2 qos=2 at 24900ms; "
            + "n1 publish t/2 qos=2 at 27214ms; n3 publish t/2 qos=0 at 28s",
        TestName = "A node that leaves stays on while others join the topic whose messages wait at it"
    )]
    [TestCase(
        ClusterSystem.TopicOverlay,
        "mesh:5",
        1100219104UL,
        "delay 10ms; without n4; without n2; without n1; freeze n3 at 3s for 5s; n3 publish t/2 qos=2 at 4s; "
            + "n5 publish t/2 qos=2 at 50s; n5 publish t/2 qos=0 at 66s",
        TestName = "A frozen publisher's topic lives from the time when its node goes on"
    )]
    [TestCase(
        ClusterSystem.SingleOverlay,
        "ring:6",
        891822305UL,
        "n5 subscribe # qos=2 at 0s; cut n3-n4 at 14500ms; freeze n6 at 3s for 19700ms; n3 publish t/2 qos=0 at 3s; "
            + "n3 publish t/2 qos=0 at 3s; n3 publish t/2 qos=0 at 3s; n4 publish t/2 qos=2 at 4415ms; "
            + "n4 publish t/2 qos=2 at 4424ms; n2 publish t/2 qos=2 at 24s; n4 publish t/2 qos=2 at 63s",
        TestName = "A wish that meets the next advertisement ends with the first one"
    )]
    [TestCase(
        ClusterSystem.SingleOverlay,
        "ring:6",
        288039365UL,
        "kill n5 at 3s for 18s; freeze n1 at 9800ms for 12800ms; n6 publish t/1 qos=1 at 24570ms",
        TestName = "A node that does not know its neighbour yet drops its messages"
    )]
    [TestCase(
        ClusterSystem.TopicOverlay,
        "mesh:5",
        3025950099UL,
        "delay 10ms; without n5; without n3; n2 subscribe # qos=2 at 0s; n4 subscribe t/1 qos=2 at 1s; "
            + "kill n4 at 27s for 6s; freeze n2 at 23s for 19s; n4 publish t/1 qos=0 at 24s; "
            + "n1 publish t/1 qos=2 at 30s",
        TestName = "A node that starts again does not deliver what its earlier process published"
    )]
    public void A_rare_case_holds(ClusterSystem system, string family, ulong seed, string steps)
    {
        var topology = Of(system, family);
        Assert.That(ClusterCheck.Judge(topology, CaseText.Parse(steps, topology, "test"), seed), Is.Empty);
    }

    // The members stay the same: nobody waits for n1's answers as long as it stands still.
    [Test]
    public void A_member_that_stands_still_may_cost_its_topic_two_roots()
    {
        var topology = Of(ClusterSystem.TopicOverlay, "mesh:4") with
        {
            Overlay = new OverlaySettings { Root = RootRule.Balance },
        };
        var tested = CaseText.Parse(
            "delay 10ms; without n2; n4 subscribe # qos=2 at 1s; freeze n1 at 28200ms for 5s; "
                + "n1 publish t/2 qos=2 at 13800ms; n3 publish t/2 qos=2 at 27s",
            topology,
            "test"
        );
        Assert.That(ClusterCheck.Judge(topology, tested, 3970412240), Is.Empty);
    }

    // Its first process got the message from n1. The second knows nothing of that, and n2 sends what it has kept: the
    // promise of QoS 2 holds within a session, and that of the subscriber ended with the process.
    [Test]
    public void A_message_that_another_node_sends_again_to_a_new_process_is_no_repeat()
    {
        var topology = Of(ClusterSystem.TopicOverlay, "mesh:5");
        var tested = CaseText.Parse(
            "delay 10ms; without n5; without n3; n1 subscribe t/1 qos=2 at 0s; n2 subscribe # qos=2 at 0s; "
                + "n4 subscribe t/1 qos=2 at 1s; freeze n2 at 23s for 19s; n1 publish t/1 qos=2 at 24s; "
                + "kill n4 at 27s for 6s; kill n1 at 44s",
            topology,
            "test"
        );
        var log = new EventLog();
        new ClusterSimulator(CaseRun.PlanOf(topology, tested, TreeMutant.None), log).Run(1, 0);
        Assert.That(log.Events.Count(e => e is { Kind: ClusterEventKind.Delivered, Node: 3 }), Is.EqualTo(2));
        Assert.That(ClusterCheck.Judge(topology, tested, 1), Is.Empty);
    }

    [Test]
    public void A_bare_advertisement_owes_the_first_publication_to_nobody()
    {
        var topology = Of(ClusterSystem.SingleOverlay, "mesh:5");
        var tested = CaseText.Parse("n1 subscribe t/1 qos=1 at 1s; n2 publish t/1 qos=1 at 40s", topology, "test");
        var bare = topology with { Overlay = new OverlaySettings { Advertisement = AdvertisementMode.Bare } };
        Assert.That(ClusterCheck.Judge(topology, tested, 1), Is.Empty);
        Assert.That(ClusterCheck.Judge(bare, tested, 1), Is.Empty);
    }

    private static Topology Of(ClusterSystem system, string family) =>
        ClusterCheck.WithUsualDelays(TopologyFile.Read(family, system));
}
