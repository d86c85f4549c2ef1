using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Tests.Simulation;

/// <summary>How often the trees of the three sets of rules outlive their root.</summary>
[TestFixture]
internal sealed class ConvergenceTests
{
    private const int Runs = 1060;

    [TestCase(TreeRules.Silent, 0.05, 0.05, 0.66, 1, 1)]
    [TestCase(TreeRules.Silent, 1, 0.42, 0.69, 1, 1)]
    [TestCase(TreeRules.Silent, 3, 0.89, 0.79, 1, 1)]
    [TestCase(TreeRules.Paper, 0.05, 0, 0.02, 0.70, 1)]
    [TestCase(TreeRules.Paper, 1, 0, 0.05, 0.69, 1)]
    [TestCase(TreeRules.Paper, 3, 0, 0.16, 0.89, 1)]
    [TestCase(TreeRules.Safe, 0.05, 0, 0, 0, 0)]
    [TestCase(TreeRules.Safe, 1, 0, 0, 0, 0)]
    [TestCase(TreeRules.Safe, 3, 0, 0, 0, 0)]
    [Category("Whole")]
    public void The_share_of_runs_in_which_a_dead_root_lives_on_is_as_computed(
        TreeRules rules,
        double skewSeconds,
        double mesh,
        double diamond,
        double ring,
        double grid
    )
    {
        var ten = new ConstantLaw(10);
        double[] shares =
        [
            Share(rules, skewSeconds, Graphs.Of(Graphs.Mesh(5), new NormalLaw(10, 2.5))),
            Share(rules, skewSeconds, Graphs.Of([(0, 1), (0, 2), (1, 3), (2, 3)], ten)),
            Share(rules, skewSeconds, Graphs.Of(Graphs.Ring(6), ten)),
            Share(rules, skewSeconds, Graphs.Of(Graphs.Grid(3, 3), ten)),
        ];
        TestContext.Out.WriteLine($"{rules} {skewSeconds}: {string.Join(' ', shares.Select(s => s.ToString("0.00")))}");
        Assert.That(shares, Is.EqualTo([mesh, diamond, ring, grid]).AsCollection.Within(0.12));
    }

    private static double Share(TreeRules rules, double skewSeconds, Topology topology)
    {
        var plan = Graphs.Plan(topology, new SpanningTreeOptions { Rules = rules }, 60, Graphs.Kill(0, 20)) with
        {
            NoticeMilliseconds = new UniformLaw(0, 1000 * skewSeconds),
        };
        var log = new EventLog();
        var simulator = new ClusterSimulator(plan, log);
        var stale = 0;
        for (var run = 0; run < Runs; run++)
        {
            log.Events.Clear();
            simulator.Run(27, run);
            stale += log.Tree(topology).Roots.Skip(1).Contains(0) ? 1 : 0;
        }
        return (double)stale / Runs;
    }
}
