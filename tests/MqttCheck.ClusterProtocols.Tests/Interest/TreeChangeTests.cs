using MqttCheck.ClusterProtocols.Interest;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.Tests.Simulation;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Tests.Interest;

/// <summary>What a single overlay does with messages while its tree changes and no link breaks.</summary>
[TestFixture]
internal sealed class TreeChangeTests
{
    private const int Nodes = 6;
    private const int Begin = 12;
    private const int Change = 14;
    private const int End = 26;

    // Links of 2 ms whose round trips vary by more than that, as those of a busy machine do.
    private static readonly Law s_busy = new LogNormalLaw(2, 1);

    private static readonly Law s_idle = new ConstantLaw(2);

    [Test]
    [Category("Whole")]
    public void A_sixth_node_joins_without_a_lost_or_repeated_message([Values(5, 0)] int joining, [Values] bool isBusy)
    {
        // Node 0 is the fittest: when it joins, every path changes.
        for (ulong seed = 1; seed <= 20; seed++)
        {
            var log = Simulate(isBusy ? s_busy : s_idle, joining, seed, Graphs.Start(joining, Change));
            AssertAllCameOnce(log, joining, published: Nodes - 1, $"seed {seed}");
        }
    }

    // Neighbours build a tree without the node that leaves, and it carries messages until they have done so. What its
    // own clients published before is handed on.
    [Test]
    [Category("Whole")]
    public void A_sixth_node_leaves_in_order_without_a_lost_or_repeated_message(
        [Values(5, 0)] int leaving,
        [Values] bool isBusy
    )
    {
        for (ulong seed = 1; seed <= 20; seed++)
        {
            var leave = Graphs.Fault(FaultKind.Stop, leaving, Change);
            var log = Simulate(isBusy ? s_busy : s_idle, leaving, seed, leave);
            AssertAllCameOnce(log, leaving, published: Nodes, $"seed {seed}");
        }
    }

    [Test]
    public void A_node_that_leaves_at_once_takes_messages_with_it()
    {
        var leave = Graphs.Fault(FaultKind.Stop, 0, Change);
        var lost = 0;
        for (ulong seed = 1; seed <= 5; seed++)
            lost += NotOnce(Simulate(s_busy, 0, seed, leave, OverlayMutant.LeavesAtOnce), 0).Count();
        Assert.That(lost, Is.Positive);
    }

    private static void AssertAllCameOnce(EventLog log, int changing, int published, string where)
    {
        var known = log.Events.Where(e => e.Kind == ClusterEventKind.Published && IsKnown(e)).ToList();
        Assert.That(known, Has.Count.GreaterThan(1000));
        Assert.That(known.Select(e => e.Node).Distinct().Count(), Is.EqualTo(published));
        Assert.That(NotOnce(log, changing), Is.Empty, $"{where}: publications that not everybody who stays got once");
    }

    private static IEnumerable<double> NotOnce(EventLog log, int changing)
    {
        var came = log
            .Events.Where(e => e.Kind == ClusterEventKind.Delivered && e.Node != changing)
            .GroupBy(e => e.Message)
            .ToDictionary(group => group.Key, group => group.Count());
        return log
            .Events.Where(e => e.Kind == ClusterEventKind.Published && IsKnown(e))
            .Where(e => came.GetValueOrDefault(e.Message) != Nodes - 1)
            .Select(e => e.Nanoseconds / 1e9);
    }

    // What follows the first publication on a topic at once may be lost to the race with subscriptions.
    private static bool IsKnown(in ClusterEvent published) => published.Nanoseconds >= (Begin + 1) * Graphs.Second;

    private static EventLog Simulate(
        Law delay,
        int changing,
        ulong seed,
        SimulationStep change,
        OverlayMutant mutant = OverlayMutant.None
    )
    {
        var joins = change.StartsProcess;
        var topology = Graphs.Of(Graphs.Mesh(Nodes), delay) with { System = ClusterSystem.SingleOverlay };
        var log = new EventLog();
        var plan = new SimulationPlan
        {
            Topology = topology,
            Core = OverlayCores.Of(topology, mutant),
            Steps = [.. Steps(joins ? changing : -1).Append(change).OrderBy(step => step.AtNanoseconds)],
            Absent = joins ? new HashSet<int> { changing } : [],
            DurationNanoseconds = (End + 2) * Graphs.Second,
        };
        new ClusterSimulator(plan, log).Run(seed, 0);
        return log;
    }

    // The nodes that do not join publish on topics of their own, and subscribe to all topics.
    private static IEnumerable<SimulationStep> Steps(int joining)
    {
        foreach (var node in Enumerable.Range(0, Nodes).Where(node => node != joining))
        {
            yield return Step(node, SimulationStepKind.Subscribe, "t/+", Graphs.Second);
            for (var at = (Begin * Graphs.Second) + node; at < End * Graphs.Second; at += 13 * Graphs.Millisecond)
                yield return Step(node, SimulationStepKind.Publish, $"t/{node}", at);
        }
    }

    private static SimulationStep Step(int node, SimulationStepKind kind, string topic, long at) =>
        new()
        {
            AtNanoseconds = at,
            Kind = kind,
            Node = node,
            Client = kind == SimulationStepKind.Subscribe ? Nodes + node : node,
            Topic = topic,
            Qos = QualityOfService.AtLeastOnce,
        };
}
