using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Links;

namespace MqttCheck.LiveClusters.Launching;

/// <summary>
/// Several brokers under test that work together. Nodes are named by their index in <see cref="Topology"/>;
/// <see cref="IBrokerUnderTest.Endpoints"/> are those of the nodes that serve clients, in their order. Members may be
/// called from any thread.
/// </summary>
internal interface IClusterUnderTest : IBrokerUnderTest
{
    /// <summary>Nodes and links.</summary>
    Topology Topology { get; }

    /// <summary>
    /// Null, as by default, when nodes can be killed, stopped and frozen; otherwise a sentence that says why not.
    /// </summary>
    string? WhyNoNodeFaults => null;

    /// <summary>
    /// Null, as by default, when links pass through relays, so that they can fail; otherwise the reason.
    /// </summary>
    string? WhyNoLinkFaults => null;

    /// <summary>How clients connect to a node; null for one that serves no clients.</summary>
    /// <param name="node">The node.</param>
    WireEndpoint? EndpointOf(int node);

    /// <summary>How clients log in at a node; null for anonymous. By default as at all.</summary>
    /// <param name="node">The node.</param>
    Credentials? CredentialsOf(int node) => Credentials;

    /// <summary>How the clients of a site connect, by a way that has the site's delay.</summary>
    /// <param name="site">A site of the topology.</param>
    /// <returns>The way; null to connect to the node itself.</returns>
    WireEndpoint? EndpointOf(TopologySite site) => null;

    /// <summary>Whether a node runs.</summary>
    /// <param name="node">The node.</param>
    ClusterNodeState StateOf(int node);

    /// <summary>Null unless the node ended by itself; otherwise how, with the last lines it printed.</summary>
    /// <param name="node">The node.</param>
    string? FailureOf(int node);

    /// <summary>
    /// Does everything that <see cref="KillAsync"/> does except sending SIGKILL. The default does nothing.
    /// </summary>
    /// <param name="node">The node, which may be down.</param>
    Task RehearseAsync(int node) => Task.CompletedTask;

    /// <summary>Begins or ends a fault of a node's process. Its directory and its ports stay.</summary>
    /// <param name="node">The node; a change that it has already leaves it as it is.</param>
    /// <param name="kind">The kind of fault, one of nodes.</param>
    /// <param name="begins">Whether the fault begins.</param>
    /// <exception cref="BrokerException">
    /// The process cannot be changed so, see <see cref="WhyNoNodeFaults"/>, or cannot be started.
    /// </exception>
    Task ChangeAsync(int node, FaultKind kind, bool begins);

    /// <summary>Ends a node's process by SIGKILL.</summary>
    /// <param name="node">The node, running or frozen; one that is down stays so.</param>
    /// <exception cref="BrokerException">The process cannot be killed, see <see cref="WhyNoNodeFaults"/>.</exception>
    Task KillAsync(int node) => ChangeAsync(node, FaultKind.Kill, begins: true);

    /// <summary>
    /// Starts a node again with its old directory and ports. Returns when the process runs; it may not accept clients
    /// yet, see <see cref="WaitReadyAsync"/>. A node that runs is left alone.
    /// </summary>
    /// <param name="node">The node.</param>
    /// <exception cref="BrokerException">The process cannot be started.</exception>
    Task RestartAsync(int node) => ChangeAsync(node, FaultKind.Kill, begins: false);

    /// <summary>Damages or cuts files of a node that is down.</summary>
    /// <param name="node">The node.</param>
    /// <param name="fault">A fault that changes files.</param>
    /// <param name="seed">The seed of what is drawn.</param>
    /// <returns>Sentences about what was changed.</returns>
    /// <exception cref="BrokerException">The node runs, or its files are not here.</exception>
    Task<IReadOnlyList<string>> ChangeFilesAsync(int node, ClusterFault fault, ulong seed) =>
        throw new BrokerException($"'{fault}' cannot be made: the files of the nodes are not here.");

    /// <summary>Ends a node, and deletes its files, if they were damaged or it has left. By default never.</summary>
    /// <param name="node">The node.</param>
    Task MendAsync(int node) => Task.CompletedTask;

    /// <summary>Ends a node and deletes its files, so that it starts as it did at first.</summary>
    /// <param name="node">The node.</param>
    /// <returns>Whether that is possible; by default it is not.</returns>
    Task<bool> TryRenewAsync(int node) => Task.FromResult(false);

    /// <summary>Parts a node from its clients, or joins them again.</summary>
    /// <param name="node">A node that a fault of the topology parts from its clients.</param>
    /// <param name="isParted">Whether it is parted.</param>
    /// <exception cref="BrokerException">Clients pass no relay, see <see cref="WhyNoLinkFaults"/>.</exception>
    Task PartClientsAsync(int node, bool isParted) =>
        throw new BrokerException(WhyNoLinkFaults ?? "No relay stands between clients and nodes.");

    /// <summary>Begins a fault of the directions between two nodes, until <see cref="HealAsync"/>.</summary>
    /// <param name="one">A node.</param>
    /// <param name="other">The other one.</param>
    /// <param name="fault">The fault, one of links.</param>
    /// <exception cref="BrokerException">The link does not pass a relay, see <see cref="WhyNoLinkFaults"/>.</exception>
    Task DisturbAsync(int one, int other, ClusterFault fault);

    /// <summary>Ends the faults between two nodes.</summary>
    /// <param name="one">A node.</param>
    /// <param name="other">The other one.</param>
    Task HealAsync(int one, int other);

    /// <summary>
    /// The traffic that has entered a directed link so far. All counters are 0 if no relay stands between the nodes.
    /// </summary>
    /// <param name="from">The node at the beginning of the link.</param>
    /// <param name="to">The node at its end.</param>
    Task<LinkCounters> CountersAsync(int from, int to);

    /// <summary>Waits until a node accepts a client.</summary>
    /// <param name="node">The node.</param>
    /// <param name="timeout">How long at most.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <returns>Null when it accepts one; otherwise what it does instead, as the end of a sentence.</returns>
    Task<string?> WaitReadyAsync(int node, TimeSpan timeout, CancellationToken cancellation);

    /// <summary>Waits until the bridges of a node work, as far as they can be seen.</summary>
    /// <param name="node">The node.</param>
    /// <param name="peer">The other end of the bridges that count; -1 for all.</param>
    /// <param name="timeout">How long at most.</param>
    /// <param name="cancellation">Gives up.</param>
    Task WaitBridgesAsync(int node, int peer, TimeSpan timeout, CancellationToken cancellation);
}
