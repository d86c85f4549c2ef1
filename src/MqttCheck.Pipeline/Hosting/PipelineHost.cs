using System.Diagnostics;
using System.Threading.Channels;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Pipeline.Hosting;

/// <summary>
/// The brokers of a pipeline in this process, on a log and a store that may be anywhere. The same state machines run
/// in simulations.
/// </summary>
/// <remarks>One loop calls all brokers, so they need no locks. Clients are callbacks and acknowledge at once.</remarks>
internal sealed class PipelineHost : IAsyncDisposable
{
    private readonly IMessageLog _log;
    private readonly ISessionStore _store;
    private readonly Action<int, StoredMessage> _delivered;
    private readonly Action<int, long> _acknowledged;
    private readonly Channel<Action> _inputs = Channel.CreateUnbounded<Action>();
    private readonly CancellationTokenSource _stop = new();
    private readonly Dictionary<int, (string Filter, PipelineSubscriber Subscriber)> _subscriptions = [];
    private readonly Dictionary<int, int> _connections = [];
    private readonly PipelineBroker[] _brokers;
    private readonly Task _loop;

    /// <summary>Starts the brokers.</summary>
    /// <param name="brokers">How many, at least one.</param>
    /// <param name="options">How they use log and store.</param>
    /// <param name="log">The log.</param>
    /// <param name="store">The store.</param>
    /// <param name="delivered">A client got a message. Called on the loop.</param>
    /// <param name="acknowledged">A publication was acknowledged. Called on the loop.</param>
    public PipelineHost(
        int brokers,
        PipelineOptions options,
        IMessageLog log,
        ISessionStore store,
        Action<int, StoredMessage> delivered,
        Action<int, long> acknowledged
    )
    {
        (_log, _store, _delivered, _acknowledged) = (log, store, delivered, acknowledged);
        _brokers =
        [
            .. Enumerable
                .Range(0, brokers)
                .Select(number => new PipelineBroker(number, brokers, options, new Outputs(this, number))),
        ];
        foreach (var broker in _brokers)
            Post(broker.Start);
        _loop = Task.Run(LoopAsync);
    }

    private static long Now => (long)Stopwatch.GetElapsedTime(0).TotalNanoseconds;

    /// <summary>A client subscribes at a broker.</summary>
    public void Subscribe(int client, int broker, string filter, bool isPersistent, int qos) =>
        Post(() =>
        {
            _subscriptions[client] = (filter, new PipelineSubscriber(client, isPersistent, qos));
            _connections[client] = broker;
            _brokers[broker].Connect(client, isPersistent);
        });

    /// <summary>The connection of a client ends; its session stays if it is persistent.</summary>
    public void Disconnect(int client) =>
        Post(() =>
        {
            if (_connections.Remove(client, out var broker))
                _brokers[broker].Disconnect(client);
        });

    /// <summary>A client publishes at a broker.</summary>
    public void Publish(int client, int broker, PipelineMessage message) =>
        Post(() => _brokers[broker].Publish(client, message));

    /// <summary>Ends the brokers. Log and store belong to the caller.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _inputs.Writer.TryComplete();
        await _loop;
        _stop.Dispose();
    }

    private void Post(Action input) => _inputs.Writer.TryWrite(input);

    private async Task LoopAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            var due = _brokers.Min(broker => broker.NextDue);
            await WaitAsync(due);
            while (!_stop.IsCancellationRequested && _inputs.Reader.TryRead(out var input))
                input();
            foreach (var broker in _brokers.Where(broker => broker.NextDue <= Now))
                broker.Tick(Now);
        }
    }

    private async Task WaitAsync(long due)
    {
        var input = _inputs.Reader.WaitToReadAsync(CancellationToken.None).AsTask();
        if (due == long.MaxValue)
            await input;
        else if (due > Now)
            await Task.WhenAny(input, Task.Delay(TimeSpan.FromMilliseconds((due - Now) / 1e6)));
    }

    private sealed class Outputs(PipelineHost host, int self)
        : PipelineRequests(host._log, host._store, host._stop.Token)
    {
        protected override PipelineBroker Core => host._brokers[self];

        protected override long Now => PipelineHost.Now;

        protected override void Post(Action input) => host.Post(input);

        public override void AcknowledgePublication(int client, long message) => host._acknowledged(client, message);

        public override void Deliver(int client, in StoredMessage stored)
        {
            host._delivered(client, stored);
            var packetId = stored.PacketId;
            if (packetId > 0)
                host.Post(() => Core.Acknowledge(client, packetId));
        }

        // Clients acknowledge each message in one step, whatever its quality of service.
        public override void Receive(int client, ushort packetId, long token) =>
            host.Post(() => Core.Received(token, succeeded: true, Now));

        public override void Release(int client, ushort packetId) =>
            host.Post(() => Core.Acknowledge(client, packetId));

        public override int NodeOf(int client) => host._connections.GetValueOrDefault(client, -1);

        public override IReadOnlyList<PipelineSubscriber> SubscribersOf(in PipelineMessage message)
        {
            var topic = message.Topic;
            return
            [
                .. host
                    ._subscriptions.Values.Where(entry => TopicFilter.Matches(entry.Filter, topic))
                    .Select(entry => entry.Subscriber),
            ];
        }
    }
}
