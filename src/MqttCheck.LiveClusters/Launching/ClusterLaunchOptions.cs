using MqttCheck.Brokers.Processes;
using MqttCheck.Clusters.Mosquitto;
using MqttCheck.LiveClusters.Links;

namespace MqttCheck.LiveClusters.Launching;

/// <summary>How a cluster is started.</summary>
internal sealed record ClusterLaunchOptions
{
    /// <summary>How its brokers are started and reached; each has the start time-out for itself.</summary>
    public BrokerLaunchOptions Brokers { get; init; } = new();

    /// <summary>
    /// Whether the commands of a file may run that begin and end faults of nodes which run already. Default no, because
    /// a file may come from somebody else.
    /// </summary>
    public bool AllowCommands { get; init; }

    /// <summary>
    /// The program that serves a node of MqttCheck's own clusters, which takes the options of <c>mqttcheck node</c>;
    /// null where there is none. Default null.
    /// </summary>
    public BrokerCommand? NodeProgram { get; init; }

    /// <summary>
    /// The configuration of each node of bridges, in the order of the nodes, null for a node without one; empty (the
    /// default) where no node has one.
    /// </summary>
    public IReadOnlyList<MosquittoConf?> Configurations { get; init; } = [];

    /// <summary>
    /// Whether relays stand between the nodes, so that links have delays and faults. Default yes; otherwise nodes
    /// connect to each other.
    /// </summary>
    public bool HasRelays { get; init; } = true;

    /// <summary>The seed of the delays and losses on links.</summary>
    public ulong Seed { get; init; }

    /// <summary>Who is told of publications on links; null for nobody.</summary>
    public ILinkObserver? Observer { get; init; }

    /// <summary>Who is told of what could not be cleaned up at once; null for nobody.</summary>
    public Action<string>? Warned { get; init; }

    /// <summary>Who is told what the protocols of MqttCheck's own nodes decide; null for nobody.</summary>
    public LiveClusterEvents? Notes { get; init; }
}
