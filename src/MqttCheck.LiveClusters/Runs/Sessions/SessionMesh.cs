using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies.Sessions;
using MqttCheck.LiveClusters.Launching;

namespace MqttCheck.LiveClusters.Runs.Sessions;

/// <summary>
/// The clients of a run that share subscriptions, take over or leave a will, on an event loop of their own. Each group
/// has a member at each broker, and two at a single one; each client that takes over does so at the next broker, once.
/// </summary>
internal sealed class SessionMesh : IAsyncDisposable
{
    // Numbers lie between those of a load's messages and those of probes.
    private const long FirstNumber = 1L << 61;
    private static readonly TimeSpan s_poll = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan s_forgetting = TimeSpan.FromSeconds(1);

    private readonly IClusterUnderTest _cluster;
    private readonly LiveClusterEvents _events;
    private readonly ClientLoop _loop = new("sessions");
    private readonly SessionLoad _load;
    private readonly List<SessionClient> _clients = [];
    private readonly List<WillClient> _mortals = [];
    private readonly List<(SessionClient Older, SessionClient Newer)> _pairs = [];
    private readonly HashSet<long> _missing = [];
    private readonly TaskCompletionSource _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly IReadOnlySet<int> _later;
    private long _number = FirstNumber;
    private int _lastClient;

    /// <summary>Clients that do not connect yet.</summary>
    /// <param name="cluster">The cluster, with at least two brokers.</param>
    /// <param name="load">How many there are.</param>
    /// <param name="topics">The beginning of topics.</param>
    /// <param name="clientPrefix">The beginning of client identifiers.</param>
    /// <param name="firstClient">The index of the first one among all clients of the run.</param>
    /// <param name="later">Nodes that join later.</param>
    /// <param name="events">Takes what happens.</param>
    public SessionMesh(
        IClusterUnderTest cluster,
        SessionLoad load,
        string topics,
        string clientPrefix,
        int firstClient,
        IReadOnlySet<int> later,
        LiveClusterEvents events
    )
    {
        (_cluster, _load, _later, _events) = (cluster, load, later, events);
        _lastClient = firstClient - 1;
        var prefix = clientPrefix.Replace("/", "", StringComparison.Ordinal);
        for (var group = 0; group < load.SharedSubscriptions; group++)
            AddGroup(group, topics, prefix);
        for (var client = 0; client < load.TakeOvers; client++)
            AddTakeOver(client, topics, prefix);
        for (var will = 0; will < load.Wills; will++)
            AddWill(will, topics, prefix);
    }

    /// <summary>How long missing messages are waited for where nobody says so: 5 s.</summary>
    public static TimeSpan UsualDrain { get; } = TimeSpan.FromSeconds(5);

    /// <summary>How long missing messages are waited for at the end. Default 5 s.</summary>
    public TimeSpan Drain { get; init; } = UsualDrain;

    /// <summary>The event loop.</summary>
    public IWire Wire => _loop.Wire;

    /// <summary>The time between two messages of a publisher.</summary>
    public static long IntervalNanoseconds => 1_000_000_000 / SessionLoad.MessagesPerSecond;

    /// <summary>Whether nothing is published any more.</summary>
    public bool HasPublished { get; private set; }

    /// <summary>Whether nobody connects any more.</summary>
    public bool IsOver { get; private set; }

    private IReadOnlyList<int> Brokers => _cluster.Topology.Brokers;

    /// <summary>How clients reach a node.</summary>
    public WireEndpoint EndpointOf(int node) => _cluster.EndpointOf(node)!;

    /// <summary>How clients log in at a node.</summary>
    public Credentials? CredentialsOf(int node) => _cluster.CredentialsOf(node);

    /// <summary>The number of the next message.</summary>
    public long NextNumber() => _number++;

    /// <summary>A client has what it asked for, or was refused it.</summary>
    public void Ready()
    {
        if (Waited.All(client => client.WasReady))
            _ready.TrySetResult();
    }

    /// <summary>Takes an event of a client.</summary>
    public void Note(in ClusterEvent clusterEvent)
    {
        if (clusterEvent is { Kind: ClusterEventKind.Published or ClusterEventKind.WillOwed, Qos: > 0 })
            _missing.Add(clusterEvent.Message);
        else if (clusterEvent.Kind == ClusterEventKind.Delivered)
            _missing.Remove(clusterEvent.Message);
        _events.Add(clusterEvent with { IsOfSessions = true });
    }

