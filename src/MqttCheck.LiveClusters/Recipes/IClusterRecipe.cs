using System.Net;
using MqttCheck.Brokers.Processes;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.LiveClusters.Recipes;

/// <summary>How to run the nodes of a cluster as child processes on ports of the loopback interface.</summary>
internal interface IClusterRecipe
{
    /// <summary>
    /// Whether nodes have a port of its own for other nodes; otherwise, as by default, they use the one of clients.
    /// </summary>
    bool HasPeerPorts => false;

    /// <summary>
    /// Whether all nodes have the same port for other nodes, at addresses of their own; relays then have that port too.
    /// </summary>
    bool HasCommonPeerPort => false;

    /// <summary>The address at which a node takes connections of other nodes.</summary>
    /// <param name="node">The index of the node.</param>
    IPAddress PeerAddress(int node) => IPAddress.Loopback;

    /// <summary>The address at which the relay of a directed link takes connections.</summary>
    /// <param name="from">The node that connects.</param>
    /// <param name="to">The node that it wants to reach.</param>
    IPAddress RelayAddress(int from, int to) => IPAddress.Loopback;

    /// <summary>Whether a node is started here; otherwise, unlike by default, it stands for one that runs.</summary>
    /// <param name="topology">The cluster.</param>
    /// <param name="node">The index of the node.</param>
    bool Starts(Topology topology, int node) => true;

    /// <summary>Whether others reach a node by relays, as by default; otherwise they connect to it.</summary>
    /// <param name="topology">The cluster.</param>
    /// <param name="node">The index of the node.</param>
    bool HasRelay(Topology topology, int node) => true;

    /// <summary>
    /// Whether a node accepts clients without the others, so that nodes can start in turn. By default it does.
    /// </summary>
    bool StartsInOrder => true;

    /// <summary>
    /// Whether the cluster is ready only when its bridges are up. A bridge is up when its CONNECT was accepted.
    /// </summary>
    bool HasBridges => false;

    /// <summary>How to log in.</summary>
    Credentials? Credentials => null;

    /// <summary>How to log in at a node. By default as at all.</summary>
    /// <param name="node">The index of the node.</param>
    Credentials? CredentialsOf(int node) => Credentials;

    /// <summary>
    /// The directed links: which node opens connections to which. By default both nodes of each link do.
    /// </summary>
    /// <param name="topology">The cluster.</param>
    IEnumerable<(int From, int To)> Connections(Topology topology) =>
        topology.Links.SelectMany<TopologyLink, (int, int)>(link => [(link.From, link.To), (link.To, link.From)]);

    /// <summary>Finds out the known properties of the brokers.</summary>
    /// <param name="topology">The cluster.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="BrokerException">A program is not installed.</exception>
    Task<BrokerDescription> DescribeAsync(Topology topology, CancellationToken cancellation);

    /// <summary>
    /// Null when a member can leave its cluster for good; otherwise why not, as the end of a sentence. By default it
    /// cannot.
    /// </summary>
    string? WhyNoLeave => "its system is not told here that a member has left";

    /// <summary>The command that tells a cluster that a member has left, which was asked to end in order.</summary>
    /// <param name="leaving">The member that has ended.</param>
    /// <param name="member">Another one, which runs.</param>
    /// <returns>The command; null, as by default, where a member that ends in order has left.</returns>
    BrokerCommand? Leave(ClusterNodePlan leaving, ClusterNodePlan member) => null;

    /// <summary>
    /// Writes the files of a node, and returns the command that starts it. Called before every start.
    /// </summary>
    /// <param name="plan">The node.</param>
    /// <exception cref="BrokerException">A program is not installed.</exception>
    BrokerCommand Prepare(ClusterNodePlan plan);
}
