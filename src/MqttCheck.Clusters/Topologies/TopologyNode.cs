using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clusters.Topologies;

/// <summary>One broker of a cluster, or the store that its brokers share.</summary>
internal sealed record TopologyNode
{
    /// <summary>Its name: a lower-case letter, then lower-case letters and digits; unique in the topology.</summary>
    public required string Name { get; init; }

    /// <summary>The kind of node. Default a broker.</summary>
    public NodeKind Kind { get; init; }

    /// <summary>How fit it is to be a root; the highest wins. Any finite number, default 0.</summary>
    public double Capability { get; init; }

    /// <summary>Whether the file says the capability; otherwise a live node may take it from its machine.</summary>
    public bool HasOwnCapability { get; init; }

    /// <summary>How long it works on one packet, in milliseconds, in simulations; null for no time.</summary>
    public Law? ServiceMilliseconds { get; init; }

    /// <summary>
    /// The address of a broker that runs already (<see cref="ClusterSystem.Running"/>), such as
    /// <c>mqtt://host:1883</c>; otherwise null.
    /// </summary>
    public string? Address { get; init; }

    /// <summary>
    /// The command line of a program (<see cref="ClusterSystem.Exec"/>), with the places <c>{port}</c>, <c>{node}</c>
    /// and <c>{peer:NAME}</c>; otherwise null.
    /// </summary>
    public string? Command { get; init; }

    /// <summary>
    /// How clients log in at a broker that runs already, and how they speak TLS with it. Default: as for the others.
    /// </summary>
    public NodeAccess Access { get; init; } = new();

    /// <summary>
    /// The command lines that begin and end faults of a broker that runs already, by their keys
    /// (<see cref="NodeCommands"/>). Default none.
    /// </summary>
    public IReadOnlyDictionary<string, string> Commands { get; init; } = NodeCommands.None;

    /// <summary>The broker that a node of bridges is. Default Mosquitto.</summary>
    public BridgePeer Broker { get; init; }

    /// <summary>How many messages it keeps for a client or a bridge that is away; null for as many as usual.</summary>
    public int? MaxQueuedMessages { get; init; }

    /// <summary>Other settings of a broker of bridges, by their names in mosquitto.conf. Default none.</summary>
    public IReadOnlyDictionary<string, string> Options { get; init; } = BridgeSettings.None;

    /// <summary>Whether no file describes the node, so that only bridges to it are known. Default false.</summary>
    public bool IsOutside { get; init; }
}
