using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Simulation;
using MqttCheck.Clusters.Tests.Simulation;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clusters.Tests.Interest;

/// <summary>What a single overlay does with messages while its tree changes and no link breaks.</summary>
[TestFixture]
internal sealed class TreeChangeTests
{
    private const int Nodes = 6;
    private const int Begin = 12;
    private const int Join = 14;
    private const int End = 26;

    // Links of 2 ms whose round trips vary by more than that, as those of a busy machine do.
    private static readonly Law s_busy = new LogNormalLaw(2, 1);

    private static readonly Law s_idle = new ConstantLaw(2);

    [Test]
    public void A_sixth_node_joins_without_a_lost_or_repeated_message([Values(5, 0)] int joining, [Values] bool isBusy)
    {
        // Node 0 is the fittest: when it joins, every path changes.
        for (ulong seed = 1; seed <= 20; seed++)
        {
            var log = Simulate(isBusy ? s_busy : s_idle, joining, seed);
            var deliveries = log.Events.Where(e => e.Kind == ClusterEventKind.Delivered).ToList();
            var came = deliveries.GroupBy(e => e.Message).ToDictionary(group => group.Key, group => group.Count());
            var published = log.Events.Where(e => e.Kind == ClusterEventKind.Published && IsKnown(e)).ToList();
            Assert.That(published, Has.Count.GreaterThan(1000));
            Assert.That(
                published.Where(e => came.GetValueOrDefault(e.Message) != Nodes - 1).Select(e => e.Nanoseconds / 1e9),
                Is.Empty,
                $"seed {seed}: publications that not everybody got once"
            );
        }
    }

    // What follows the first publication on a topic at once may be lost to the race with subscriptions.
    private static bool IsKnown(in ClusterEvent published) => published.Nanoseconds >= (Begin + 1) * Graphs.Second;

    private static EventLog Simulate(Law delay, int joining, ulong seed)
    {
        var topology = Graphs.Of(Graphs.Mesh(Nodes), delay) with { System = ClusterSystem.SingleOverlay };
        var log = new EventLog();
        var plan = new SimulationPlan
        {
            Topology = topology,
            Core = OverlayCores.Of(topology),
            Steps = [.. Steps(joining).OrderBy(step => step.AtNanoseconds)],
            Absent = new HashSet<int> { joining },
            DurationNanoseconds = (End + 2) * Graphs.Second,
        };
        new ClusterSimulator(plan, log).Run(seed, 0);
        return log;
    }

    // Five nodes publish on a topic of their own, and subscribe to all topics.
    private static IEnumerable<SimulationStep> Steps(int joining)
    {
        yield return Graphs.Start(joining, Join);
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
