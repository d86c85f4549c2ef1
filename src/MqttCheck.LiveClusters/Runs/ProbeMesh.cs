using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors.Retained;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.Protocol;

namespace MqttCheck.LiveClusters.Runs;

/// <summary>The probes between all ordered pairs of nodes, on an event loop of their own.</summary>
internal sealed class ProbeMesh : IAsyncDisposable
{
    // Retained messages may travel for this long before all nodes are asked for them.
    private const long RetainedSettleNanoseconds = RegisterMonitor.BoundNanoseconds;
    private static readonly TimeSpan s_askPatience = TimeSpan.FromSeconds(1);

    // Retained messages may come after the acknowledgement of the subscription.
    private static readonly TimeSpan s_retainedPatience = TimeSpan.FromMilliseconds(300);

    // Probes have numbers above those of a load's messages.
    private const long FirstNumber = 1L << 62;

    private readonly IClusterUnderTest _cluster;
    private readonly LiveClusterEvents _events;
    private readonly ClientLoop _loop = new("probes");
    private readonly TaskCompletionSource _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _asked = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ProbeNode[] _clients;
    private readonly int _firstClient;
    private readonly IReadOnlySet<int> _later;
    private readonly BridgeReach? _reach;
    private long _number = FirstNumber;

    /// <summary>Probes that do not connect yet.</summary>
    /// <param name="cluster">The cluster.</param>
    /// <param name="prefix">The prefix of topics.</param>
    /// <param name="clientPrefix">The prefix of client identifiers.</param>
    /// <param name="perSecond">Probes of each ordered pair each second.</param>
    /// <param name="qos">Their quality of service: 0 or 1.</param>
    /// <param name="firstClient">The index of the first probe client among all clients.</param>
    /// <param name="later">Nodes that join later.</param>
    /// <param name="events">Takes what happens.</param>
    public ProbeMesh(
        IClusterUnderTest cluster,
        string prefix,
        string clientPrefix,
        double perSecond,
        QualityOfService qos,
        int firstClient,
        IReadOnlySet<int> later,
        LiveClusterEvents events
    )
    {
        (_cluster, Qos, _firstClient, _later, _events) = (cluster, qos, firstClient, later, events);
        (Prefix, ClientPrefix) = (prefix, clientPrefix.Replace("/", "", StringComparison.Ordinal));
        ReadsRetained = cluster.Topology.System.Has(SystemTraits.RetainedLinearizable);
        _reach = cluster.Topology.HasBridges ? new BridgeReach(cluster.Topology) : null;
        IntervalNanoseconds = (long)(1e9 / perSecond);
        Nodes = cluster.Topology.Brokers;
        _clients = [.. Nodes.Select(node => new ProbeNode(this, node))];
    }

    /// <summary>The event loop.</summary>
    public IWire Wire => _loop.Wire;

    public string Prefix { get; }

    public string ClientPrefix { get; }

    public QualityOfService Qos { get; }

    public long IntervalNanoseconds { get; }

    /// <summary>The nodes that serve clients.</summary>
    public IReadOnlyList<int> Nodes { get; }

    /// <summary>Retained messages are published until this time.</summary>
    public long RetainedUntil { get; private set; }

    /// <summary>
    /// Whether nodes are asked for retained messages all the time, because every answer has to be the latest.
    /// </summary>
    public bool ReadsRetained { get; }

    /// <summary>Whether nobody connects any more.</summary>
    public bool IsOver { get; private set; }

    public WireEndpoint EndpointOf(int node) => _cluster.EndpointOf(node)!;

    public Credentials? CredentialsOf(int node) => _cluster.CredentialsOf(node);

    public long NextNumber() => _number++;

    /// <summary>
    /// Whether probes of a node reach another one, because a bridge forwards some topics in some directions only.
    /// </summary>
    public bool CanReach(int from, int to) => _reach?.Reaches(from, to, ClusterTopics.Probe(Prefix, from, to)) ?? true;

    /// <summary>A client is ready.</summary>
    public void Ready()
    {
        for (var place = 0; place < _clients.Length; place++)
        {
            if (!_clients[place].WasReady && !_later.Contains(Nodes[place]))
                return;
        }
        _ready.TrySetResult();
    }

    /// <summary>Connects, and returns when every client of a running node is ready.</summary>
    /// <param name="timeout">How long at most.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="BrokerException">Not every node takes a probe client.</exception>
    public Task ConnectAsync(TimeSpan timeout, CancellationToken cancellation) =>
        _loop.StartAsync(
            () =>
            {
                foreach (var client in _clients)
                    client.Connect();
            },
            _ready.Task,
            timeout,
            () =>
                $"Cluster {_cluster.Topology.Name}: node "
                + _cluster.Topology.Nodes[Nodes[_clients.Index().First(client => !client.Item.WasReady).Index]].Name
                + " takes no probe client",
            cancellation
        );

    /// <summary>Begins to send, each node at a time of its own.</summary>
    /// <param name="at">The time of the first probe.</param>
    /// <param name="end">The time at which probes end.</param>
    public void Begin(long at, long end) =>
        Wire.Post(() =>
        {
            RetainedUntil = end - RetainedSettleNanoseconds;
            for (var place = 0; place < _clients.Length; place++)
                _clients[place].Begin(at + place * IntervalNanoseconds / _clients.Length);
        });

    /// <summary>A probe was sent, or has come.</summary>
    public void Note(
        ClusterEventKind kind,
        int node,
        int peer,
        long number,
        string topic,
        long at,
        bool isRetained = false,
        long asked = 0
    ) =>
        _events.Add(
            new ClusterEvent
            {
                Nanoseconds = at,
                Kind = kind,
                Node = node,
                Peer = peer,
                Client = _firstClient + node,
                Message = number,
                Topic = topic,
                Qos = (int)Qos,
                IsRetained = isRetained,
                Value = asked,
            }
        );

    /// <summary>The retained messages of a node were asked for.</summary>
    public void Asked()
    {
        if (_clients.All(client => client.IsAsking != true))
            _asked.TrySetResult();
    }

    /// <summary>
    /// Ends the probes: nothing more is sent, and messages under way are still taken. The nodes are asked for the
    /// retained messages that they hold, which are then cleared.
    /// </summary>
    public async Task EndAsync()
    {
        Wire.Post(() =>
        {
            IsOver = true;
            foreach (var client in _clients)
                client.AskRetained();
            Asked();
        });
        await Task.WhenAny(_asked.Task, Task.Delay(s_askPatience));
        await Task.Delay(s_retainedPatience);
        Wire.Post(() =>
        {
            foreach (var client in _clients)
                client.ClearRetained();
        });
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _loop.DisposeAsync();
}
