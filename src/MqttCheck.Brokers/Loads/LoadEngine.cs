using System.Globalization;
using System.Text;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Loads;

/// <summary>
/// The clients of a load and the phases of the run: connecting, sending, draining, leaving. Lives on the wire's thread.
/// </summary>
internal sealed class LoadEngine : ITimerHandler, ILoopRun
{
    /// <summary>The path of the random streams of payloads.</summary>
    public const ulong PayloadStream = 0xBA71;

    /// <summary>How long sessions outlive their connections in MQTT 5.</summary>
    public const uint SessionExpirySeconds = 3600;

    private const ulong OfflineStream = 0x0FF1;
    private const int SweepTag = 0,
        MeasureTag = 1,
        EndTag = 2,
        DrainTag = 3,
        LeaveTag = 4,
        OfflineTag = 5,
        BackTag = 6;
    private const int MostNotes = 8;
    private const long SweepNanoseconds = 100_000_000;
    private const long DrainStepNanoseconds = 5_000_000;
    private const long LeaveNanoseconds = 10_000_000_000,
        CancelledLeaveNanoseconds = 1_000_000_000;
    private const long ExpiryNanoseconds = 1_000_000_000;

    private readonly IProgress<LoadProgress>? _progress;
    private readonly LoadPublisher[] _publishers;
    private readonly LoadSubscriber[] _subscribers;
    private readonly LoadDeliveries _deliveries;
    private readonly bool _isFanOut;
    private readonly long _unixOffset;
    private int _toLeave;
    private long _drainEnd,
        _unowedEnd;
    private bool _stopped;

    /// <summary>A load that has not begun.</summary>
    public LoadEngine(
        IWire wire,
        LoadSetup setup,
        ILoadSink? sink,
        IProgress<LoadProgress>? progress,
        Func<long> unixMilliseconds
    )
    {
        (Wire, Setup, _progress) = (wire, setup, progress);
        var workload = setup.Workload;
        Names = setup.Names;
        _isFanOut = workload.Shape == WorkloadShape.FanOut || Names.AreShared;
        Books = new(setup, Schedule, sink, Fail);
        Connections = new(this, workload.Publishers + workload.Subscribers);
        byte[][] topics = [.. Names.SentTopics.Select(Encoding.UTF8.GetBytes)];
        Topics = new(topics, Names.Mark);
        _subscribers =
        [
            .. Enumerable.Range(0, workload.Subscribers).Select(number => new LoadSubscriber(this, number)),
        ];
        _publishers =
        [
            .. Enumerable
                .Range(0, workload.Publishers)
                .Select(number => new LoadPublisher(this, number, topics[number])),
        ];
        _deliveries = new(workload, Names, _publishers, Books, setup.Observer);
        _unixOffset = unixMilliseconds() - wire.NowNanoseconds / 1_000_000;
    }

    public IWire Wire { get; }

    public LoadSetup Setup { get; }

    public TopicTable Topics { get; }

    /// <summary>The topics of publishers and the filters of subscribers.</summary>
    public LoadTopics Names { get; }

    /// <summary>When the load begins, counts and ends.</summary>
    public LoadSchedule Schedule { get; } = new();

    /// <summary>The records of the load.</summary>
    public LoadBooks Books { get; }

    /// <summary>Who is connected.</summary>
    public LoadConnections Connections { get; }

    public LoadPhase Phase { get; private set; }

    /// <summary>Whether messages are sent.</summary>
    public bool IsLoading => Phase is LoadPhase.Sending or LoadPhase.Draining;

    /// <summary>Whether clients may connect once more to drop their sessions.</summary>
    public bool MayCleanUp => Phase == LoadPhase.Leaving;

    public bool IsInterrupted { get; private set; }

    /// <summary>Why the load ended early, or null.</summary>
    public string? Failure { get; private set; }

    /// <summary>Why it could not be run at all, or null.</summary>
    public Exception? Exception { get; private set; }

    public List<string> Notes { get; } = [];

    public int SessionsLeft => _subscribers.Count(subscriber => subscriber.HasSession);

