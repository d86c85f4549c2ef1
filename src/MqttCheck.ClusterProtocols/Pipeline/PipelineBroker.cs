using System.Diagnostics.CodeAnalysis;

namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>
/// One broker of the pipeline as a pure state machine: publications go to the log, packs of the log to the store, and
/// stored messages to clients. What happens goes in with its time, and what the broker does comes out.
/// </summary>
/// <remarks>
/// Not thread-safe. A broker works on the partitions that it owns, whichever brokers are alive: partition p of n
/// brokers belongs to broker p mod n. A pack is polled when the one before is committed.
/// Source: as <see cref="SessionStoreModel"/>; the stages follow the program that the article describes.
/// </remarks>
internal sealed partial class PipelineBroker
{
    // How often a pack is done again at most.
    private const int MostRetries = 3;

    private readonly PipelineOptions _options;
    private readonly IPipelineOutput _output;
    private readonly int _self;
    private readonly List<PackConsumer> _consumers = [];
    private readonly Dictionary<long, Request> _requests = [];
    private readonly Dictionary<int, PipelineSession> _sessions = [];
    private readonly Dictionary<int, LinkedList<Publication>> _publications = [];

    // This is a lower bound of the first retry of any session. It saves a search of all sessions after each input.
    private long _sessionsDue = long.MaxValue;
    private long _lastToken;

    /// <summary>A broker that has done nothing.</summary>
    /// <param name="self">Its number among the brokers, from 0.</param>
    /// <param name="brokers">How many brokers there are, at least one.</param>
    /// <param name="options">How it uses log and store.</param>
    /// <param name="output">The receiver of its outputs.</param>
    public PipelineBroker(int self, int brokers, PipelineOptions options, IPipelineOutput output)
    {
        (_self, _options, _output) = (self, options, output);
        for (var partition = self; partition < options.Partitions; partition += brokers)
        {
            _consumers.Add(new PackConsumer(new LogPartition(LogTopic.All, partition)));
            _consumers.Add(new PackConsumer(new LogPartition(LogTopic.Device, partition)));
        }
        _consumers.Add(new PackConsumer(new LogPartition(LogTopic.Downlink, self)));
    }

    /// <summary>When <see cref="Tick"/> has something to do; <see cref="long.MaxValue"/> for never.</summary>
    public long NextDue => Math.Min(_consumers.Min(consumer => consumer.RetryAt), _sessionsDue);

    /// <summary>Begins to read the log.</summary>
    public void Start()
    {
        foreach (var consumer in _consumers)
            Poll(consumer);
    }

    /// <summary>A client publishes.</summary>
    public void Publish(int client, in PipelineMessage message)
    {
        var record = new LogRecord(-1, new StoredMessage(0, 0, message));
        var isEarly = _options.Mutant == PipelineMutant.AcknowledgeBeforeAppend;
        if (isEarly && message.Qos > 0)
            _output.AcknowledgePublication(client, message.Id);
        var waiting = _publications.GetOrNew(client);
        var place = waiting.AddLast(new Publication(message.Id, !isEarly && message.Qos > 0));
        Append(AllOf(message.Topic), record, new Request(RequestKind.Publication) { Client = client, Place = place });
    }

    /// <summary>A client has connected; one with a persistent session gets what the store has for it.</summary>
    public void Connect(int client, bool isPersistent)
    {
        var session = _sessions[client] = new PipelineSession { IsReady = !isPersistent };
        if (isPersistent)
            Get(client, session);
    }

    /// <summary>A client's connection is gone.</summary>
    public void Disconnect(int client) => _sessions.Remove(client);

    /// <summary>A client has acknowledged a message.</summary>
    public void Acknowledge(int client, ushort packetId)
    {
        if (_sessions.TryGetValue(client, out var session) && session.InFlight.Remove(packetId))
            _output.Remove(client, packetId);
    }

    /// <summary>
    /// A client has a message of QoS 2 (PUBREC). It is released when the store knows that, because a message that was
    /// released must not be sent again, whichever process ends (MQTT-4.3.3-1).
    /// </summary>
    public void Receive(int client, ushort packetId)
    {
        if (!_sessions.TryGetValue(client, out var session))
            return;
        if (!session.InFlight.Contains(packetId) || _options.Mutant == PipelineMutant.ReleaseBeforeStore)
            _output.Release(client, packetId);
        else
            Receive(client, session, packetId);
    }

    /// <summary>The store knows that a client has a message of QoS 2, or does not answer.</summary>
    public void Received(long token, bool succeeded, long now)
    {
        if (!TryEnd(token, out var request, out var session))
            return;
        if (succeeded)
        {
            _output.Release(request.Client, request.PacketId);
            return;
        }
        session.Received.Add(request.PacketId);
        AskAgain(session, now);
    }

    /// <summary>The log has a record, or its client has given up.</summary>
    public void Appended(long token, bool succeeded, long now)
    {
        if (!_requests.Remove(token, out var request))
            return;
        if (request.Kind == RequestKind.Publication)
            Release(request, succeeded);
        else
            Complete(request.Consumer!, succeeded, now);
    }

