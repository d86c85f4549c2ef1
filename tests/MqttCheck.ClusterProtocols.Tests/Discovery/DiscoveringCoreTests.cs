using MqttCheck.ClusterProtocols.Discovery;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.Tests.Simulation;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Tests.Discovery;

[TestFixture]
internal sealed class DiscoveringCoreTests
{
    private const int Nodes = 5;
    private const double CollectSeconds = 19.3;
    private const double SilenceSeconds = 39.6;

    [Test]
    public void A_node_goes_from_discovery_over_the_tree_to_the_runtime()
    {
        var log = Simulate(Mesh(CollectSeconds), 40, seed: 1);
        for (var node = 0; node < Nodes; node++)
        {
            var states = log.Events.Where(e => e.Kind == ClusterEventKind.DiscoveryChanged && e.Node == node).ToList();
            Assert.That(
                states.Select(e => (DiscoveryState)e.Value),
                Is.EqualTo(new[] { DiscoveryState.Discovery, DiscoveryState.Tree, DiscoveryState.Runtime })
            );
            Assert.That(states[1].Nanoseconds, Is.EqualTo((long)(CollectSeconds * 1e9)));
            // The tree stays as it is for two keep alives of 2 s.
            Assert.That(states[2].Nanoseconds / 1e9, Is.GreaterThanOrEqualTo(CollectSeconds + 4));
        }
    }

    [Test]
    public void A_node_that_joins_is_found_by_its_announcement_and_becomes_a_part_of_the_tree()
    {
        var topology = Mesh(2);
        var log = new EventLog();
        var simulator = Simulator(topology, log, 40, absent: [4], Graphs.Start(4, 20));
        simulator.Run(1, 0);
        Assert.Multiple(() =>
        {
            Assert.That(log.Tree(topology).Roots, Is.All.EqualTo(0));
            Assert.That(log.Tree(topology).Parents[4], Is.EqualTo(0));
            // Its links count only after all have collected announcements for 2 s.
            var first = log.Events.First(e => e.Kind == ClusterEventKind.ParentChanged && e.Node == 4 && e.Peer >= 0);
            Assert.That(first.Nanoseconds / 1e9, Is.InRange(22, 22.5));
            Assert.That(
                log.Events.Where(e => e.Kind == ClusterEventKind.RoleChanged && e.Nanoseconds > 20 * Graphs.Second),
                Is.All.Matches<ClusterEvent>(e => e.Node == 4 || e.Peer == 4),
                "the tree of the others stays as it is"
            );
        });
    }

    // Each of two nodes announces itself twice in 2 s, and they stay alone only if all four are lost. 400 runs find the
    // share within four standard deviations.
    [TestCase(0.5)]
    [TestCase(0.8)]
    [TestCase(1)]
    [TestCase(0)]
    public void Two_nodes_find_each_other_unless_all_announcements_of_both_are_lost(double loss)
    {
        const int runs = 400;
        var topology = Graphs.Of("12:10") with
        {
            System = ClusterSystem.SingleOverlay,
            Overlay = new OverlaySettings { AnnounceLoss = loss },
        };
        var alone = 0;
        for (var run = 0; run < runs; run++)
        {
            var log = new EventLog();
            Simulator(topology, log, 10, []).Run(57, run);
            alone += log.Tree(topology).Roots.Distinct().Count() > 1 ? 1 : 0;
        }
        var expected = Math.Pow(loss, 4);
        Assert.That(alone / (double)runs, Is.EqualTo(expected).Within(4 * Math.Sqrt(expected * (1 - expected) / runs)));
    }

    // 19.3 s of collecting, and a tree of links of 10 ms.
    [Test]
    public void A_cluster_converges_in_the_papers_19_5_s()
    {
        for (var run = 0; run < 20; run++)
        {
            var log = new EventLog();
            Simulator(Mesh(CollectSeconds), log, 60, []).Run(30, run);
            var last = log.Events.Last(e =>
                e.Kind is ClusterEventKind.RootChanged or ClusterEventKind.ParentChanged or ClusterEventKind.RoleChanged
            );
            Assert.That(last.Nanoseconds / 1e9, Is.EqualTo(19.5).Within(0.3));
        }
    }