    /// <summary>Connects, and returns when all clients of running nodes have subscribed.</summary>
    /// <param name="timeout">How long at most.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="BrokerException">Not every node takes its clients.</exception>
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
                + _cluster.Topology.Nodes[Waited.First(client => !client.WasReady).Node].Name
                + " does not answer clients of 'sessions'",
            cancellation
        );

    /// <summary>Begins to publish, and to take over.</summary>
    /// <param name="start">The time of the first message.</param>
    /// <param name="end">The time after the last one.</param>
    public void Begin(long start, long end) =>
        Wire.Post(() =>
        {
            foreach (var client in _clients)
                client.Begin(start);
            foreach (var mortal in _mortals)
                mortal.Begin(start);
            for (var client = 0; client < _pairs.Count; client++)
            {
                var (older, newer) = _pairs[client];
                newer.TakeOver(older, start + _load.TakeOverAt(client, end - start));
            }
        });

    /// <summary>Ends publishing, waits for what is under way, and ends all sessions.</summary>
    public async Task EndAsync()
    {
        Wire.Post(() => HasPublished = true);
        var deadline = MonotonicClock.NowNanoseconds + (long)Drain.TotalNanoseconds;
        while (await IsMissingAsync() && MonotonicClock.NowNanoseconds < deadline)
            await Task.Delay(s_poll);
        Wire.Post(() =>
        {
            IsOver = true;
            foreach (var client in All)
                client.Forget();
            foreach (var mortal in _mortals)
                mortal.Forget();
        });
        var forgotten = MonotonicClock.NowNanoseconds + (long)s_forgetting.TotalNanoseconds;
        while (
            await AnyAsync(() => All.Any(client => client.IsForgetting)) && MonotonicClock.NowNanoseconds < forgotten
        )
            await Task.Delay(s_poll);
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _loop.DisposeAsync();

    private IEnumerable<SessionClient> All => _clients.Concat(_pairs.Select(pair => pair.Newer));

    private IEnumerable<SessionClient> Waited => _clients.Where(client => !_later.Contains(client.Node));

    private void AddGroup(int group, string topics, string prefix)
    {
        var topic = ClusterTopics.Session(topics, "share", group);
        for (var member = 0; member < Math.Max(2, Brokers.Count); member++)
            Add(
                $"{prefix}share{group}m{member}",
                Broker(group + member),
                ++_lastClient,
                topic,
                $"$share/g{group}/{topic}"
            );
        Add($"{prefix}share{group}", Broker(group), ++_lastClient, topic, null);
    }

    // Every other session is to outlive its connection.
    private void AddTakeOver(int number, string topics, string prefix)
    {
        var topic = ClusterTopics.Session(topics, "client", number);
        var (name, isClean, client) = ($"{prefix}over{number}", number % 2 == 0, ++_lastClient);
        var older = Add(name, Broker(number), client, topic, topic, isClean);
        var newer = new SessionClient(this, name, Broker(number + 1), client, topic, topic, isClean);
        _pairs.Add((older, newer));
        Add($"{name}from", Broker(number + 2), ++_lastClient, topic, null);
    }

    private void AddWill(int number, string topics, string prefix)
    {
        var topic = ClusterTopics.Session(topics, "will", number);
        Add($"{prefix}heir{number}", Broker(number + 1), ++_lastClient, topic, topic);
        _mortals.Add(new WillClient(this, $"{prefix}will{number}", Broker(number), ++_lastClient, topic));
    }

    private SessionClient Add(string name, int node, int client, string topic, string? filter, bool isClean = true)
    {
        var added = new SessionClient(this, name, node, client, topic, filter, isClean);
        _clients.Add(added);
        return added;
    }

    private int Broker(int place) => Brokers[place % Brokers.Count];

    private Task<bool> IsMissingAsync() => AnyAsync(() => _missing.Count > 0);

    // Clients belong to the thread of the wire.
    private Task<bool> AnyAsync(Func<bool> question)
    {
        var answer = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        Wire.Post(() => answer.TrySetResult(question()));
        return Task.WhenAny(answer.Task, _loop.Ended)
            .ContinueWith(_ => answer.Task is { IsCompletedSuccessfully: true, Result: true }, TaskScheduler.Default);
    }
}
