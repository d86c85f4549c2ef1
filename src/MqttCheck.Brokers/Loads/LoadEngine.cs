using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Loads;

/// <summary>The clients of a load and what they share: the wire, the phases of the run, and the books. Lives on the wire's thread.</summary>
internal sealed class LoadEngine : IWireHandler
{
    /// <summary>The path of the random streams of payloads.</summary>
    public const ulong PayloadStream = 0xBA71;

    /// <summary>How long sessions outlive their connections in MQTT 5.</summary>
    public const uint SessionExpirySeconds = 3600;

    private const ulong OfflineStream = 0x0FF1;
    private const int SweepTag = 0, MeasureTag = 1, EndTag = 2, DrainTag = 3, LeaveTag = 4, OfflineTag = 5, BackTag = 6;
    private const int MostConnecting = 50;
    private const int MostNotes = 8, MostLossNotes = 4;
    private const long SweepNanoseconds = 100_000_000;
    private const long DrainStepNanoseconds = 5_000_000;
    private const long HeadStartNanoseconds = 20_000_000;
    private const long LeaveNanoseconds = 10_000_000_000, CancelledLeaveNanoseconds = 1_000_000_000;
    private const long ExpiryNanoseconds = 1_000_000_000;

    private readonly ILoadSink? _sink;
    private readonly IProgress<LoadProgress>? _progress;
    private readonly LoadPublisher[] _publishers;
    private readonly LoadSubscriber[] _subscribers;
    private readonly Queue<LoadClient> _toConnect = new();
    private readonly long[] _last;
    private readonly List<string> _notes = [];
    private readonly bool _isFanOut;
    private readonly long _unixOffset;
    private DelayedAcknowledgements _delayedAcknowledgements;
    private int _connecting, _online, _toLeave;
    private long _drainEnd, _nobodySince, _open, _sent, _delivered;
    private string _lastProblem = "";
    private bool _sinkFailed, _stopped;

    /// <summary>A load that has not begun.</summary>
    public LoadEngine(IWire wire, LoadSetup setup, ILoadSink? sink, IProgress<LoadProgress>? progress, Func<long> unixMilliseconds)
    {
        (Wire, Setup, _sink, _progress) = (wire, setup, sink, progress);
        var workload = setup.Workload;
        Receivers = workload.ReceiversPerMessage;
        _isFanOut = workload.Shape == WorkloadShape.FanOut;
        var topics = new byte[workload.Publishers][];
        for (var publisher = 0; publisher < topics.Length; publisher++) topics[publisher] = Encoding.UTF8.GetBytes(WorkloadTopics.Topic(workload, setup.Prefix, publisher));
        Topics = new(topics);
        _subscribers = new LoadSubscriber[workload.Subscribers];
        for (var subscriber = 0; subscriber < _subscribers.Length; subscriber++) _subscribers[subscriber] = new(this, subscriber);
        _publishers = new LoadPublisher[workload.Publishers];
        for (var publisher = 0; publisher < _publishers.Length; publisher++) _publishers[publisher] = new(this, publisher, topics[publisher]);
        _last = new long[(long)workload.Publishers * Receivers];
        Array.Fill(_last, -1);
        _unixOffset = unixMilliseconds() - wire.NowNanoseconds / 1_000_000;
    }

    public IWire Wire { get; }

    public LoadSetup Setup { get; }

    public TopicTable Topics { get; }

    /// <summary>How many receivers a message has.</summary>
    public int Receivers { get; }

    public LoadCounters Counters { get; } = new();

    public LoadTimes Times { get; } = new();

    /// <summary>Watches when latencies become stationary.</summary>
    public WarmUpDetector WarmUp { get; } = new();

    /// <summary>The share of latencies in the mode of delayed acknowledgements.</summary>
    public double DelayedAcknowledgementShare => _delayedAcknowledgements.Share;

    public LoadPhase Phase { get; private set; }

    /// <summary>When the first message is due.</summary>
    public long LoadStart { get; private set; } = long.MaxValue;

    /// <summary>When messages begin to count.</summary>
    public long MeasureStart { get; private set; } = long.MaxValue;