    // The silence is counted from the first ping without an answer. The first of four nodes has it U(0, T_k) after the
    // death, so T_k x Beta(1, 4): a mean of .2 T_k, a standard deviation of .163 T_k. The paper's .01 s needs T_k < .1
    // s.
    [Test]
    public void A_root_that_falls_silent_is_repaired_in_the_papers_59_1_s_and_a_part_of_a_keep_alive()
    {
        const int runs = 120;
        const double keepAlive = 2;
        var times = new double[runs];
        var random = RandomStream.For(30, 591);
        for (var run = 0; run < runs; run++)
        {
            var at = 40 + (keepAlive * random.NextDouble());
            times[run] = SecondsToNewRoot(at, FaultKind.Freeze, 120, run);
        }
        var mean = times.Average();
        var deviation = Math.Sqrt(times.Sum(time => (time - mean) * (time - mean)) / (runs - 1));
        TestContext.Out.WriteLine($"repair: mean {mean:0.000} s, standard deviation {deviation:0.000} s");
        Assert.Multiple(() =>
        {
            // Beta(1, 4) times T_k: 4.5 standard errors are .13 s and 27 % of the deviation, so a right program fails
            // in fewer than one of 10 000 seeds; this one is fixed.
            Assert.That(times.Min(), Is.GreaterThan(SilenceSeconds + CollectSeconds));
            // The tree takes less than the .2 s that are left of the paper's 59.1 s.
            Assert.That(mean, Is.EqualTo(SilenceSeconds + CollectSeconds + (0.2 * keepAlive)).Within(0.15));
            Assert.That(times.Max(), Is.LessThan(59.1 + 0.3 + keepAlive));
            Assert.That(deviation, Is.EqualTo(0.163 * keepAlive).Within(0.1));
        });
    }

    [Test]
    public void A_closed_connection_is_repaired_within_a_second()
    {
        for (var run = 0; run < 20; run++)
            Assert.That(SecondsToNewRoot(40.3 + (run * 0.1), FaultKind.Kill, 60, run), Is.LessThan(1));
    }

    // From the fault of node 1 to the moment from which all others name node 2, and 2 or themselves for the parent.
    private static double SecondsToNewRoot(double atSeconds, FaultKind kind, double seconds, int run)
    {
        var log = new EventLog();
        // Processes do not start in step, so their pings are not in step either.
        var random = RandomStream.For(30, 59, (ulong)run);
        SimulationStep[] steps =
        [
            .. Enumerable.Range(0, Nodes).Select(node => Graphs.Start(node, 2 * random.NextDouble())),
            Graphs.Fault(kind, 0, atSeconds),
        ];
        int[] absent = [.. Enumerable.Range(0, Nodes)];
        Simulator(Mesh(CollectSeconds), log, seconds, absent, [.. steps.OrderBy(step => step.AtNanoseconds)])
            .Run(59, run);
        var (roots, parents) = (new int[Nodes], new int[Nodes]);
        foreach (var e in log.Events)
        {
            if (e.Kind == ClusterEventKind.RootChanged)
                roots[e.Node] = e.Peer;
            else if (e.Kind == ClusterEventKind.ParentChanged)
                parents[e.Node] = e.Peer;
            else
                continue;
            var isNew = e.Nanoseconds > atSeconds * 1e9;
            if (
                isNew
                && Enumerable.Range(1, Nodes - 1).All(node => roots[node] == 1 && (node == 1 || parents[node] == 1))
            )
                return (e.Nanoseconds / 1e9) - atSeconds;
        }
        Assert.Fail("The cluster was not repaired.");
        return 0;
    }

    private static EventLog Simulate(Topology topology, double seconds, ulong seed)
    {
        var log = new EventLog();
        Simulator(topology, log, seconds, []).Run(seed, 0);
        return log;
    }

    private static ClusterSimulator Simulator(
        Topology topology,
        EventLog log,
        double seconds,
        int[] absent,
        params SimulationStep[] steps
    ) =>
        new(
            new SimulationPlan
            {
                Topology = topology,
                Core = OverlayCores.Of(topology),
                DurationNanoseconds = (long)(seconds * Graphs.Second),
                Steps = steps,
                Absent = absent.ToHashSet(),
            },
            log
        );

    private static Topology Mesh(double collectSeconds) =>
        Graphs.Of(Graphs.Mesh(Nodes), new ConstantLaw(10)) with
        {
            System = ClusterSystem.SingleOverlay,
            Overlay = new OverlaySettings { CollectSeconds = collectSeconds, SilenceSeconds = SilenceSeconds },
        };
}
