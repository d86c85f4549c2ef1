using MqttCheck.ClusterProtocols.Generation;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.ClusterProtocols.Systems;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Tests.Generation;

[TestFixture]
internal sealed class ClusterCheckTests
{
    // More cases than any of these findings took with ten other seeds, so that a slow machine finds them too.
    private const int MostCases = 4000;

    [TestCase("mesh:5", TreeRules.Silent)]
    [TestCase("ring:6", TreeRules.Paper)]
    public void A_root_that_is_dead_and_still_named_is_found_and_shrunk(string family, TreeRules rules)
    {
        var topology = Of(family) with { Rules = rules };
        var finding = First(new ClusterCheck(topology, 1), MostCases, "root agreement");
        Report(finding);
        Assert.Multiple(() =>
        {
            Assert.That(finding.Violation.What, Does.Contain("for the root, which"));
            Assert.That(finding.Shrunk.OperationCount, Is.LessThanOrEqualTo(4));
            var read = CaseText.Parse(finding.Shrunk.ToString(), topology, "test");
            Assert.That(ClusterCheck.Judge(topology, read, finding.Seed), Does.Contain(finding.Violation));
        });
    }

    [Test]
    public void Without_identities_a_message_that_comes_twice_while_the_tree_changes_is_found()
    {
        var topology = Of("mesh:5") with { HasIds = false };
        var finding = First(new ClusterCheck(topology, 1), MostCases, "repeated message");
        Report(finding);
        Assert.Multiple(() =>
        {
            Assert.That(finding.Violation.What, Does.Contain("QoS 2").And.Contain("twice"));
            Assert.That(finding.Shrunk.OperationCount, Is.LessThan(finding.Found.OperationCount));
        });
    }

    [TestCase("mesh:5")]
    [TestCase("ring:6")]
    [TestCase("star:4")]
    [TestCase("line:3")]
    [TestCase("tree:2x3")]
    [TestCase("grid:3x3")]
    public void The_safe_rules_keep_what_they_promise(string family)
    {
        var check = new ClusterCheck(Of(family), 2);
        for (var i = 0; i < 300; i++)
            Assert.That(check.Next()?.ToString(), Is.Null);
    }

    [TestCase(TreeMutant.ForwardsToIngress, "mesh:5")]
    [TestCase(TreeMutant.AcceptsFromBlocked, "mesh:5")]
    [TestCase(TreeMutant.NoAge, "mesh:5")]
    [TestCase(TreeMutant.EpochNotAdopted, "mesh:5")]
    [TestCase(TreeMutant.IdsNotRemembered, "mesh:5")]
    public void A_defect_of_the_core_is_found(object mutant, string family)
    {
        var finding = First(new ClusterCheck(Of(family), 3, (TreeMutant)mutant), MostCases, null);
        Report(finding);
    }

    // Random connected graphs with random faults.
    [TestCase(100, Category = "Whole")]
    [TestCase(400, Explicit = true)]
    public void The_safe_rules_end_in_the_right_tree_on_random_graphs(int graphs)
    {
        const int cases = 25;
        for (var graph = 0; graph < graphs; graph++)
        {
            var check = new ClusterCheck(RandomGraph(graph), (ulong)graph);
            for (var i = 0; i < cases; i++)
                Assert.That(check.Next()?.ToString(), Is.Null, $"graph {graph}");
        }
    }

    private static Topology RandomGraph(int number)
    {
        var random = RandomStream.For(2704, (ulong)number);
        var nodes = 3 + random.NextInt(6);
        var links = new SortedSet<(int, int)>();
        // A random tree, and some more links.
        for (var node = 1; node < nodes; node++)
            links.Add((random.NextInt(node), node));
        for (var more = random.NextInt(2 * nodes); more > 0; more--)
        {
            var (a, b) = (random.NextInt(nodes), random.NextInt(nodes));
            if (a != b)
                links.Add((Math.Min(a, b), Math.Max(a, b)));
        }
        return new Topology
        {
            Name = $"graph-{number}",
            System = ClusterSystem.SpanningTree,
            Nodes =
            [
                .. Enumerable
                    .Range(1, nodes)
                    .Select(i => new TopologyNode { Name = $"n{i}", Capability = random.NextInt(3) }),
            ],
            Links =
            [
                .. links.Select(link => new TopologyLink
                {
                    From = link.Item1,
                    To = link.Item2,
                    DelayMilliseconds = new ConstantLaw(1 + random.NextInt(60)),
                }),
            ],
        };
    }

    private static void Report(ClusterFinding finding) =>
        TestContext.Out.WriteLine($"{finding.Number}: {finding.Violation}\n{finding.Shrunk} seed {finding.Seed}");

    private static ClusterFinding First(ClusterCheck check, int mostCases, string? invariant)
    {
        for (var i = 0; i < mostCases; i++)
            if (check.Next() is { } finding && (invariant is null || finding.Violation.Invariant == invariant))
                return finding;
        Assert.Fail($"Nothing found in {mostCases} cases.");
        throw new InvalidOperationException();
    }

    private static Topology Of(string family) => ClusterCheck.WithUsualDelays(TopologyFile.Read(family));
}
