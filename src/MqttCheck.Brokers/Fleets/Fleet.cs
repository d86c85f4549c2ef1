using System.Globalization;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Checking;
using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Fleets;

/// <summary>
/// The clients of one run and what they share: the wire, the fold of features, who awaits which message, the order of sending, and the decision
/// when the run ends.
/// Lives on the wire's thread.
/// </summary>
internal sealed class Fleet : IWireHandler
{
    private const int FailuresInWords = 8;
    private const int SweepTag = 0;
    private const int TimeOverTag = 1;
    private const int LatestEndTag = 2;
    private const long LongestSweepNanoseconds = 100_000_000;
    private const long CleanUpNanoseconds = 1_000_000_000;

    private readonly FleetSetup _setup;
    private readonly IProgress<FleetProgress>? _progress;
    private readonly FleetClient[] _clients;
    private readonly List<Outcome> _outcomes;
    private readonly List<string> _failures = new(FailuresInWords);
    private readonly long[] _exchangesByOutcome = new long[Enum.GetValues<ExchangeOutcome>().Length];
    private readonly ConnectWatch _connects;
    private readonly long _sweepNanoseconds, _slotNanoseconds;
    private double _foldMilliseconds;
    private long _issued, _sequencesBegun, _nextSlot;
    private int _sequencesEnded, _clientsCounting, _clientsWorking;
    private bool _begun, _stopped, _sinkFailed;

    /// <summary>A fleet that has not begun.</summary>
    public Fleet(IWire wire, FleetSetup setup, IExchangeSink sink, IProgress<FleetProgress>? progress)
    {
        (Wire, _setup, _progress) = (wire, setup, progress);
        Endpoint = setup.Endpoint with { ConnectTimeout = setup.ExchangeTimeout };
        TimeoutNanoseconds = Nanoseconds(setup.ExchangeTimeout);
        var patience = Nanoseconds(setup.ConnectPatience);
        _connects = new(setup.Clients, patience, TimeoutNanoseconds + patience);
        _sweepNanoseconds = Math.Clamp(TimeoutNanoseconds / 20, 1_000_000, LongestSweepNanoseconds);
        _slotNanoseconds = setup.MaximumRequestsPerSecond is { } rate ? (long)Math.Min(1e9 / rate, 1e15) : 0;
        Packets = new(setup);
        Fold = new(setup.Clients, setup.Population.Topics);
        Timeline = new(setup.Clients, setup.Population.Topics, sink);
        Ledger = new(setup.Clients);
        _outcomes = new(setup.CountedSequences is { } sequences ? (int)Math.Min((long)sequences * setup.Clients, 1 << 24) : 1024);
        _clientsCounting = _clientsWorking = setup.Clients;
        Diagnosis = new(wire.NowNanoseconds, setup.BrokerProcessId);

        var models = setup.Population.Groups.Select(group => new ClientModel(group.Profile)).ToArray();
        var groups = setup.Population.Assign(setup.Clients);
        _clients = new FleetClient[setup.Clients];
        for (var client = 0; client < setup.Clients; client++)
            _clients[client] = new(this, client, models[groups[client]], RandomStream.For(setup.Seed, (ulong)setup.Run, (ulong)client));
    }

    /// <summary>The event loop.</summary>
    public IWire Wire { get; }

    /// <summary>The broker.</summary>
    public WireEndpoint Endpoint { get; }

    /// <summary>The protocol spoken.</summary>
    public ProtocolVersion ProtocolVersion => _setup.ProtocolVersion;

    /// <summary>Number of the run.</summary>
    public int RunNumber => _setup.Run;

    /// <summary>How many sequences of a client count; with a bound in time, all of them.</summary>
    public int CountedSequences => _setup.CountedSequences ?? int.MaxValue;

    /// <summary>The deadline of an exchange.</summary>
    public long TimeoutNanoseconds { get; }

    /// <summary>When the run began, on the wire's clock.</summary>
    public long StartNanoseconds { get; private set; }

    /// <summary>When its last exchange ended.</summary>
    public long EndNanoseconds { get; private set; }

    /// <summary>The requests as bytes.</summary>
    public RequestPackets Packets { get; }

    /// <summary>Who is online and subscribed, as far as answers have been handled: it decides what is awaited.</summary>
    public FeatureFold Fold { get; }

