using MqttCheck.Clusters.Generation;
using MqttCheck.Clusters.Interest;
using MqttCheck.Clusters.SpanningTree;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.Clusters.Tests.Generation;

/// <summary>Random subscriptions, publications, joins and faults on the nodes of overlays.</summary>
[TestFixture]
internal sealed class OverlayCheckTests
{
    [TestCase(ClusterSystem.SingleOverlay, "mesh:5", RootRule.Capacity)]
    [TestCase(ClusterSystem.SingleOverlay, "ring:6", RootRule.Capacity)]
    [TestCase(ClusterSystem.SingleOverlay, "line:3", RootRule.Capacity)]
    [TestCase(ClusterSystem.TopicOverlay, "mesh:5", RootRule.Capacity)]
    [TestCase(ClusterSystem.TopicOverlay, "mesh:5", RootRule.Balance)]
    public void Overlays_lose_no_settled_message_and_send_only_where_somebody_wants_it(
        ClusterSystem system,
        string family,
        RootRule root
    )
    {
        var check = new ClusterCheck(Of(system, family) with { Overlay = new OverlaySettings { Root = root } }, 2);
        for (var i = 0; i < 120; i++)
            if (check.Next() is { } finding)
                Assert.Fail($"{finding.Number}: {finding.Violation}\n{finding.Shrunk} seed {finding.Seed}");
    }

    [TestCase(OverlayMutant.NoUnsubscribe, ClusterSystem.SingleOverlay, "interest")]
    [TestCase(OverlayMutant.TablesKept, ClusterSystem.SingleOverlay, null)]
    [TestCase(OverlayMutant.ChangesNotFlooded, ClusterSystem.SingleOverlay, "lost message")]
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

    [Test]
    public void A_bare_advertisement_owes_the_first_publication_to_nobody()
    {
        var topology = Of(ClusterSystem.SingleOverlay, "mesh:5");
        var tested = CaseText.Parse("n1 subscribe t/1 qos=1 at 1s; n2 publish t/1 qos=1 at 40s", topology, "test");
        var bare = topology with { Overlay = new OverlaySettings { Advertisement = AdvertisementMode.Bare } };
        Assert.That(CaseRun.Judge(topology, tested, 1), Is.Empty);
        Assert.That(CaseRun.Judge(bare, tested, 1), Is.Empty);
    }

    private static Topology Of(ClusterSystem system, string family) =>
        ClusterCheck.WithUsualDelays(TopologyFile.Read(family, system));
}
