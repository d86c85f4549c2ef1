using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>The plan of a simulation. All replications share it and differ only in their random draws.</summary>
internal sealed record SimulationPlan
{
    /// <summary>Nodes and links.</summary>
    public required Topology Topology { get; init; }

    /// <summary>
    /// Makes the protocol of a node: its index, its neighbours, and where its outputs go.
    /// </summary>
    public required Func<int, IReadOnlyList<int>, IClusterOutput, IClusterCore> Core { get; init; }

    /// <summary>How nodes carry messages to their neighbours.</summary>
    public HopOptions Hop { get; init; } = new();

    /// <summary>The steps of a run, in order of time.</summary>
    public IReadOnlyList<SimulationStep> Steps { get; init; } = [];

    /// <summary>How long a run lasts, in nanoseconds, positive.</summary>
    public required long DurationNanoseconds { get; init; }

    /// <summary>
    /// How long after its end a process' neighbours notice it, in milliseconds; null for the time that the system's
    /// reset takes on the link.
    /// </summary>
    public Law? NoticeMilliseconds { get; init; }

    /// <summary>
    /// How long a node takes to hand one message to one of its subscribers, in milliseconds; null for no time. A node
    /// does one thing after the other: what else waits for it waits for deliveries, too.
    /// </summary>
    public Law? DeliveryMilliseconds { get; init; }

    /// <summary>Nodes that do not run from the start; a step starts them.</summary>
    public IReadOnlySet<int> Absent { get; init; } = new HashSet<int>();

    /// <summary>The times in which no announcement reaches anybody: from and until, in nanoseconds.</summary>
    public IReadOnlyList<(long From, long Until)> LostAnnouncements { get; init; } = [];

    /// <summary>
    /// A run in which more packets than this arrive is ended: messages circulate. Positive.
    /// </summary>
    public long MostPackets { get; init; } = long.MaxValue;

    /// <summary>Whether the nodes' protocols ask how many clients they have.</summary>
    internal bool CountsClients =>
        Topology
            is {
                System: ClusterSystem.TopicOverlay,
                Overlay: { Root: RootRule.Balance, Balance.CountsFilters: false }
            };

    /// <summary>
    /// Counts the clients of each node. They are connected as long as its process serves, as live ones are.
    /// </summary>
    /// <param name="steps">The steps of a run, which say who the clients are.</param>
    /// <param name="counts">Gets the number for each node.</param>
    internal static void CountClients(IReadOnlyList<SimulationStep> steps, Span<int> counts)
    {
        counts.Clear();
        var seen = new HashSet<(int Node, int Client)>();
        foreach (var step in steps)
            if (step.Kind < SimulationStepKind.FaultBegins && seen.Add((step.Node, step.Client)))
                counts[step.Node]++;
    }
}
