using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Properties;
using MqttCheck.LiveClusters.Launching;
using static System.FormattableString;

namespace MqttCheck.LiveClusters.Runs;

/// <summary>
/// A client of each broker that writes retained messages, each on a topic of its own, and asks the broker for them at
/// the end. A broker by itself hands out what it has acknowledged (MQTT-3.3.1-6), whatever the others know.
/// </summary>
internal sealed class KeeperMesh : IAsyncDisposable
{
    private static readonly TimeSpan s_poll = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan s_asking = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_clearing = TimeSpan.FromSeconds(1);

    private readonly IClusterUnderTest _cluster;
    private readonly ClientLoop _loop = new("keepers");
    private readonly KeeperClient[] _clients;
    private readonly IReadOnlySet<int> _later;
    private readonly TimeSpan _patience;
    private readonly TaskCompletionSource _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Clients that do not connect yet.</summary>
    /// <param name="cluster">The cluster.</param>
    /// <param name="topics">The beginning of topics.</param>
    /// <param name="clientPrefix">The beginning of client identifiers.</param>
    /// <param name="later">Nodes that join later.</param>
    /// <param name="patience">How long missing messages are waited for at the end.</param>
    public KeeperMesh(
        IClusterUnderTest cluster,
        string topics,
        string clientPrefix,
        IReadOnlySet<int> later,
        TimeSpan patience
    )
    {
        (_cluster, _later, _patience) = (cluster, later, patience);
        var prefix = clientPrefix.Replace("/", "", StringComparison.Ordinal);
        _clients =
        [
            .. cluster.Topology.Brokers.Select(node => new KeeperClient(
                this,
                Invariant($"{prefix}keep{node}"),
                node,
                number => ClusterTopics.Kept(topics, node, number)
            )),
        ];
    }

    /// <summary>The event loop.</summary>
    public IWire Wire => _loop.Wire;

    /// <summary>Whether nobody connects any more.</summary>
    public bool IsOver { get; private set; }

    /// <summary>How clients reach a node.</summary>
    public WireEndpoint EndpointOf(int node) => _cluster.EndpointOf(node)!;

    /// <summary>How clients log in at a node.</summary>
    public Credentials? CredentialsOf(int node) => _cluster.CredentialsOf(node);

    /// <summary>The name of a node.</summary>
    public string NameOf(int node) => _cluster.Topology.Nodes[node].Name;

    /// <summary>A client is connected.</summary>
    public void Ready()
    {
        if (_clients.All(client => client.WasReady || _later.Contains(client.Node)))
            _ready.TrySetResult();
    }

    /// <summary>Connects, and returns when all clients of running nodes are connected.</summary>
    /// <param name="timeout">How long at most.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="BrokerException">Not every node takes its client.</exception>
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
                + NameOf(_clients.First(client => !client.WasReady && !_later.Contains(client.Node)).Node)
                + " takes no client of retained messages",
            cancellation
        );

    /// <summary>Begins to write.</summary>
    /// <param name="start">The time of the first message.</param>
    /// <param name="end">The time after the last one.</param>
    public void Begin(long start, long end) =>
        Wire.Post(() =>
        {
            foreach (var client in _clients)
                client.Begin(start, end);
        });

    /// <summary>Asks for what was acknowledged, says what is missing, and clears all of it.</summary>
    public async Task<KeptOutcome> EndAsync()
    {
        // A node that was away may still be learning what it has to keep, so that it is asked again.
        var deadline = MonotonicClock.NowNanoseconds + MonotonicClock.Nanoseconds(_patience);
        do
        {
            Wire.Post(() =>
            {
                foreach (var client in _clients)
                    client.Ask();
            });
            await UntilAsync(() => _clients.All(client => client.HasAll), s_asking);
        } while (
            !await AskedAsync(() => _clients.All(client => client.HasAll)) && MonotonicClock.NowNanoseconds < deadline
        );
        KeptOutcome outcome = new(0, 0, "");
        await InvokeAsync(() =>
        {
            outcome = new(
                _clients.Sum(client => client.Acknowledged),
                _clients.Sum(client => client.Missing.Count),
                _clients.SelectMany(client => client.Missing).FirstOrDefault("")
            );
            foreach (var client in _clients)
                client.Clear();
        });
        await UntilAsync(() => _clients.All(client => client.IsCleared), s_clearing);
        Wire.Post(() =>
        {
            IsOver = true;
            foreach (var client in _clients)
                client.Leave();
        });
        return outcome;
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _loop.DisposeAsync();

    private async Task UntilAsync(Func<bool> isDone, TimeSpan patience)
    {
        var deadline = MonotonicClock.NowNanoseconds + MonotonicClock.Nanoseconds(patience);
        while (!await AskedAsync(isDone) && MonotonicClock.NowNanoseconds < deadline)
            await Task.Delay(s_poll);
    }

    private async Task<bool> AskedAsync(Func<bool> isDone)
    {
        var answer = false;
        await InvokeAsync(() => answer = isDone());
        return answer;
    }

    private async Task InvokeAsync(Action action)
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Wire.Post(() =>
        {
            action();
            done.SetResult();
        });
        await Task.WhenAny(done.Task, _loop.Ended);
    }
}