    /// <summary>The usage of process and thread when messages began to count, and when sending ended.</summary>
    public UsageReading UsageBefore { get; private set; }

    public UsageReading UsageAfter { get; private set; }

    /// <summary>Connects the clients: subscribers first, so that no message can miss them.</summary>
    public void Begin()
    {
        Wire.Schedule(this, Wire.NowNanoseconds + SweepNanoseconds, SweepTag);
        Connections.Begin([.. _subscribers.Concat<LoadClient>(_publishers).Where(client => !JoinsLater(client))]);
    }

    /// <summary>Every client is connected: the load begins, or waits for the beginning that it shares.</summary>
    public void BeginSending()
    {
        if (Setup.Start is { } shared)
            shared.Ready(start => Wire.Post(() => BeginSending(start)));
        else
            BeginSending(Wire.NowNanoseconds + Setup.HeadStart.Ticks * TimeSpan.NanosecondsPerTick);
    }

    private void BeginSending(long startNanoseconds)
    {
        if (Phase != LoadPhase.Connecting)
            return;
        var workload = Setup.Workload;
        Phase = LoadPhase.Sending;
        var warmUp = workload.WarmUp.Duration + (workload.WarmUp.Messages > 0 ? Setup.WarmUpPause : TimeSpan.Zero);
        Schedule.Begin(startNanoseconds, warmUp, workload.Duration);
        Setup.Observer?.Began(Schedule.MeasureStart, Schedule.End);
        Wire.Schedule(this, Schedule.MeasureStart, MeasureTag);
        Wire.Schedule(this, Schedule.End, EndTag);
        if (workload.OfflineShare > 0)
        {
            var offlineAt = Schedule.MeasureStart + workload.OfflineAt.Ticks * TimeSpan.NanosecondsPerTick;
            Wire.Schedule(this, offlineAt, OfflineTag);
            Wire.Schedule(this, offlineAt + workload.OfflineTime.Ticks * TimeSpan.NanosecondsPerTick, BackTag);
        }
        foreach (var publisher in _publishers)
            publisher.Begin();
        foreach (var client in _subscribers.Concat<LoadClient>(_publishers).Where(JoinsLater))
            client.Connect();
    }

    private bool JoinsLater(LoadClient client) => Setup.Nodes?.JoinsLater(client.Node) ?? false;

    /// <summary>
    /// Ends the run early: open messages are cancelled, then sessions are dropped for at most a second.
    /// </summary>
    public void Cancel()
    {
        if (Phase >= LoadPhase.Leaving)
            return;
        IsInterrupted = true;
        Leave(CancelledLeaveNanoseconds);
    }

    /// <summary>Ends the run at once.</summary>
    public void Abort()
    {
        IsInterrupted |= Phase < LoadPhase.Leaving;
        CloseBooks();
        Stop();
    }

    /// <summary>Ends the run here with an exception.</summary>
    public void Fail(Exception failure)
    {
        if (Exception is not null)
            return;
        Exception = failure;
        // The run is not ended from within a client's own call.
        Wire.Post(Abort);
    }

    public long UnixMilliseconds(long nanoseconds) => nanoseconds / 1_000_000 + _unixOffset;

    /// <summary>Compares the limits in a broker's CONNACK with the needs of the workload.</summary>
    /// <returns>Null, or a description of the conflict.</returns>
    public string? Limits(ConnackPacket answer) => Connections.Limits(answer, _publishers[0].LargestPacketBytes);

    /// <summary>A client has left for good.</summary>
    public void Left()
    {
        if (Phase == LoadPhase.Leaving && --_toLeave <= 0)
            Stop();
    }

    public void Note(string note)
    {
        if (Notes.Count < MostNotes && !Notes.Contains(note))
            Notes.Add(note);
    }

    public void NoteBacklog(int bytes) =>
        Books.Counters.LargestBacklogBytes = Math.Max(Books.Counters.LargestBacklogBytes, bytes);

