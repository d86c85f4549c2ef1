using System.Diagnostics;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Protocol;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>Something that happens to a simulated cluster at a time.</summary>
public readonly record struct SimulationStep
{
    /// <summary>When, in nanoseconds from the start of the run, at least 0.</summary>
    public required long AtNanoseconds { get; init; }

    /// <summary>What.</summary>
    public required SimulationStepKind Kind { get; init; }

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

    /// <summary>How a fault of a link is told: whether it begins or ends, and its kind.</summary>
    internal (ClusterEventKind Kind, FaultKind Fault) LinkFault =>
        Kind switch
        {
            SimulationStepKind.Cut => (ClusterEventKind.FaultBegan, FaultKind.Cut),
            SimulationStepKind.Mend => (ClusterEventKind.FaultEnded, FaultKind.Cut),
            SimulationStepKind.Stall => (ClusterEventKind.FaultBegan, FaultKind.Stall),
            SimulationStepKind.Release => (ClusterEventKind.FaultEnded, FaultKind.Stall),
            SimulationStepKind.Slow => (ClusterEventKind.FaultBegan, FaultKind.Slow),
            _ => throw new UnreachableException(),
        };

    /// <summary>A step.</summary>
    public SimulationStep() { }
}