    /// <summary>The log answers with the next records of a partition.</summary>
    /// <param name="token">The token of the poll.</param>
    /// <param name="pack">The records.</param>
    /// <param name="next">The place behind the last one.</param>
    /// <param name="now">The time.</param>
    public void Polled(long token, IReadOnlyList<LogRecord> pack, long next, long now)
    {
        if (!_requests.Remove(token, out var request))
            return;
        var consumer = request.Consumer!;
        consumer.Take(pack, next);
        if (CommitsEarly(consumer))
            Commit(consumer);
        else
            Process(consumer, now);
    }

    /// <summary>The log knows what is done.</summary>
    public void Committed(long token, long now)
    {
        if (!_requests.Remove(token, out var request))
            return;
        if (CommitsEarly(request.Consumer!))
            Process(request.Consumer!, now);
        else
            Poll(request.Consumer!);
    }

    /// <summary>The store has messages of a session, or does not answer.</summary>
    public void Added(long token, bool succeeded, IReadOnlyList<StoredMessage> stored, long now)
    {
        if (!_requests.Remove(token, out var request))
            return;
        var consumer = request.Consumer!;
        consumer.InFlight--;
        foreach (var message in succeeded ? stored : [])
            Dispatch(consumer, request.Client, message);
        FillStore(consumer);
        Complete(consumer, succeeded, now);
    }

    /// <summary>The store answers with the messages of a session, or does not answer.</summary>
    /// <param name="token">The token of the question.</param>
    /// <param name="stored">The session; null without an answer.</param>
    /// <param name="now">The time.</param>
    public void Got(long token, StoredSession? stored, long now)
    {
        if (!TryEnd(token, out var request, out var session))
            return;
        if (stored is null)
        {
            AskAgain(session, now);
            return;
        }
        session.IsReady = true;
        foreach (var message in stored.Messages)
            SendAgain(request.Client, session, message);
        session.Skip(stored.Last);
        foreach (var message in session.Held)
            Send(request.Client, session, message);
        session.Held.Clear();
    }

    /// <summary>Does again what has become due.</summary>
    public void Tick(long now)
    {
        foreach (var consumer in _consumers.Where(consumer => consumer.RetryAt <= now))
        {
            consumer.RetryAt = long.MaxValue;
            consumer.Tries++;
            Process(consumer, now);
        }
        if (_sessionsDue > now)
            return;
        foreach (var (client, session) in _sessions.Where(entry => entry.Value.RetryAt <= now))
        {
            session.RetryAt = long.MaxValue;
            if (!session.IsReady)
                Get(client, session);
            foreach (var packetId in session.Received)
                Receive(client, session, packetId);
            session.Received.Clear();
        }
        _sessionsDue = _sessions.Values.Select(session => session.RetryAt).DefaultIfEmpty(long.MaxValue).Min();
    }

    /// <summary>The partition of a topic's publications: FNV-1a, so that each topic has one order.</summary>
    private LogPartition AllOf(string topic)
    {
        var hash = 2_166_136_261u;
        foreach (var letter in topic)
            hash = (hash ^ letter) * 16_777_619;
        return new LogPartition(LogTopic.All, (int)(hash % (uint)_options.Partitions));
    }

    // Acknowledgements of one client keep the order of its publications (MQTT 3.1.1 and 5, section 4.6).
    private void Release(Request request, bool succeeded)
    {
        var waiting = _publications[request.Client];
        if (succeeded)
            request.Place!.ValueRef.IsKept = true;
        else
            waiting.Remove(request.Place!);
        while (waiting.First is { Value: { IsKept: true } first })
        {
            waiting.RemoveFirst();
            if (first.IsAcknowledged)
                _output.AcknowledgePublication(request.Client, first.Message);
        }
    }

    private void Append(LogPartition partition, in LogRecord record, Request request) =>
        _output.Append(partition, record, Remember(request));

    private long Remember(Request request)
    {
        _requests.Add(++_lastToken, request);
        return _lastToken;
    }

    private void Get(int client, PipelineSession session) =>
        _output.Get(client, Remember(new Request(RequestKind.Get) { Client = client, Session = session }));

    private void Receive(int client, PipelineSession session, ushort packetId)
    {
        var request = new Request(RequestKind.Receive)
        {
            Client = client,
            Session = session,
            PacketId = packetId,
        };
        _output.Receive(client, packetId, Remember(request));
    }

    // An answer for a connection that is gone is for nobody.
    private bool TryEnd(
        long token,
        [NotNullWhen(true)] out Request? request,
        [NotNullWhen(true)] out PipelineSession? session
    )
    {
        session = null;
        return _requests.Remove(token, out request)
            && _sessions.TryGetValue(request.Client, out session)
            && session == request.Session;
    }

    private void AskAgain(PipelineSession session, long now)
    {
        session.RetryAt = now + _options.RetryNanoseconds;
        _sessionsDue = Math.Min(_sessionsDue, session.RetryAt);
    }

    private enum RequestKind
    {
        Publication,
        Pack,
        Get,
        Receive,
    }

    private sealed record Request(RequestKind Kind)
    {
        public PackConsumer? Consumer { get; init; }
        public int Client { get; init; }
        public LinkedListNode<Publication>? Place { get; init; }
        public PipelineSession? Session { get; init; }
        public ushort PacketId { get; init; }
    }

    private record struct Publication(long Message, bool IsAcknowledged)
    {
        public bool IsKept { get; set; }
    }
}
