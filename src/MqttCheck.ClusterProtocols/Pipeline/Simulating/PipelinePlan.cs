using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.ClusterProtocols.Pipeline.Simulating;

/// <summary>The plan of a simulation. All replications share it and differ only in their random draws.</summary>
internal sealed record PipelinePlan
{
    /// <summary>Brokers, one log and one store.</summary>
    public required Topology Topology { get; init; }

    /// <summary>How brokers use log and store.</summary>
    public PipelineOptions Options { get; init; } = new();

    /// <summary>The limits that the store applies to each session.</summary>
    public StoreOptions Store { get; init; } = new();

    /// <summary>How long the parts take.</summary>
    public PipelineTimes Times { get; init; } = new();

    /// <summary>Publications, subscriptions, kills and starts, in order of time.</summary>
    public required IReadOnlyList<SimulationStep> Steps { get; init; }

    /// <summary>How long a run lasts, in nanoseconds, positive.</summary>
    public required long DurationNanoseconds { get; init; }

    /// <summary>Whether sessions outlive their connections.</summary>
    public bool ArePersistent { get; init; } = true;

    /// <summary>The last packet identifier of every session at the start; 0 for a new one.</summary>
    public ushort LastPacketId { get; init; }

    /// <summary>Which broker a client connects to when its own is gone.</summary>
    public ClientReturn Return { get; init; }
}