    /// <summary>The exchanges on their way into the log.</summary>
    public ExchangeTimeline Timeline { get; }

    /// <summary>Who awaits which message.</summary>
    public DeliveryLedger Ledger { get; }

    /// <summary>What the run notes about itself.</summary>
    public RunDiagnosis Diagnosis { get; }

    /// <summary>Whether no further sequence begins.</summary>
    public bool IsEnding { get; private set; }

    /// <summary>Whether no further exchange begins.</summary>
    public bool IsOver { get; private set; }

    /// <summary>Whether the run was cancelled.</summary>
    public bool IsInterrupted { get; private set; }

    /// <summary>Why the run could not go on, or null.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Awaited deliveries that did not come in time.</summary>
    public long Lost { get; set; }

    /// <summary>Messages that are not of this run.</summary>
    public long Strays { get; set; }

    /// <summary>Messages received again without a reason.</summary>
    public long Duplicates { get; private set; }

    /// <summary>Messages received again because a session was resumed.</summary>
    public long Redeliveries { get; private set; }

    /// <summary>Counted sequences that are over.</summary>
    public List<Outcome> Outcomes => _outcomes;

    /// <summary>The first failures in words.</summary>
    public IReadOnlyList<string> Failures => _failures;

    /// <summary>How many exchanges ended how.</summary>
    public IReadOnlyList<long> ExchangesByOutcome => _exchangesByOutcome;

    /// <summary>Clients whose session the broker may still hold.</summary>
    public int SessionsLeft => _clients.Count(client => client.SessionMayRemain);

    /// <summary>Time 0: every client begins with its own first wait.</summary>
    public void Begin()
    {
        if (IsOver) return;
        _begun = true;
        StartNanoseconds = EndNanoseconds = Wire.NowNanoseconds;
        Wire.Schedule(this, StartNanoseconds + _sweepNanoseconds, SweepTag);
        if (_setup.Duration is { } duration) Wire.Schedule(this, StartNanoseconds + Nanoseconds(duration), TimeOverTag);
        foreach (var client in _clients) client.Begin(StartNanoseconds);
    }

    /// <summary>Ends the run here: open exchanges are logged as cancelled, then sessions are dropped for at most a second.</summary>
    public void Cancel()
    {
        if (IsOver) return;
        IsInterrupted = true;
        CancelClients();
        var cleaning = 0;
        foreach (var client in _clients)
        {
            if (client.CleanUp()) cleaning++;
        }
        _clientsWorking = cleaning;
        if (cleaning == 0) Stop();
        else Wire.Schedule(this, Wire.NowNanoseconds + CleanUpNanoseconds, LatestEndTag);
    }

    /// <summary>Ends the run here and now, without dropping sessions.</summary>
    public void Abort()
    {
        if (!IsOver)
        {
            IsInterrupted = true;
            CancelClients();
        }
        Stop();
    }

    /// <summary>Hands everything that has ended to the log.</summary>
    public void FlushLog() => Log(long.MaxValue);

    /// <summary>The next number in the order of sending.</summary>
    public long NextIssueIndex() => _issued++;

    /// <summary>The next number in the order in which counted sequences begin.</summary>
    public long NextSequenceIndex() => _sequencesBegun++;

    /// <summary>A time for the fold, which wants them in order: a kernel's stamp may lie before an event that was handled already.</summary>
    public double FoldTime(long nanoseconds) => _foldMilliseconds = Math.Max(_foldMilliseconds, (nanoseconds - StartNanoseconds) / 1e6);

    /// <summary>A time in the log: microseconds since the run began, NaN for <see cref="OpenExchange.None"/>.</summary>
    public double Microseconds(long nanoseconds) => nanoseconds == OpenExchange.None ? double.NaN : (nanoseconds - StartNanoseconds) / 1e3;

    /// <summary>When the next request may leave, at the earliest now; the slot is taken.</summary>
    public long NextSlot(long nowNanoseconds)
    {
        if (_slotNanoseconds == 0) return nowNanoseconds;
        var slot = Math.Max(nowNanoseconds, _nextSlot);
        _nextSlot = slot + _slotNanoseconds;
        return slot;
    }

