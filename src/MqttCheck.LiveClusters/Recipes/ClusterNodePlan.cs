using System.Net;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.LiveClusters.Recipes;

/// <summary>The data that a node of a cluster needs to start, the same at every start.</summary>
internal sealed record ClusterNodePlan
{
    /// <summary>The cluster.</summary>
    public required Topology Topology { get; init; }

    /// <summary>The index of the node.</summary>
    public required int Index { get; init; }

    /// <summary>Its directory, which also is its working directory. It exists, and is kept between starts.</summary>
    public required string Directory { get; init; }

    /// <summary>The port where clients connect; of a store the one where brokers do.</summary>
    public required int Port { get; init; }

    /// <summary>The port where other nodes connect, for systems that have one of its own.</summary>
    public required int PeerPort { get; init; }

    /// <summary>
    /// The address of the relay by which the node reaches each node that it connects to, by the other node's index.
    /// </summary>
    public required IReadOnlyDictionary<int, IPEndPoint> Peers { get; init; }

    /// <summary>
    /// How a bridge logs in at each node that runs already, by the other node's index; none where that takes anybody.
    /// </summary>
    public IReadOnlyDictionary<int, Credentials> PeerLogins { get; init; } = new Dictionary<int, Credentials>();

    /// <summary>The broker that runs already in place of a node that is started; null for one that is.</summary>
    public RemoteBroker? Remote { get; init; }

    /// <summary>How clients and bridges connect.</summary>
    public WireEndpoint Endpoint => Remote?.Endpoint ?? new(new IPEndPoint(IPAddress.Loopback, Port));

    /// <summary>The node.</summary>
    public TopologyNode Node => Topology.Nodes[Index];

    /// <summary>Writes a text file into the directory.</summary>
    /// <param name="name">The file's name.</param>
    /// <param name="text">Its text.</param>
    /// <returns>Its path.</returns>
    public string Write(string name, string text) => TemporaryDirectory.Write(Directory, name, text);
}
