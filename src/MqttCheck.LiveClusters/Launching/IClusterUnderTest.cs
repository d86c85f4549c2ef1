using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Links;

namespace MqttCheck.LiveClusters.Launching;

/// <summary>
/// Several brokers under test that work together. Nodes are named by their index in <see cref="Topology"/>;
/// <see cref="IBrokerUnderTest.Endpoints"/> are those of the nodes that serve clients, in their order. Members may be
/// called from any thread.
/// </summary>
public interface IClusterUnderTest : IBrokerUnderTest
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

    /// <summary>Ends a node's process by SIGKILL. Its directory and its ports stay.</summary>
    /// <param name="node">The node, running or frozen; one that is down stays so.</param>
    /// <exception cref="BrokerException">The process cannot be killed, see <see cref="WhyNoNodeFaults"/>.</exception>
    Task KillAsync(int node);

    /// <summary>Ends a node's process in order: SIGTERM, and SIGKILL after some time.</summary>
    /// <param name="node">The node; one that is down stays so.</param>
    /// <exception cref="BrokerException">The process cannot be stopped, see <see cref="WhyNoNodeFaults"/>.</exception>
    Task StopAsync(int node);

    /// <summary>
    /// Starts a node again with its old directory and ports. Returns when the process runs; it may not accept clients
    /// yet, see <see cref="WaitReadyAsync"/>. A node that runs is left alone.
    /// </summary>
    /// <param name="node">The node.</param>
    /// <exception cref="BrokerException">The process cannot be started.</exception>
    Task RestartAsync(int node);

    /// <summary>Stops a node's process by SIGSTOP: it keeps its connections and answers nothing.</summary>
    /// <param name="node">The node.</param>
    Task FreezeAsync(int node);

    /// <summary>Lets a frozen node go on.</summary>
    /// <param name="node">The node.</param>
    Task ContinueAsync(int node);

    /// <summary>
    /// Resets every connection between two nodes, at both ends, and refuses new ones until <see cref="HealAsync"/>.
    /// </summary>
    /// <param name="one">A node.</param>
    /// <param name="other">The other one.</param>
    /// <exception cref="BrokerException">The link does not pass a relay, see <see cref="WhyNoLinkFaults"/>.</exception>
    Task CutAsync(int one, int other);

    /// <summary>
    /// Stalls both directions between two nodes, as a network does that drops everything. No byte is lost: what was
    /// sent arrives after <see cref="HealAsync"/>.
    /// </summary>
    /// <param name="one">A node.</param>
    /// <param name="other">The other one.</param>
    /// <exception cref="BrokerException">The link does not pass a relay, see <see cref="WhyNoLinkFaults"/>.</exception>
    Task PartitionAsync(int one, int other);

    /// <summary>Ends a cut, a partition and a slow-down between two nodes.</summary>
    /// <param name="one">A node.</param>
    /// <param name="other">The other one.</param>
    Task HealAsync(int one, int other);

    /// <summary>Gives both directions between two nodes another law, until <see cref="HealAsync"/>.</summary>
    /// <param name="one">A node.</param>
    /// <param name="other">The other one.</param>
    /// <param name="law">The delay, rate and loss meanwhile.</param>
    Task SlowAsync(int one, int other, LinkLaw law);

    /// <summary>The law of the link between two nodes as the topology gives it.</summary>
    /// <param name="one">A node.</param>
    /// <param name="other">The other one.</param>
    LinkLaw LawOf(int one, int other);

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
}