    /// <summary>Logs an exchange that has ended.</summary>
    /// <param name="entry">Its entry in the timeline.</param>
    /// <param name="exchange">The exchange, without its features.</param>
    /// <param name="endNanoseconds">When it ended.</param>
    public void Append(int entry, in Exchange exchange, long endNanoseconds)
    {
        _exchangesByOutcome[(int)exchange.Outcome]++;
        EndNanoseconds = Math.Max(EndNanoseconds, endNanoseconds);
        Diagnosis.Ended(exchange);
        Timeline.End(entry, exchange, endNanoseconds);
        Log(Timeline.LatestNanoseconds - ExchangeTimeline.WindowNanoseconds);
    }

    /// <summary>Notes a failure in words, while there is room.</summary>
    public void NoteFailure(int client, MessageKind? kind, ExchangeOutcome outcome, long atNanoseconds, string detail)
    {
        if (_failures.Count == FailuresInWords) return;
        var what = kind is { } known ? known.Name() : "while idle";
        var milliseconds = (atNanoseconds - StartNanoseconds) / 1e6;
        _failures.Add(string.Create(CultureInfo.InvariantCulture, $"client {client}, {what}, at {milliseconds:F1} ms: {outcome}: {detail}"));
    }

    /// <summary>A message of this run arrived at a client.</summary>
    public void Deliver(int receiver, int topic, ulong number, bool isRedelivery, long atNanoseconds)
    {
        var (kind, publisher) = Ledger.Deliver(receiver, topic, number);
        switch (kind)
        {
            case DeliveryKind.Awaited or DeliveryKind.LastAwaited:
                _clients[publisher].OnDelivered(atNanoseconds, kind == DeliveryKind.LastAwaited);
                break;
            case DeliveryKind.Repeated when isRedelivery:
                Redeliveries++;
                break;
            case DeliveryKind.Repeated:
                Duplicates++;
                break;
            case DeliveryKind.Stray:
                Strays++;
                break;
            default:
                break;
        }
    }

    /// <summary>A client went away or unsubscribed: what is on its way to it is awaited no longer.</summary>
    /// <param name="receiver">The client.</param>
    /// <param name="topic">The topic, or -1 for all.</param>
    /// <param name="atNanoseconds">When.</param>
    public void Release(int receiver, int topic, long atNanoseconds)
    {
        for (var publisher = 0; publisher < _clients.Length && Ledger.IsAwaitedAt(receiver); publisher++)
        {
            if (Ledger.Release(publisher, receiver, topic)) _clients[publisher].OnReleased(atNanoseconds);
        }
    }

    /// <summary>A client's connection ended without its doing.</summary>
    public void Disconnected(int client, long atNanoseconds)
    {
        Fold.ConnectionLost(client);
        Timeline.ConnectionLost(client, atNanoseconds);
        Release(client, -1, atNanoseconds);
    }

    /// <summary>The broker accepted a client.</summary>
    public void ConnectSucceeded(int client) => _connects.Succeeded(client);

    /// <summary>An accepted connection is over.</summary>
    public void ConnectionEnded() => _connects.Left();

    /// <summary>A client could not connect. When there is no use in going on, the run ends.</summary>
    /// <param name="client">The client.</param>
    /// <param name="nowNanoseconds">The time.</param>
    /// <param name="detail">What the broker did.</param>
    public void ConnectFailed(int client, long nowNanoseconds, string detail)
    {
        if (IsOver || _connects.Failed(client, nowNanoseconds, Endpoint.Address) is not { } reason) return;
        if (!IsEnding)
        {
            Fail(new BrokerException($"{reason}: {detail}."));
            return;
        }
        // The measurement is complete; only the cleaning up fails.
        IsOver = true;
        Wire.Post(Stop);
    }

    /// <summary>Whether the broker offers what a client's messages need; if not, the run ends with the reason.</summary>
    /// <param name="connack">What the broker said.</param>
    /// <param name="profile">What the client sends.</param>
    public bool Serves(in ServerAnswers.Connack connack, UsageProfile profile)
    {
        var qos = profile.HighestQos;
        var bytes = PacketWriter.PublishLength(ProtocolVersion, Packets.LongestTopicBytes, profile.MaximumPayloadBytes, qos);
        if (qos <= connack.MaximumQos && bytes <= connack.MaximumPacketBytes) return true;
        Fail(new BrokerException(qos > connack.MaximumQos
            ? $"Profile {profile.Name} uses quality of service {(int)qos}; the broker at {Endpoint.Address} serves at most {(int)connack.MaximumQos} (CONNACK, Maximum QoS)."
            : $"Profile {profile.Name} sends packets of up to {bytes} bytes; the broker at {Endpoint.Address} takes at most {connack.MaximumPacketBytes} (CONNACK, Maximum Packet Size)."));
        return false;
    }

