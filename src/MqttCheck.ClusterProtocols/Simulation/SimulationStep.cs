using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Protocol;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>Something that happens to a simulated cluster at a time.</summary>
internal readonly record struct SimulationStep
{
    /// <summary>When, in nanoseconds from the start of the run, at least 0.</summary>
    public long AtNanoseconds { get; init; }

    /// <summary>What.</summary>
    public SimulationStepKind Kind { get; init; }

    /// <summary>The index of the node; for faults of a link it does not count.</summary>
    public int Node { get; init; }

    /// <summary>The index of the link in the topology, for faults of a link.</summary>
    public int Link { get; init; }

    /// <summary>The delay, rate and loss that the link has from now on; its ends do not count.</summary>
    public TopologyLink? Law { get; init; }

    /// <summary>The number of the client among all clients of the run.</summary>
    public int Client { get; init; }

    /// <summary>The topic of a publication, or the filter of a subscription.</summary>
    public string Topic { get; init; } = "";

    /// <summary>The quality of service of the publication or the subscription.</summary>
    public QualityOfService Qos { get; init; }

    /// <summary>The size of a publication's payload, in bytes.</summary>
    public int PayloadBytes { get; init; }

    /// <summary>The kind of a fault that begins or ends; of other steps none.</summary>
    public FaultKind Fault { get; init; }

    /// <summary>Whether a fault begins.</summary>
    internal bool Begins => Kind == SimulationStepKind.FaultBegins;

    /// <summary>How a fault that begins or ends is told.</summary>
    internal ClusterEventKind Event => Begins ? ClusterEventKind.FaultBegan : ClusterEventKind.FaultEnded;

    /// <summary>Whether the process of the node ends.</summary>
    internal bool EndsProcess => Begins && Fault.EndsProcess();

    /// <summary>Whether the process of the node starts.</summary>
    internal bool StartsProcess => Kind >= SimulationStepKind.FaultBegins && Fault.StartsProcess(Begins);

    /// <summary>A step.</summary>
    public SimulationStep() { }
}