    /// <summary>When nothing more is due.</summary>
    public long SendEnd { get; private set; } = long.MaxValue;

    /// <summary>Whether messages are sent.</summary>
    public bool IsLoading => Phase is LoadPhase.Sending or LoadPhase.Draining;

    /// <summary>Whether clients may connect once more to drop their sessions.</summary>
    public bool MayCleanUp => Phase == LoadPhase.Leaving;

    public bool IsInterrupted { get; private set; }

    /// <summary>Why the load ended early, or null.</summary>
    public string? Failure { get; private set; }

    /// <summary>Why it could not be run at all, or null.</summary>
    public Exception? Exception { get; private set; }

    public IReadOnlyList<string> Notes => _notes;

    public int SessionsLeft => _subscribers.Count(subscriber => subscriber.HasSession);

    /// <summary>What process and thread had used when messages began to count, and when sending ended.</summary>
    public UsageReading UsageBefore { get; private set; }

    public UsageReading UsageAfter { get; private set; }

    /// <summary>Connects the clients: subscribers first, so that no message can miss them.</summary>
    public void Begin()
    {
        _nobodySince = Wire.NowNanoseconds;
        foreach (var subscriber in _subscribers) _toConnect.Enqueue(subscriber);
        foreach (var publisher in _publishers) _toConnect.Enqueue(publisher);
        Wire.Schedule(this, Wire.NowNanoseconds + SweepNanoseconds, SweepTag);
        ConnectMore();
    }

    /// <summary>Ends the run here: open messages are cancelled, then sessions are dropped for at most a second.</summary>
    public void Cancel()
    {
        if (Phase >= LoadPhase.Leaving) return;
        IsInterrupted = true;
        Finish(CancelledLeaveNanoseconds);
    }

    /// <summary>Ends the run here and now.</summary>
    public void Abort()
    {
        IsInterrupted |= Phase < LoadPhase.Leaving;
        CloseBooks();
        Stop();
    }

    public long UnixMilliseconds(long nanoseconds) => nanoseconds / 1_000_000 + _unixOffset;

    /// <summary>A client is connected, and subscribed if it is to be.</summary>
    public void Ready(LoadClient client)
    {
        _online++;
        if (Phase != LoadPhase.Connecting) return;
        _connecting--;
        ConnectMore();
        if (_online == _publishers.Length + _subscribers.Length) BeginSending();
    }

    /// <summary>A client lost its connection, or could not make one.</summary>
    /// <returns>Whether it may try again.</returns>
    public bool Failed(LoadClient client, bool wasOnline, string problem, long atNanoseconds)
    {
        if (wasOnline)
        {
            Counters.ConnectionsLost++;
            NoteOffline(atNanoseconds);
            if (Counters.ConnectionsLost <= MostLossNotes) Note(string.Create(CultureInfo.InvariantCulture, $"{(client is LoadPublisher ? "publisher" : "subscriber")} {client.Number}: {problem}"));
        }
        if (Phase >= LoadPhase.Leaving) return false;
        if (Exception is not null) return false;
        if (Phase == LoadPhase.Connecting)
        {
            var patience = Setup.ConnectPatience.Ticks * TimeSpan.NanosecondsPerTick;
            // A connection that was lost before the load begins is made again like a first one.
            if (wasOnline) _connecting++;
            if (Wire.NowNanoseconds - client.FailingSince < patience) return true;
            Fail(new BrokerException(string.Create(CultureInfo.InvariantCulture,
                $"{_online} of {_publishers.Length + _subscribers.Length} clients could connect to {Setup.Endpoint.Address}, the next one could not: {problem}.")));
            return false;
        }
        _lastProblem = problem;
        return true;
    }

    /// <summary>The broker refused something for good: there is no use in trying again.</summary>
    public void Refused(ReasonCode code)
    {
        if (Phase != LoadPhase.Connecting) return;
        var words = code switch
        {
            ReasonCode.BadUserNameOrPassword or ReasonCode.NotAuthorized => "give --user and --password that it accepts",
            ReasonCode.UnsupportedProtocolVersion => "it does not speak this version of MQTT; choose another by --mqtt",
            _ => "the broker's log may say why",
        };
        Fail(new BrokerException($"Broker {Setup.Endpoint.Address} refuses a client with {code}: {words}."));
    }

