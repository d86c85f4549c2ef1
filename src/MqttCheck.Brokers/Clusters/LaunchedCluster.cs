using System.Net;
using MqttCheck.Brokers.Clusters.Nodes;
using MqttCheck.Brokers.Links;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Probes;
using MqttCheck.Brokers.Processes.Recipes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.Brokers.Clusters;

/// <summary>A cluster whose nodes were started here, with relays on their links.</summary>
internal sealed class LaunchedCluster : IClusterUnderTest
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(5);

    private readonly IClusterRecipe _recipe;
    private readonly ClusterDirectory _directory;
    private readonly LinkLoop _links;
    private readonly ClusterNode[] _nodes;
    private readonly NoteReader? _notes;

    /// <summary>A cluster whose nodes do not run yet.</summary>
    public LaunchedCluster(
        Topology topology,
        IClusterRecipe recipe,
        BrokerDescription description,
        ClusterDirectory directory,
        LinkLoop links,
        ClusterNode[] nodes,
        NoteReader? notes
    )
    {
        (Topology, _recipe, Description) = (topology, recipe, description);
        (_directory, _links, _nodes, _notes) = (directory, links, nodes, notes);
    }

    /// <inheritdoc/>
    public Topology Topology { get; }

    /// <inheritdoc/>
    public BrokerDescription Description { get; }

    /// <inheritdoc/>
    public IPEndPoint Address => Endpoints[0].Address;

    /// <inheritdoc/>
    public IReadOnlyList<WireEndpoint> Endpoints => [.. Topology.Brokers.Select(node => EndpointOf(node)!)];

    /// <inheritdoc/>
    public bool Failover { get; init; }

    /// <inheritdoc/>
    public Credentials? Credentials => _recipe.Credentials;

    /// <inheritdoc/>
    public int? ProcessId => null;

    /// <inheritdoc/>
    public string? Failure => _nodes.Select(node => node.Failure).FirstOrDefault(failure => failure is not null);

    /// <inheritdoc/>
    public string? WhyNoNodeFaults => null;

    /// <inheritdoc/>
    public string? WhyNoLinkFaults => _recipe.WhyNoLinkFaults;

    /// <summary>The ways of clients that are not where their broker is; null without such.</summary>
    internal SiteRelays? Sites { get; init; }

    /// <summary>The links.</summary>
    internal LinkLoop Links => _links;

    /// <summary>The path of the directory that holds those of the nodes.</summary>
    internal string DirectoryPath => _directory.Path;

    /// <inheritdoc/>
    public WireEndpoint? EndpointOf(int node) =>
        Topology.Nodes[node].Kind == NodeKind.Broker
            ? new WireEndpoint(new IPEndPoint(IPAddress.Loopback, _nodes[node].Plan.Port))
            : null;

    /// <inheritdoc/>
    public WireEndpoint? EndpointOf(TopologySite site) => Sites?.EndpointOf(site);

    /// <inheritdoc/>
    public ClusterNodeState StateOf(int node) => _nodes[node].State;

    /// <inheritdoc/>
    public string? FailureOf(int node) => _nodes[node].Failure;

    /// <summary>The process of a node that runs.</summary>
    /// <param name="node">The node.</param>
    public async Task<int> ProcessIdOf(int node) =>
        _nodes[node].Child is { } child && await child.ProcessId is { } id
            ? id
            : throw new BrokerException($"Node {Topology.Nodes[node].Name} does not run.");

    /// <summary>The last lines that a node printed.</summary>
    /// <param name="node">The node.</param>
    public string OutputOf(int node) => _nodes[node].Child?.Output ?? "";

    /// <inheritdoc/>
    public Task RehearseAsync(int node) => _nodes[node].RehearseAsync();

    /// <inheritdoc/>
    public Task KillAsync(int node) => _nodes[node].KillAsync();

    /// <inheritdoc/>
    public Task StopAsync(int node) => _nodes[node].StopAsync();

    /// <inheritdoc/>
    public Task RestartAsync(int node) => _nodes[node].StartAsync();

    /// <inheritdoc/>
    public Task FreezeAsync(int node) => _nodes[node].FreezeAsync();

    /// <inheritdoc/>
    public Task ContinueAsync(int node) => _nodes[node].ContinueAsync();

    /// <inheritdoc/>
    public Task CutAsync(int one, int other) => OnLinkAsync(one, other, network => network.Cut(one, other));

    /// <inheritdoc/>
    public Task PartitionAsync(int one, int other) => OnLinkAsync(one, other, network => network.Stall(one, other));

    /// <inheritdoc/>
    public Task HealAsync(int one, int other) => OnLinkAsync(one, other, network => network.Heal(one, other));

    /// <inheritdoc/>
    public Task SlowAsync(int one, int other, LinkLaw law) =>
        OnLinkAsync(one, other, network => network.Slow(one, other, law));

    /// <inheritdoc/>
    public LinkLaw LawOf(int one, int other) => LawOf(Topology, one, other);

    /// <inheritdoc/>
    public Task<LinkCounters> CountersAsync(int from, int to) =>
        _links.InvokeAsync(network =>
            network.Has(from, to) ? network[from, to].Counters.Snapshot() : new LinkCounters()
        );

    /// <inheritdoc/>
    public async Task<string?> WaitReadyAsync(int node, TimeSpan timeout, CancellationToken cancellation)
    {
        var (place, limit) = (_nodes[node], MonotonicClock.NowNanoseconds + MonotonicClock.Nanoseconds(timeout));
        while (true)
        {
            var endpoint = new WireEndpoint(new IPEndPoint(IPAddress.Loopback, place.Plan.Port));
            var problem =
                place.State == ClusterNodeState.Down ? "is down"
                : place.Failure is not null ? "has ended"
                : place.Plan.Node.Kind != NodeKind.Broker ? await PortProbe.AskAsync(endpoint.Address, cancellation)
                : await ConnectionProbe.AskAsync(endpoint, Credentials, AnswerTimeout, cancellation);
            if (problem is null || place.Failure is not null || MonotonicClock.NowNanoseconds >= limit)
                return problem;
            await Task.Delay(Pause, cancellation);
        }
    }

    /// <summary>Waits until the bridge between two nodes was accepted.</summary>
    /// <param name="from">The node that opens it.</param>
    /// <param name="to">The other one.</param>
    /// <param name="timeout">How long at most.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <returns>Whether it was.</returns>
    public async Task<bool> WaitBridgeAsync(int from, int to, TimeSpan timeout, CancellationToken cancellation)
    {
        var limit = MonotonicClock.NowNanoseconds + MonotonicClock.Nanoseconds(timeout);
        while ((await CountersAsync(to, from)).PacketsOf(Protocol.PacketType.Suback) == 0)
        {
            if (MonotonicClock.NowNanoseconds >= limit)
                return false;
            await Task.Delay(Pause, cancellation);
        }
        return true;
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await Task.WhenAll(_nodes.Select(node => node.DisposeAsync().AsTask()));
        await _links.DisposeAsync();
        if (Sites is not null)
            await Sites.DisposeAsync();
        if (_notes is not null)
            await _notes.DisposeAsync();
        await _directory.DisposeAsync();
    }

    /// <summary>The law of the link between two nodes: of the first that joins them.</summary>
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

    private Task OnLinkAsync(int one, int other, Action<LinkNetwork> action)
    {
        if (WhyNoLinkFaults is { } why)
            throw new BrokerException(why);
        return _links.InvokeAsync(network =>
        {
            if (!network.Has(one, other))
                throw new BrokerException(
                    $"Cluster {Topology.Name}: no connection joins nodes {Topology.Nodes[one].Name} and "
                        + $"{Topology.Nodes[other].Name}, so that it cannot fail."
                );
            action(network);
        });
    }
}
