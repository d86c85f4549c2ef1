using MqttCheck.ClusterProtocols.Interest;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.Tests.Simulation;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Tests.Overlays;

/// <summary>
/// A mesh of topic overlays with links of 10 ms unless told otherwise, and what happens to it at which second. Nodes
/// count from 1.
/// </summary>
internal sealed class OverlayRun(RootRule root = RootRule.Capacity, int nodes = 5)
{
    private readonly List<SimulationStep> _steps = [];

    public List<ClusterEvent> Events { get; private set; } = [];

    public HashSet<int> Absent { get; } = [];

    public OverlayMutant Mutant { get; init; }

    /// <summary>How long a message takes on a link, in milliseconds.</summary>
    public Law Delay { get; init; } = new ConstantLaw(10);

    /// <summary>The weights of root balance.</summary>
    public RootBalance Balance { get; init; } = new();

    /// <summary>A further client of a node subscribes; the first has the node's number.</summary>
    public OverlayRun SubscribeAs(int client, double seconds, int node, string filter) =>
        Add(Step(seconds, SimulationStepKind.Subscribe, node, filter) with { Client = client });

    public OverlayRun Subscribe(double seconds, int node, string filter) =>
        Add(seconds, SimulationStepKind.Subscribe, node, filter);

    public OverlayRun Unsubscribe(double seconds, int node, string filter) =>
        Add(seconds, SimulationStepKind.Unsubscribe, node, filter);

    public OverlayRun Publish(double seconds, int node, string topic) =>
        Add(seconds, SimulationStepKind.Publish, node, topic);

    public OverlayRun Fault(double seconds, FaultKind kind, int node) => Add(Graphs.Fault(kind, node - 1, seconds));

    private OverlayRun Add(double seconds, SimulationStepKind kind, int node, string topic) =>
        Add(Step(seconds, kind, node, topic));

    private static SimulationStep Step(double seconds, SimulationStepKind kind, int node, string topic) =>
        new()
        {
            AtNanoseconds = (long)(seconds * Graphs.Second),
            Kind = kind,
            Node = node - 1,
            Client = node,
            Topic = topic,
            Qos = QualityOfService.AtLeastOnce,
        };

    private OverlayRun Add(SimulationStep step)
    {
        _steps.Add(step);
        return this;
    }

    public OverlayRun Simulate(double seconds, ulong seed = 1)
    {
        var topology = Graphs.Of(Graphs.Mesh(nodes), Delay) with
        {
            System = ClusterSystem.TopicOverlay,
            Overlay = new OverlaySettings { Root = root, Balance = Balance },
        };
        var log = new EventLog();
        var plan = new SimulationPlan
        {
            Topology = topology,
            Core = OverlayCores.Of(topology, Mutant),
            Steps = [.. _steps.OrderBy(step => step.AtNanoseconds)],
            Absent = Absent,
            DurationNanoseconds = (long)(seconds * Graphs.Second),
        };
        new ClusterSimulator(plan, log).Run(seed, 0);
        Events = log.Events;
        return this;
    }

    public IEnumerable<ClusterEvent> Of(ClusterEventKind kind) => Events.Where(e => e.Kind == kind);

    /// <summary>The nodes that got each publication, in order.</summary>
    public string Receivers() =>
        string.Join(
            ' ',
            Of(ClusterEventKind.Published)
                .Select(published =>
                    string.Join(
                        ',',
                        Of(ClusterEventKind.Delivered)
                            .Where(e => e.Message == published.Message)
                            .Select(e => e.Node + 1)
                            .Order()
                    )
                )
        );

    /// <summary>The last root that each member of a topic has agreed to.</summary>
    public int[] RootsOf(string topic) =>
        [
            .. Of(ClusterEventKind.TopicRootChanged)
                .Where(e => e.Topic == topic)
                .GroupBy(e => e.Node)
                .OrderBy(group => group.Key)
                .Select(group => group.Last().Peer + 1),
        ];
}
