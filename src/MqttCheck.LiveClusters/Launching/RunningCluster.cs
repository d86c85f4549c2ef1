using System.Globalization;
using System.Net;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Probes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Links;

namespace MqttCheck.LiveClusters.Launching;

/// <summary>A cluster that runs already. Its nodes and links are used as they are, and outlive this object.</summary>
/// <param name="topology">Its nodes.</param>
/// <param name="name">The name of the cluster.</param>
/// <param name="nodes">The nodes, reached.</param>
internal sealed class RunningCluster(Topology topology, string name, RemoteBroker[] nodes) : IClusterUnderTest
{
    /// <inheritdoc/>
    public Topology Topology { get; } = topology;

    /// <inheritdoc/>
    public BrokerDescription Description { get; } = nodes[0].Description with { Name = name };

    /// <inheritdoc/>
    public IPEndPoint Address => nodes[0].Address;

    /// <inheritdoc/>
    public WireEndpoint Endpoint => nodes[0].Endpoint;

    /// <inheritdoc/>
    public IReadOnlyList<WireEndpoint> Endpoints => [.. nodes.Select(node => node.Endpoint)];

    /// <inheritdoc/>
    public bool Failover { get; private init; }

    /// <inheritdoc/>
    public Credentials? Credentials => nodes[0].Credentials;

    /// <inheritdoc/>
    public string? WhyNoNodeFaults =>
        $"Cluster {Topology.Name}: its nodes run already and are not MqttCheck's to end; "
        + "start it by another system, or "
        + "leave the fault out.";

    /// <inheritdoc/>
    public string? WhyNoLinkFaults =>
        $"Cluster {Topology.Name}: its nodes run already, and no relay stands between them; leave the fault out.";

    /// <summary>Reaches every node.</summary>
    /// <param name="topology">The cluster.</param>
    /// <param name="options">Credentials, and whether nodes may be on another machine.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="BrokerException">A node does not answer, or refuses.</exception>
    /// <exception cref="InputException">A node is on another machine and that is not allowed.</exception>
    public static Task<IClusterUnderTest> ReachAsync(
        Topology topology,
        BrokerLaunchOptions options,
        CancellationToken cancellation
    ) =>
        ReachAsync(
            topology,
            $"cluster:{topology.Name}",
            topology.Nodes.Select(node => BrokerSpecification.Parse(node.Address ?? "")),
            options,
            cancellation
        );

    /// <summary>Reaches every node of a list of addresses.</summary>
    /// <param name="specification">The addresses.</param>
    /// <param name="options">Credentials, and whether nodes may be on another machine.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="BrokerException">A node does not answer, or refuses.</exception>
    /// <exception cref="InputException">A node is on another machine and that is not allowed.</exception>
    public static Task<IClusterUnderTest> ReachAsync(
        BrokerSpecification specification,
        BrokerLaunchOptions options,
        CancellationToken cancellation
    ) =>
        ReachAsync(
            new Topology
            {
                Name = "running",
                System = ClusterSystem.Running,
                Nodes =
                [
                    .. specification.Nodes.Select(
                        (node, index) =>
                            new TopologyNode
                            {
                                Name = string.Create(CultureInfo.InvariantCulture, $"n{index + 1}"),
                                Address = node.Name,
                            }
                    ),
                ],
                Links = [],
            },
            specification.Name,
            specification.Nodes,
            options,
            cancellation
        );

    private static async Task<IClusterUnderTest> ReachAsync(
        Topology topology,
        string name,
        IEnumerable<BrokerSpecification> addresses,
        BrokerLaunchOptions options,
        CancellationToken cancellation
    )
    {
        var nodes = new List<RemoteBroker>();
        foreach (var address in addresses)
            nodes.Add(await RemoteBroker.ReachAsync(address, options, cancellation));
        return new RunningCluster(topology, name, [.. nodes]) { Failover = options.Failover };
    }

    /// <inheritdoc/>
    public WireEndpoint? EndpointOf(int node) => nodes[node].Endpoint;

    /// <inheritdoc/>
    public ClusterNodeState StateOf(int node) => ClusterNodeState.Running;

    /// <inheritdoc/>
    public string? FailureOf(int node) => null;

    /// <inheritdoc/>
    public Task ChangeAsync(int node, FaultKind kind, bool begins) =>
        begins ? throw new BrokerException(WhyNoNodeFaults!) : Task.CompletedTask;

    /// <inheritdoc/>
    public Task DisturbAsync(int one, int other, ClusterFault fault) => throw new BrokerException(WhyNoLinkFaults!);

    /// <inheritdoc/>
    public Task HealAsync(int one, int other) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task WaitBridgesAsync(int node, int peer, TimeSpan timeout, CancellationToken cancellation) =>
        Task.CompletedTask;

    /// <inheritdoc/>
    public Task<LinkCounters> CountersAsync(int from, int to) => Task.FromResult(new LinkCounters());

    /// <inheritdoc/>
    public async Task<string?> WaitReadyAsync(int node, TimeSpan timeout, CancellationToken cancellation) =>
        await ConnectionProbe.AskAsync(nodes[node].Endpoint, Credentials, timeout, cancellation);

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