    /// <summary>A counted sequence is over.</summary>
    public void SequenceEnded(in Outcome outcome)
    {
        _outcomes.Add(outcome);
        _sequencesEnded++;
        if (outcome.Sequence == _setup.CountedSequences && outcome.Status != OutcomeStatus.Unfinished && --_clientsCounting == 0) EndSoon();
    }

    /// <summary>A client has nothing left to do.</summary>
    public void Finished()
    {
        if (--_clientsWorking == 0) Stop();
    }

    /// <inheritdoc/>
    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        if (tag == LatestEndTag)
        {
            if (!IsOver) CancelClients();
            Stop();
        }
        else if (tag == TimeOverTag) EndSoon();
        else Sweep(nowNanoseconds);
    }

    void IWireHandler.OnConnected(WireConnection connection, in ArrivalStamp stamp) => throw new NotSupportedException();

    int IWireHandler.OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp) => throw new NotSupportedException();

    void IWireHandler.OnSent(WireConnection connection, in SendStamp stamp) => throw new NotSupportedException();

    void IWireHandler.OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
        throw new NotSupportedException();

    private static long Nanoseconds(TimeSpan time) => time.Ticks * TimeSpan.NanosecondsPerTick;

    private void Sweep(long nowNanoseconds)
    {
        if (IsOver) return;
        foreach (var client in _clients) client.CheckDeadline(nowNanoseconds);
        Log(nowNanoseconds - ExchangeTimeline.WindowNanoseconds);
        Report(nowNanoseconds);
        Wire.Schedule(this, nowNanoseconds + _sweepNanoseconds, SweepTag);
    }

    private void Report(long nowNanoseconds)
    {
        if (_progress is null) return;
        long ended = 0;
        foreach (var count in _exchangesByOutcome) ended += count;
        var completed = _exchangesByOutcome[(int)ExchangeOutcome.Success];
        var needed = _setup.CountedSequences is { } sequences ? (int)Math.Min((long)sequences * _setup.Clients, int.MaxValue) : 0;
        var elapsed = TimeSpan.FromMicroseconds((nowNanoseconds - StartNanoseconds) / 1000);
        _progress.Report(new(elapsed, _issued, completed, ended - completed, _sequencesEnded, needed));
    }

    private void EndSoon()
    {
        if (IsEnding || IsOver) return;
        IsEnding = true;
        var now = Wire.NowNanoseconds;
        Diagnosis.LoadEnded(now);
        // An open exchange, its reset, and a second attempt: whoever takes longer is cut.
        Wire.Schedule(this, now + 3 * TimeoutNanoseconds + CleanUpNanoseconds, LatestEndTag);
        foreach (var client in _clients) client.EndSoon(now);
    }

    // Hands on what was over by then.
    private void Log(long untilNanoseconds)
    {
        if (_sinkFailed) return;
        try
        {
            Timeline.FoldUntil(untilNanoseconds);
        }
        catch (Exception e)
        {
            _sinkFailed = true;
            Fail(e);
        }
    }

    private void Fail(Exception failure)
    {
        Failure ??= failure;
        if (IsOver) return;
        IsOver = true;
        // Not from within a client's own call.
        Wire.Post(() =>
        {
            CancelClients();
            Stop();
        });
    }

    private void CancelClients()
    {
        IsOver = true;
        var now = Wire.NowNanoseconds;
        foreach (var client in _clients) client.Cancel(now);
    }

    private void Stop()
    {
        if (_stopped) return;
        _stopped = true;
        IsOver = true;
        if (!IsEnding) Diagnosis.LoadEnded(Wire.NowNanoseconds);
        FlushLog();
        if (_begun) Report(Wire.NowNanoseconds);
        Wire.Stop();
    }
}