    /// <summary>A message has arrived at a subscriber.</summary>
    /// <param name="subscriber">The subscriber.</param>
    /// <param name="publisher">The publisher of its topic, or -1.</param>
    /// <param name="message">The message.</param>
    /// <param name="atNanoseconds">When.</param>
    public void Deliver(LoadSubscriber subscriber, int publisher, in PublishView message, long atNanoseconds)
    {
        // When the books are closed, a missing message has been counted already.
        if (IsLoading)
            _deliveries.Take(subscriber, publisher, message, atNanoseconds);
    }

    /// <summary>The outcome of a message is known.</summary>
    public void Finish(LoadPublisher publisher, ref MessageSlot slot, LoadOutcome outcome)
    {
        Books.Close(publisher.Number, slot, outcome);
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
                UsageBefore = UsageReading.Take(Setup.BrokerProcessId, Wire.NowNanoseconds);
                break;
            case EndTag:
                UsageAfter = UsageReading.Take(Setup.BrokerProcessId, Wire.NowNanoseconds);
                if (Phase != LoadPhase.Sending)
                    break;
                Phase = LoadPhase.Draining;
                _drainEnd = nowNanoseconds + Setup.Drain.Ticks * TimeSpan.NanosecondsPerTick;
                _unowedEnd = nowNanoseconds + (Setup.DrainOfUnowed ?? Setup.Drain).Ticks * TimeSpan.NanosecondsPerTick;
                Drain(nowNanoseconds);
                break;
            case DrainTag:
                Drain(nowNanoseconds);
                break;
            case OfflineTag:
                foreach (var subscriber in ChosenForOffline())
                    subscriber.TakeOffline();
                break;
            case BackTag:
                foreach (var subscriber in ChosenForOffline())
                    subscriber.BringBack();
                break;
            default:
                Stop();
                break;
        }
    }

    /// <summary>Describes a DISCONNECT of the broker in words.</summary>
    public static string DisconnectReason(ReadOnlySpan<byte> packet, ProtocolVersion version) =>
        PacketDecoder.Observe(packet, version, PacketOrigin.Server).Packet is DisconnectPacket disconnect
            ? $"the broker ended the connection ({disconnect.ReasonCode})"
            : BrokerAnswers.Malformed;

    // The choice depends on the seed only, so the same clients go offline and come back.
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
        if (Phase != LoadPhase.Draining)
            return;
        if (
            (Books.Open == 0 && !Array.Exists(_publishers, publisher => publisher.IsBehind))
            || nowNanoseconds >= _drainEnd
            || (nowNanoseconds >= _unowedEnd && Connections.IsComplete && !Array.Exists(_publishers, IsOwing))
        )
            Leave(LeaveNanoseconds);
        else
            Wire.Schedule(this, nowNanoseconds + DrainStepNanoseconds, DrainTag);
    }

    // Whether a message is still to be acknowledged, or was and did not come to a session that stands.
    private bool IsOwing(LoadPublisher publisher)
    {
        foreach (var number in publisher.Messages.Numbers())
        {
            ref var slot = ref publisher.Messages.Find(number);
            if (slot.Has(SlotFlags.AwaitsAcknowledgement))
                return true;
            if (slot.Acknowledged != LoadMessage.None && !IsForgotten(publisher, slot))
                return true;
        }
        return publisher.IsBehind;
    }

    private bool IsForgotten(LoadPublisher publisher, in MessageSlot slot) =>
        !_isFanOut
        && _subscribers[WorkloadTopics.Receiver(Setup.Workload, publisher.Number)].ForgottenAt is var at
        && at != LoadMessage.None
        && slot.Sent < at;

    private void Sweep(long nowNanoseconds)
    {
        if (Phase >= LoadPhase.Leaving)
            return;
        if (!Connections.IsComplete)
        {
            foreach (var client in _subscribers.Concat<LoadClient>(_publishers))
                client.CheckDeadline(nowNanoseconds);
        }
        if (IsLoading && (Connections.Rejected() ?? Connections.Abandoned(nowNanoseconds)) is { } why)
        {
            Failure = why;
            Leave(CancelledLeaveNanoseconds);
            return;
        }
        if (Phase == LoadPhase.Sending && !Setup.Workload.IsOpenLoop)
        {
            foreach (var publisher in _publishers)
                publisher.Expire(nowNanoseconds - ExpiryNanoseconds);
        }
        Report(nowNanoseconds);
        Wire.Schedule(this, nowNanoseconds + SweepNanoseconds, SweepTag);
    }

    private void Report(long nowNanoseconds)
    {
        var share = Schedule.HasBegun
            ? Math.Clamp((double)Schedule.Relative(nowNanoseconds) / Schedule.Relative(Schedule.End), 0, 1)
            : 0;
        _progress?.Report(new(Phase, share, Connections.Online, Books.Sent, Books.Delivered));
    }

    // Every message that is open or due gets its outcome.
    private void CloseBooks()
    {
        if (!Schedule.HasBegun || Phase >= LoadPhase.Leaving)
            return;
        foreach (var publisher in _publishers)
        {
            foreach (var number in publisher.Messages.Numbers())
            {
                ref var slot = ref publisher.Messages.Find(number);
                MarkOffline(publisher, ref slot);
                Finish(publisher, ref slot, OutcomeAtEnd(publisher, slot));
            }
            var end = IsInterrupted || Failure is not null ? Math.Min(Schedule.End, Wire.NowNanoseconds) : Schedule.End;
            while (publisher.IsBehind && publisher.Due < end)
            {
                ref var slot = ref publisher.TakeUnsent();
                Books.NoteOpened();
                Finish(publisher, ref slot, LoadOutcome.Unsent);
            }
        }
    }

    // A broker may accept a message that is too large for it, and drop it.
    private string NothingDelivered() =>
        "the broker took messages and delivered none: a payload of "
        + string.Create(
            CultureInfo.InvariantCulture,
            $"{Setup.Workload.Payload.MaximumBytes} bytes may be over a limit that "
        )
        + "it does not tell, or its rules keep these topics from the subscribers";

    private LoadOutcome OutcomeAtEnd(LoadPublisher publisher, in MessageSlot slot) =>
        publisher.Receivers > 0 && slot.Deliveries == publisher.Receivers ? LoadOutcome.Delivered
        : slot.Sent == LoadMessage.None ? LoadOutcome.Unsent
        : IsInterrupted ? LoadOutcome.Cancelled
        : Setup.Workload.Qos == QualityOfService.AtMostOnce || slot.Acknowledged != LoadMessage.None ? LoadOutcome.Lost
        : LoadOutcome.Unacknowledged;

    private void MarkOffline(LoadPublisher publisher, ref MessageSlot slot)
    {
        if (_isFanOut || slot.Deliveries == publisher.Receivers)
            return;
        var subscriber = _subscribers[WorkloadTopics.Receiver(Setup.Workload, publisher.Number)];
        if (
            subscriber.OfflineSince != LoadMessage.None
            && slot.Sent >= subscriber.OfflineSince
            && slot.Sent <= subscriber.OfflineUntil
        )
            slot.Flags |= SlotFlags.Offline;
    }

    private void Leave(long patienceNanoseconds)
    {
        if (Phase >= LoadPhase.Leaving)
            return;
        if (UsageAfter.WallNanoseconds == 0)
            UsageAfter = UsageReading.Take(Setup.BrokerProcessId, Wire.NowNanoseconds);
        CloseBooks();
        if (!IsInterrupted && Failure is null && Books.Delivered == 0 && Books.Counters[LoadOutcome.Lost] > 0)
            Note(NothingDelivered());
        Report(Wire.NowNanoseconds);
        Phase = LoadPhase.Leaving;
        _toLeave = 1;
        foreach (var client in _publishers.Concat<LoadClient>(_subscribers))
        {
            if (client.Leave())
                _toLeave++;
        }
        Wire.Schedule(this, Wire.NowNanoseconds + patienceNanoseconds, LeaveTag);
        Left();
    }

    private void Stop()
    {
        if (_stopped)
            return;
        _stopped = true;
        Setup.Start?.Detach();
        Phase = LoadPhase.Over;
        foreach (var client in _publishers.Concat<LoadClient>(_subscribers))
            client.Abort();
        Wire.Stop();
    }
}
