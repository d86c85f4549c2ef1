using System.Globalization;
using System.Net;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Probes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.LiveClusters.Links;
using MqttCheck.LiveClusters.Recipes;

namespace MqttCheck.LiveClusters.Launching;

/// <summary>
/// A cluster that runs already. Its nodes and links are used as they are, and outlive this object. The user may give
/// commands that change nodes; such a node is then left as it was found.
/// </summary>
/// <param name="topology">Its nodes.</param>
/// <param name="name">The name of the cluster.</param>
/// <param name="nodes">The nodes, reached.</param>
internal sealed class RunningCluster(Topology topology, string name, RemoteBroker[] nodes) : IClusterUnderTest
{
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_answerTimeout = TimeSpan.FromSeconds(5);

    private readonly NodeChange[] _changes = [.. nodes.Select(_ => new NodeChange())];

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
        Topology.Nodes.All(node => node.Commands.Count == 0)
            ? $"Cluster {Topology.Name}: its nodes run already and are not MqttCheck's to end; give commands under the "
                + $"keys {string.Join(", ", NodeCommands.Keys)}, start it by another system, or leave the fault out."
        : !AllowsCommands ? NotAllowed(Topology)
        : null;

    /// <inheritdoc/>
    public string? WhyNoLinkFaults =>
        $"Cluster {Topology.Name}: its nodes run already, and no relay stands between them; leave the fault out.";

    /// <summary>Whether the commands of the file may run.</summary>
    private bool AllowsCommands { get; init; }

    /// <summary>Says that commands of a file do not run unless the user allows them.</summary>
    /// <param name="topology">The cluster.</param>
    public static string NotAllowed(Topology topology) =>
        $"Cluster {topology.Name}: commands of its file change its nodes only when that is allowed (--allow-commands); "
        + "see what they do first.";

    /// <summary>Reaches every node.</summary>
    /// <param name="topology">The cluster.</param>
    /// <param name="options">
    /// Credentials, whether nodes may be on another machine, and whether commands of the file may run.
    /// </param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="BrokerException">A node does not answer, or refuses.</exception>
    /// <exception cref="InputException">A node is on another machine and that is not allowed.</exception>
    public static Task<IClusterUnderTest> ReachAsync(
        Topology topology,
        ClusterLaunchOptions options,
        CancellationToken cancellation
    ) => ReachAsync(topology, topology.Broker ?? $"cluster:{topology.Name}", options, cancellation);

    /// <summary>Reaches every node of a list of addresses.</summary>
    /// <param name="specification">The addresses.</param>
    /// <param name="options">Credentials, and whether nodes may be on another machine.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="BrokerException">A node does not answer, or refuses.</exception>
    /// <exception cref="InputException">A node is on another machine and that is not allowed.</exception>
    public static Task<IClusterUnderTest> ReachAsync(
        BrokerSpecification specification,
        ClusterLaunchOptions options,
        CancellationToken cancellation
    ) =>
        ReachAsync(
            SingleBroker.TopologyOf(specification) with
            {
                Name = "running",
            },
            specification.Name,
            options,
            cancellation
        );

    private static async Task<IClusterUnderTest> ReachAsync(
        Topology topology,
        string name,
        ClusterLaunchOptions options,
        CancellationToken cancellation
    )
    {
        var nodes = new List<RemoteBroker>();
        foreach (var (broker, access) in RunningNodes.Of(topology, options.Brokers))
            nodes.Add(await RemoteBroker.ReachAsync(broker, access, cancellation));
        return new RunningCluster(topology, name, [.. nodes])
        {
            Failover = options.Brokers.Failover,
            AllowsCommands = options.AllowCommands,
        };
    }

    /// <inheritdoc/>
    public WireEndpoint? EndpointOf(int node) => nodes[node].Endpoint;

    /// <inheritdoc/>
    public Credentials? CredentialsOf(int node) => nodes[node].Credentials;

    /// <inheritdoc/>
    public ClusterNodeState StateOf(int node) => _changes[node].State;

    /// <inheritdoc/>
    public string? FailureOf(int node) => null;

    /// <inheritdoc/>
    public async Task ChangeAsync(int node, FaultKind kind, bool begins)
    {
        var place = _changes[node];
        // One change at a time: a fault may begin while the command of the one before it still runs.
        await place.Turn.WaitAsync();
        try
        {
            var state =
                !begins ? ClusterNodeState.Running
                : kind == FaultKind.Freeze ? ClusterNodeState.Frozen
                : ClusterNodeState.Down;
            if (state == place.State)
                return;
            if (WhyNoNodeFaults is { } why)
                throw new BrokerException(why);
            // If the command of a fault fails halfway, the one that ends the fault is still run.
            if (begins)
                place.State = state;
            await FaultCommand.Of(Topology, node, NodeCommands.KeyOf(kind, begins)).RunAsync();
            place.State = state;
        }
        finally
        {
            place.Turn.Release();
        }
    }

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
    public async Task<string?> WaitReadyAsync(int node, TimeSpan timeout, CancellationToken cancellation)
    {
        var limit = MonotonicClock.NowNanoseconds + MonotonicClock.Nanoseconds(timeout);
        while (true)
        {
            var place = nodes[node];
            var problem = await ConnectionProbe.AskAsync(
                place.Endpoint,
                place.Credentials,
                s_answerTimeout,
                cancellation
            );
            if (problem is null || MonotonicClock.NowNanoseconds >= limit)
                return problem;
            await Task.Delay(s_pause, cancellation);
        }
    }

    /// <summary>Leaves the nodes as they were found: faults that did not end are ended.</summary>
    /// <exception cref="BrokerException">A node could not be brought back.</exception>
    public async ValueTask DisposeAsync()
    {
        for (var node = 0; node < nodes.Length; node++)
        {
            if (StateOf(node) == ClusterNodeState.Frozen)
                await ChangeAsync(node, FaultKind.Freeze, begins: false);
            else if (StateOf(node) == ClusterNodeState.Down)
                await ChangeAsync(node, FaultKind.Kill, begins: false);
        }
    }

    // The state of a node as far as this program changed it.
    private sealed class NodeChange
    {
        public SemaphoreSlim Turn { get; } = new(1);

        public volatile ClusterNodeState State;
    }
}
