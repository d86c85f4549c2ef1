using System.Net;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Probes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Links;
using MqttCheck.LiveClusters.Nodes;
using MqttCheck.LiveClusters.Recipes;
using MqttCheck.Protocol;

namespace MqttCheck.LiveClusters.Launching;

/// <summary>A cluster whose nodes were started here, with relays on their links.</summary>
/// <param name="topology">Nodes and links.</param>
/// <param name="recipe">How nodes are started.</param>
/// <param name="description">The known properties of the brokers.</param>
/// <param name="directory">The directory that holds those of the nodes.</param>
/// <param name="links">The relays.</param>
/// <param name="nodes">The nodes, which do not run yet.</param>
/// <param name="notes">Reads the notes of the nodes; null if nobody wants them.</param>
internal sealed class LaunchedCluster(
    Topology topology,
    IClusterRecipe recipe,
    BrokerDescription description,
    ClusterDirectory directory,
    LinkLoop links,
    ClusterNode[] nodes,
    NoteReader? notes
) : IClusterUnderTest
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(5);

    /// <inheritdoc/>
    public Topology Topology { get; } = topology;

    /// <inheritdoc/>
    public BrokerDescription Description { get; } = description;

    /// <inheritdoc/>
    public IPEndPoint Address => Endpoints[0].Address;

    /// <inheritdoc/>
    public IReadOnlyList<WireEndpoint> Endpoints => [.. Topology.Brokers.Select(node => EndpointOf(node)!)];

    /// <inheritdoc/>
    public bool Failover { get; init; }

    /// <inheritdoc/>
    public Credentials? Credentials => recipe.Credentials;

    /// <inheritdoc/>
    public string? Failure => nodes.Select(node => node.Failure).FirstOrDefault(failure => failure is not null);

    /// <summary>The relays between clients and brokers; null if there are none.</summary>
    internal ClientRelays? Clients { get; init; }

    /// <summary>Is told of what could not be cleaned up at once. Default nobody.</summary>
    internal Action<string>? Warned { get; init; }

    /// <summary>The links.</summary>
    internal LinkLoop Links => links;

    /// <summary>The path of the directory that holds those of the nodes.</summary>
    internal string DirectoryPath => directory.Path;

    /// <inheritdoc/>
    public WireEndpoint? EndpointOf(int node) =>
        Topology.Nodes[node].Kind == NodeKind.Broker ? Clients?.EndpointOf(node) ?? nodes[node].Plan.Endpoint : null;

    /// <inheritdoc/>
    public Credentials? CredentialsOf(int node) =>
        nodes[node].Plan.Remote is { } remote ? remote.Credentials : recipe.CredentialsOf(node);

    /// <inheritdoc/>
    public WireEndpoint? EndpointOf(TopologySite site) => Clients?.EndpointOf(site);

    /// <inheritdoc/>
    public ClusterNodeState StateOf(int node) => nodes[node].State;

    /// <inheritdoc/>
    public string? FailureOf(int node) => nodes[node].Failure;

    /// <summary>The process of a node that runs.</summary>
    /// <param name="node">The node.</param>
    public async Task<int> ProcessIdOf(int node) =>
        nodes[node].Child is { } child && await child.ProcessId is { } id
            ? id
            : throw new BrokerException($"Node {Topology.Nodes[node].Name} does not run.");

    /// <summary>The last lines that a node printed.</summary>
    /// <param name="node">The node.</param>
    public string OutputOf(int node) => nodes[node].Child?.Output ?? "";

    /// <inheritdoc/>
    public Task RehearseAsync(int node) => nodes[node].RehearseAsync();

    /// <inheritdoc/>
    public async Task ChangeAsync(int node, FaultKind kind, bool begins)
    {
        await nodes[node].ChangeAsync(kind, begins);
        if (kind != FaultKind.Leave)
            return;
        var member = Array.Find(nodes, other => other.State == ClusterNodeState.Running);
        if (member is not null && recipe.Leave(nodes[node].Plan, member.Plan) is { } command)
            await new FaultCommand($"{Topology.Name}: node {Topology.Nodes[node].Name}", "leave", command).RunAsync();
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<string>> ChangeFilesAsync(int node, ClusterFault fault, ulong seed) =>
        nodes[node].ChangeFilesAsync(fault, seed);

    /// <inheritdoc/>
    public Task PartClientsAsync(int node, bool isParted) => Clients?.PartAsync(node, isParted) ?? Task.CompletedTask;

    /// <inheritdoc/>
    public Task MendAsync(int node) => nodes[node].MendAsync();

    /// <inheritdoc/>
    public async Task<bool> TryRenewAsync(int node)
    {
        if (nodes[node].Plan.Remote is not null)
            return false;
        await nodes[node].RenewAsync();
        return true;
    }

    /// <summary>Gives a node that does not run yet a disk of its own.</summary>
    /// <param name="node">The node.</param>
    /// <exception cref="BrokerException">This machine has no such disks.</exception>
    public Task MakeDiskAsync(int node) => nodes[node].MakeDiskAsync(directory.ImageOfNode(Topology.Nodes[node].Name));

    /// <inheritdoc/>
    public Task DisturbAsync(int one, int other, ClusterFault fault) =>
        OnLinkAsync(
            one,
            other,
            network =>
            {
                switch (fault.Kind)
                {
                    case FaultKind.Cut:
                        network.Cut(one, other);
                        break;
                    case FaultKind.Partition when fault.IsOneWay:
                        var isThere = fault.Sides[0].Contains(Topology.Nodes[one].Name);
                        network[isThere ? one : other, isThere ? other : one].IsStalled = true;
                        break;
                    case FaultKind.Partition:
                        network.Stall(one, other);
                        break;
                    case FaultKind.Slow:
                        network.Slow(one, other, Slowed(fault, LawOf(Topology, one, other)));
                        break;
                    default:
                        throw fault.Kind.Refusal(
                            Topology.Name,
                            "made on links",
                            FaultKinds.Of(FaultShape.Link, FaultShape.Sides)
                        );
                }
            }
        );

    /// <inheritdoc/>
    public Task HealAsync(int one, int other) => OnLinkAsync(one, other, network => network.Heal(one, other));

    /// <inheritdoc/>
    public Task<LinkCounters> CountersAsync(int from, int to) =>
        links.InvokeAsync(network =>
            network.Has(from, to) ? network[from, to].Counters.Snapshot() : new LinkCounters()
        );

    /// <inheritdoc/>
    public async Task<string?> WaitReadyAsync(int node, TimeSpan timeout, CancellationToken cancellation)
    {
        var (place, limit) = (nodes[node], MonotonicClock.NowNanoseconds + MonotonicClock.Nanoseconds(timeout));
        while (true)
        {
            var endpoint = place.Plan.Endpoint;
            var problem =
                place.State == ClusterNodeState.Down ? "is down"
                : place.Failure is not null ? "has ended"
                : place.Plan.Node.Kind != NodeKind.Broker ? await PortProbe.AskAsync(endpoint.Address, cancellation)
                : await ConnectionProbe.AskAsync(endpoint, CredentialsOf(node), AnswerTimeout, cancellation);
            if (problem is null || place.Failure is not null || MonotonicClock.NowNanoseconds >= limit)
                return problem;
            await Task.Delay(Pause, cancellation);
        }
    }

    /// <summary>
    /// Waits until the bridges from one node to another were accepted: their subscriptions, or the connection of one
    /// that only sends.
    /// </summary>
    /// <param name="from">The node that opens them.</param>
    /// <param name="to">The other one.</param>
    /// <param name="timeout">How long at most.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <returns>Whether they were.</returns>
    public async Task<bool> WaitBridgeAsync(int from, int to, TimeSpan timeout, CancellationToken cancellation)
    {
        var limit = MonotonicClock.NowNanoseconds + MonotonicClock.Nanoseconds(timeout);
        var bridges = Topology.Links.Where(link => (link.From, link.To) == (from, to) && !link.IsOnDemand).ToList();
        var receiving = bridges.Count(bridge => BridgeForwarding.LinesOf(bridge, isOut: false).Any());
        while (
            !await links.InvokeAsync(network =>
                network.Answered(from, to, PacketType.Connack) >= bridges.Count
                && network.Answered(from, to, PacketType.Suback) >= receiving
            )
        )
        {
            if (MonotonicClock.NowNanoseconds >= limit)
                return false;
            await Task.Delay(Pause, cancellation);
        }
        return true;
    }

    /// <inheritdoc/>
    public async Task WaitBridgesAsync(int node, int peer, TimeSpan timeout, CancellationToken cancellation)
    {
        if (!recipe.HasBridges)
            return;
        await Task.WhenAll(
            Topology
                .Links.Where(link => IsEnd(link, node) && (peer < 0 || IsEnd(link, peer)))
                .Select(link => WaitBridgeAsync(link.From, link.To, timeout, cancellation))
        );
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await Task.WhenAll(nodes.Select(EndAsync));
        await links.DisposeAsync();
        if (Clients is not null)
            await Clients.DisposeAsync();
        if (notes is not null)
            await notes.DisposeAsync();
        await directory.DisposeAsync();
    }

    // A disk that is still in use is detached. It must not keep the other nodes from ending.
    private async Task EndAsync(ClusterNode node)
    {
        try
        {
            await node.DisposeAsync();
        }
        catch (BrokerException busy)
        {
            Warned?.Invoke($"node {node.Plan.Node.Name}: {busy.Message}");
        }
    }

    private static bool IsEnd(TopologyLink link, int node) => link.From == node || link.To == node;

    /// <summary>The law of the first link that joins two nodes.</summary>
    internal static LinkLaw LawOf(Topology topology, int one, int other)
    {
        var links = topology.LinksBetween(one, other);
        if (links.Count == 0)
            return new LinkLaw();
        var link = topology.Links[links[0]];
        return new LinkLaw
        {
            DelayMilliseconds = link.DelayMilliseconds,
            BitsPerSecond = link.BitsPerSecond,
            Loss = link.Loss,
        };
    }

    private static LinkLaw Slowed(ClusterFault fault, LinkLaw usual) =>
        usual with
        {
            DelayMilliseconds = fault.DelayMilliseconds ?? usual.DelayMilliseconds,
            BitsPerSecond = fault.BitsPerSecond ?? usual.BitsPerSecond,
            Loss = fault.Loss ?? usual.Loss,
        };

    private Task OnLinkAsync(int one, int other, Action<LinkNetwork> action) =>
        links.InvokeAsync(network =>
        {
            if (!network.Has(one, other))
                throw new BrokerException(
                    $"Cluster {Topology.Name}: no connection joins nodes {Topology.Nodes[one].Name} and "
                        + $"{Topology.Nodes[other].Name}, so that it cannot fail."
                );
            action(network);
        });
}