    /// <summary>Checks what a broker offers against what the workload needs.</summary>
    /// <returns>Null, or what is wrong.</returns>
    public string? Limits(ConnackPacket answer)
    {
        if (Phase != LoadPhase.Connecting) return null;
        var (workload, offer) = (Setup.Workload, answer.Properties);
        var largest = _publishers[0].LargestPacketBytes;
        string? problem = null;
        if (offer.MaximumQos is { } qos && (workload.Qos > qos || workload.SubscribeQos > qos))
            problem = $"the broker offers QoS {(int)qos} at most; ask for no more by --qos";
        else if (offer.MaximumPacketSizeBytes is { } limit && largest > limit)
            problem = string.Create(CultureInfo.InvariantCulture, $"messages need packets of up to {largest} bytes, and the broker takes {limit} at most; choose a smaller --payload");
        else if (offer.WildcardSubscriptionAvailable == false && WorkloadTopics.Filter(workload, Setup.Prefix, 0).AsSpan().IndexOfAny('+', '#') >= 0)
            problem = "the filter has a wildcard, and the broker offers none";
        if (problem is null) return null;
        Fail(new InputException($"Broker {Setup.Endpoint.Address}: {problem}."));
        return problem;
    }

    /// <summary>A client has left on purpose, to come back.</summary>
    public void WentAway(LoadClient client) => NoteOffline(Wire.NowNanoseconds);

    /// <summary>A client has left for good.</summary>
    public void Left()
    {
        if (Phase == LoadPhase.Leaving && --_toLeave <= 0) Stop();
    }

    public void Note(string note)
    {
        if (_notes.Count < MostNotes && !_notes.Contains(note)) _notes.Add(note);
    }

    public void NoteBacklog(int bytes) => Counters.LargestBacklogBytes = Math.Max(Counters.LargestBacklogBytes, bytes);

    /// <summary>A message was opened.</summary>
    public void Opened() => _open++;

    /// <summary>A message was handed to the socket.</summary>
    public void Sent(in MessageSlot slot)
    {
        _sent++;
        if (slot.Sent >= MeasureStart && slot.Sent < SendEnd) Counters.SentInWindow++;
        if (slot.Has(SlotFlags.WarmUp)) return;
        Times.Lag.Add(slot.Sent - slot.Intended);
        Times.OwnLag.Add(slot.Sent - slot.Ready);
    }

    /// <summary>A message has arrived at a subscriber.</summary>
    /// <param name="subscriber">The subscriber.</param>
    /// <param name="publisher">Whose topic it came on, or -1.</param>
    /// <param name="message">The message.</param>
    /// <param name="atNanoseconds">When.</param>
    public void Deliver(LoadSubscriber subscriber, int publisher, in PublishView message, long atNanoseconds)
    {
        // The books are closed; what comes now has been counted as missing.
        if (!IsLoading) return;
        if (publisher < 0 || !TryNumber(_publishers[publisher], message.Payload, out var number))
        {
            Counters.Strays++;
            return;
        }
        var owner = _publishers[publisher];
        ref var slot = ref owner.Messages.Find(number);
        var receiver = _isFanOut ? subscriber.Number : 0;
        if (Unsafe.IsNullRef(ref slot) || !owner.Messages.TryReceive(ref slot, receiver))
        {
            if (message.Duplicate) Counters.Redeliveries++;
            else Counters.Duplicates++;
            return;
        }
        slot.Narrow(atNanoseconds);
        _delivered++;
        if (atNanoseconds >= MeasureStart && atNanoseconds < SendEnd) Counters.DeliveriesInWindow++;
        ref var last = ref _last[publisher * (long)Receivers + receiver];
        if (number > last)
        {
            last = number;
        }
        else
        {
            Counters.Reordered++;
            slot.Flags |= SlotFlags.Reordered;
        }
        slot.Delivered = Math.Max(slot.Delivered, atNanoseconds);
        if (subscriber.OfflineSince != LoadMessage.None && slot.Sent <= subscriber.OfflineUntil && atNanoseconds >= subscriber.OfflineSince) slot.Flags |= SlotFlags.Offline;
        if (!slot.Has(SlotFlags.WarmUp))
        {
            Counters.Deliveries++;
            if (_isFanOut && !slot.Has(SlotFlags.Offline)) Times.EachDelivery.Add(atNanoseconds - slot.Sent);
        }
        if (slot.Deliveries != Receivers) return;
        owner.Delivered(ref slot, atNanoseconds);
        owner.Continue();
    }

    /// <summary>The outcome of a message is known.</summary>
    public void Finish(LoadPublisher publisher, ref MessageSlot slot, LoadOutcome outcome)
    {
        _open--;
        if (slot.Has(SlotFlags.WarmUp))
        {
            Counters.WarmUpMessages++;
            if (outcome != LoadOutcome.Delivered) Counters.WarmUpFailed++;
        }
        else
        {
            Counters[outcome]++;
            Measure(slot, outcome);
        }
        Log(publisher.Number, slot, outcome);
        publisher.Messages.Close(slot.Number);
    }

    /// <inheritdoc/>
    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        switch (tag)
        {
            case SweepTag:
                Sweep(nowNanoseconds);
                break;
            case MeasureTag:
                UsageBefore = UsageReading.Take(Setup.BrokerProcessId, Wire);
                break;
            case EndTag:
                UsageAfter = UsageReading.Take(Setup.BrokerProcessId, Wire);
                if (Phase != LoadPhase.Sending) break;
                Phase = LoadPhase.Draining;
                _drainEnd = nowNanoseconds + Setup.Drain.Ticks * TimeSpan.NanosecondsPerTick;
                Drain(nowNanoseconds);
                break;
            case DrainTag:
                Drain(nowNanoseconds);
                break;
            case OfflineTag:
                foreach (var subscriber in ChosenForOffline()) subscriber.TakeOffline();
                break;
            case BackTag:
                foreach (var subscriber in ChosenForOffline()) subscriber.BringBack();
                break;
            default:
                Stop();
                break;
        }
    }

    void IWireHandler.OnConnected(WireConnection connection, in ArrivalStamp stamp) => throw new NotSupportedException();

    int IWireHandler.OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp) => throw new NotSupportedException();

    void IWireHandler.OnSent(WireConnection connection, in SendStamp stamp) => throw new NotSupportedException();

    void IWireHandler.OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) => throw new NotSupportedException();

    /// <summary>What a DISCONNECT of the broker says.</summary>
    public static string DisconnectReason(ReadOnlySpan<byte> packet, ProtocolVersion version) =>
        PacketDecoder.Observe(packet, version, PacketOrigin.Server).Packet is DisconnectPacket disconnect
            ? $"the broker ended the connection ({disconnect.ReasonCode})"
            : BrokerAnswers.Malformed;

    private bool TryNumber(LoadPublisher publisher, ReadOnlySpan<byte> payload, out long number)
    {
        var (workload, next) = (Setup.Workload, publisher.Messages.Next);
        if (workload.Payload.TryReadNumber(payload, out var low)) return (number = workload.Payload.Complete(low, next)) >= 0;
        number = -1;
        return workload.WarmUpPayload is { } warmUp && warmUp.TryReadNumber(payload, out low) && (number = warmUp.Complete(low, next)) >= 0;
    }

    private void ConnectMore()
    {
        while (_connecting < MostConnecting && _toConnect.TryDequeue(out var client))
        {
            _connecting++;
            client.Connect();
        }
    }

    private void BeginSending()
    {
        var workload = Setup.Workload;
        Phase = LoadPhase.Sending;
        LoadStart = Wire.NowNanoseconds + HeadStartNanoseconds;
        MeasureStart = LoadStart + workload.WarmUp.Duration.Ticks * TimeSpan.NanosecondsPerTick;
        var duration = workload.Duration.Ticks * TimeSpan.NanosecondsPerTick;
        SendEnd = MeasureStart + duration;
        Wire.Schedule(this, MeasureStart, MeasureTag);
        Wire.Schedule(this, SendEnd, EndTag);
        if (workload.OfflineShare > 0)
        {
            var offlineAt = MeasureStart + duration / 4;
            Wire.Schedule(this, offlineAt, OfflineTag);
            Wire.Schedule(this, offlineAt + workload.OfflineTime.Ticks * TimeSpan.NanosecondsPerTick, BackTag);
        }
        foreach (var publisher in _publishers) publisher.Begin();
    }

    // By seed, the same for going and coming back.
    private IEnumerable<LoadSubscriber> ChosenForOffline()
    {
        var random = RandomStream.For(Setup.Seed, OfflineStream);
        var order = _subscribers.ToArray();
        var count = (int)Math.Ceiling(order.Length * Setup.Workload.OfflineShare);
        for (var index = 0; index < count; index++)
        {
            var other = index + random.NextInt(order.Length - index);
            (order[index], order[other]) = (order[other], order[index]);
        }
        return order.Take(count);
    }

    private void Drain(long nowNanoseconds)
    {
        if (Phase != LoadPhase.Draining) return;
        if ((_open == 0 && !Array.Exists(_publishers, publisher => publisher.IsBehind)) || nowNanoseconds >= _drainEnd) Finish(LeaveNanoseconds);
        else Wire.Schedule(this, nowNanoseconds + DrainStepNanoseconds, DrainTag);
    }

    private void Sweep(long nowNanoseconds)
    {
        if (Phase >= LoadPhase.Leaving) return;
        if (_online < _publishers.Length + _subscribers.Length)
        {
            foreach (var client in _subscribers) client.CheckDeadline(nowNanoseconds);
            foreach (var client in _publishers) client.CheckDeadline(nowNanoseconds);
        }
        if (IsLoading && _online == 0 && nowNanoseconds - _nobodySince >= Setup.ConnectPatience.Ticks * TimeSpan.NanosecondsPerTick)
        {
            Failure = string.Create(CultureInfo.InvariantCulture, $"no client was connected any more for {Setup.ConnectPatience.TotalSeconds:0.#} s: {_lastProblem}");
            Finish(CancelledLeaveNanoseconds);
            return;
        }
        if (Phase == LoadPhase.Sending && !Setup.Workload.IsOpenLoop)
        {
            foreach (var publisher in _publishers) publisher.Expire(nowNanoseconds - ExpiryNanoseconds);
        }
        Report(nowNanoseconds);
        Wire.Schedule(this, nowNanoseconds + SweepNanoseconds, SweepTag);
    }

    private void Report(long nowNanoseconds)
    {
        var share = LoadStart == long.MaxValue ? 0 : Math.Clamp((double)(nowNanoseconds - LoadStart) / (SendEnd - LoadStart), 0, 1);
        _progress?.Report(new(Phase, share, _online, _sent, _delivered));
    }

    private void NoteOffline(long atNanoseconds)
    {
        if (--_online == 0) _nobodySince = atNanoseconds;
    }

    private void Measure(in MessageSlot slot, LoadOutcome outcome)
    {
        var isOffline = slot.Has(SlotFlags.Offline);
        if (slot.Acknowledged != LoadMessage.None && outcome != LoadOutcome.Refused) Times.Acknowledgement.Add(slot.Acknowledged - slot.Sent);
        if (outcome != LoadOutcome.Delivered)
        {
            if (isOffline) Counters.NotCaughtUp++;
            return;
        }
        if (isOffline)
        {
            Counters.CaughtUp++;
            Times.CatchUp.Add(slot.Delivered - slot.Sent);
            return;
        }
        Times.Service.Add(slot.Delivered - slot.Sent);
        var latency = slot.Delivered - (Setup.Workload.IsOpenLoop ? slot.Intended : slot.Sent);
        Times.Latency.Add(latency);
        _delayedAcknowledgements.Add(latency / 1e6);
        WarmUp.Add(latency / 1e6, (slot.Delivered - LoadStart) / 1e9, publication: true);
    }

    private void Log(int publisher, in MessageSlot slot, LoadOutcome outcome)
    {
        if (_sink is null || _sinkFailed) return;
        try
        {
            _sink.Append(new()
            {
                Publisher = publisher,
                Number = slot.Number,
                IsWarmUp = slot.Has(SlotFlags.WarmUp),
                IsOffline = slot.Has(SlotFlags.Offline),
                IsReordered = slot.Has(SlotFlags.Reordered),
                Qos = Setup.Workload.Qos,
                PayloadBytes = slot.Bytes,
                IntendedNanoseconds = slot.Intended - LoadStart,
                SentNanoseconds = Relative(slot.Sent),
                SendBoundNanoseconds = slot.SendBound,
                AcknowledgedNanoseconds = Relative(slot.Acknowledged),
                DeliveredNanoseconds = Relative(slot.Delivered),
                Deliveries = slot.Deliveries,
                Outcome = outcome,
            });
        }
        catch (IOException failure)
        {
            _sinkFailed = true;
            Fail(failure);
        }
    }

    private long Relative(long nanoseconds) => nanoseconds == LoadMessage.None ? LoadMessage.None : nanoseconds - LoadStart;

    private void Fail(Exception failure)
    {
        if (Exception is not null) return;
        Exception = failure;
        // Not from within a client's own call.
        Wire.Post(Abort);
    }

    // Every message that is open or due gets its outcome.
    private void CloseBooks()
    {
        if (LoadStart == long.MaxValue || Phase >= LoadPhase.Leaving) return;
        foreach (var publisher in _publishers)
        {
            foreach (var number in publisher.Messages.Numbers())
            {
                ref var slot = ref publisher.Messages.Find(number);
                MarkOffline(publisher, ref slot);
                Finish(publisher, ref slot, OutcomeAtEnd(slot));
            }
            var end = IsInterrupted || Failure is not null ? Math.Min(SendEnd, Wire.NowNanoseconds) : SendEnd;
            while (publisher.IsBehind && publisher.Due < end)
            {
                ref var slot = ref publisher.TakeUnsent();
                _open++;
                Finish(publisher, ref slot, LoadOutcome.Unsent);
            }
        }
    }

    private LoadOutcome OutcomeAtEnd(in MessageSlot slot) =>
        slot.Deliveries == Receivers ? LoadOutcome.Delivered
        : slot.Sent == LoadMessage.None ? LoadOutcome.Unsent
        : IsInterrupted ? LoadOutcome.Cancelled
        : Setup.Workload.Qos == QualityOfService.AtMostOnce || slot.Acknowledged != LoadMessage.None ? LoadOutcome.Lost
        : LoadOutcome.Unacknowledged;

    private void MarkOffline(LoadPublisher publisher, ref MessageSlot slot)
    {
        if (_isFanOut || slot.Deliveries == Receivers) return;
        var subscriber = _subscribers[WorkloadTopics.Receiver(Setup.Workload, publisher.Number)];
        if (subscriber.OfflineSince != LoadMessage.None && slot.Sent >= subscriber.OfflineSince && slot.Sent <= subscriber.OfflineUntil) slot.Flags |= SlotFlags.Offline;
    }

    private void Finish(long leaveNanoseconds)
    {
        if (Phase >= LoadPhase.Leaving) return;
        if (UsageAfter.WallNanoseconds == 0) UsageAfter = UsageReading.Take(Setup.BrokerProcessId, Wire);
        CloseBooks();
        Report(Wire.NowNanoseconds);
        Phase = LoadPhase.Leaving;
        _toLeave = 1;
        foreach (var client in _publishers)
        {
            if (client.Leave()) _toLeave++;
        }
        foreach (var client in _subscribers)
        {
            if (client.Leave()) _toLeave++;
        }
        Wire.Schedule(this, Wire.NowNanoseconds + leaveNanoseconds, LeaveTag);
        Left();
    }

    private void Stop()
    {
        if (_stopped) return;
        _stopped = true;
        Phase = LoadPhase.Over;
        foreach (var client in _publishers) client.Abort();
        foreach (var client in _subscribers) client.Abort();
        Wire.Stop();
    }
}
