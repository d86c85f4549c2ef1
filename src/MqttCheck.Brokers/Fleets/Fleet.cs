using System.Globalization;
using MqttCheck.Brokers.Fleets.Parts;
using MqttCheck.Brokers.Fleets.Requests;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Fleets;

/// <summary>
/// The clients of one run and their shared state: the wire, the features, the awaited messages and the order of
/// sending. It decides when the run ends. Lives on the wire's thread.
/// </summary>
internal sealed class Fleet : ITimerHandler, ILoopRun
{
    private const int SweepTag = 0;
    private const int TimeOverTag = 1;
    private const int LatestEndTag = 2;
    private const long LongestSweepNanoseconds = 100_000_000;
    private const long CleanUpNanoseconds = 1_000_000_000;

    private readonly WireEndpoint[] _nodes;
    private readonly IProgress<FleetProgress>? _progress;
    private readonly FleetPeers? _peers;
    private readonly FleetClient?[] _clients;
    private readonly FleetClient[] _own;
    private readonly double[] _starts;
    private readonly long _sweepNanoseconds,
        _slotNanoseconds;
    private double _foldMilliseconds;
    private long _issued,
        _sequencesBegun,
        _nextSlot;
    private int _sequencesEnded,
        _clientsCounting,
        _clientsWorking,
        _partsCounting;
    private bool _begun,
        _stopped;

    /// <summary>A fleet that has not begun.</summary>
    /// <param name="wire">The event loop.</param>
    /// <param name="setup">The setup of the run.</param>
    /// <param name="sink">Takes the exchanges.</param>
    /// <param name="progress">Who is told how far it is.</param>
    /// <param name="peers">The other parts of the fleet, if this is one of several.</param>
    public Fleet(
        IWire wire,
        FleetSetup setup,
        IExchangeSink sink,
        IProgress<FleetProgress>? progress,
        FleetPeers? peers = null
    )
    {
        _peers = peers;
        var own = peers?.Share.Of(setup.Clients) ?? setup.Clients;
        (Wire, Setup, _progress) = (wire, setup, progress);
        _nodes =
        [
            .. (setup.Nodes.Count == 0 ? [setup.Endpoint] : setup.Nodes).Select(node =>
                node with
                {
                    ConnectTimeout = setup.ExchangeTimeout,
                }
            ),
        ];
        TimeoutNanoseconds = MonotonicClock.Nanoseconds(setup.ExchangeTimeout);
        var patience = MonotonicClock.Nanoseconds(setup.ConnectPatience);
        Connects = new(setup.Clients, own, patience, TimeoutNanoseconds + patience);
        _sweepNanoseconds = Math.Clamp(TimeoutNanoseconds / 20, 1_000_000, LongestSweepNanoseconds);
        _slotNanoseconds = setup.MaximumRequestsPerSecond is { } rate
            ? (long)Math.Min(1e9 / (rate * own / setup.Clients), 1e15)
            : 0;
        Packets = new(setup);
        var shares = setup.Population.Shares(setup.Clients);
        var topics = Packets.Names.Space;
        Fold = new(setup.Clients, Math.Max(1, topics.Numbers), withheld: false, shares, topics.Filters);
        Outcomes = new(setup.CountedSequences is { } sequences ? (int)Math.Min((long)sequences * own, 1 << 24) : 1024);
        _clientsCounting = _clientsWorking = own;
        _partsCounting = peers?.Share.Parts ?? 1;
        Diagnosis = new(wire.NowNanoseconds, setup.BrokerProcessId, StageClock.Of(setup.Population, setup.Clients));
        IExchangeTimeline timeline = peers is null
            ? new ExchangeTimeline(setup.Clients, topics, sink, shares)
            : peers.Log;
        Books = new(timeline, Diagnosis, Fail);
        _clients = new FleetClient?[setup.Clients];
        Deliveries = new(_clients, shares, peers, topics);

        var rampUp = RampUp.Of(setup.Population, setup.Clients);
        _starts = rampUp.StartMilliseconds;
        var models = Models(setup.Population, rampUp, topics);
        var groups = setup.Population.Assign(setup.Clients).ToArray();
        var (first, step) = peers is null ? (0, 1) : (peers.Share.Part, peers.Share.Parts);
        for (var client = first; client < setup.Clients; client += step)
            _clients[client] = new(
                this,
                client,
                models[groups[client]],
                Packets.OfGroup(groups[client]),
                RandomStream.For(setup.Seed, (ulong)setup.Run, (ulong)client)
            );
        _own = [.. _clients.OfType<FleetClient>()];
    }

    private static ClientModel[] Models(Population population, RampUp rampUp, TopicSpace topics) =>
        [
            .. population.Groups.Select(
                (group, index) => new ClientModel(group.Profile, rampUp.EndMilliseconds, topics.OfGroup(index))
            ),
        ];

    /// <summary>The event loop.</summary>
    public IWire Wire { get; }

    public FleetSetup Setup { get; }

    /// <summary>Watches who can connect.</summary>
    public ConnectWatch Connects { get; }

    /// <summary>The endpoint to which a client connects.</summary>
    /// <param name="client">Its number.</param>
    /// <param name="moves">How often it went to the next node.</param>
    public WireEndpoint EndpointOf(int client, int moves) => _nodes[(client + moves) % _nodes.Length];

    /// <summary>How many sequences of a client count; with a bound in time, all of them.</summary>
    public int CountedSequences => Setup.CountedSequences ?? int.MaxValue;

    /// <summary>The deadline of an exchange.</summary>
    public long TimeoutNanoseconds { get; }

    /// <summary>The requests as bytes.</summary>
    public RequestPackets Packets { get; }

    /// <summary>
    /// Which clients are online and subscribed, according to the answers handled so far. It decides which deliveries
    /// are awaited.
    /// </summary>
    public FeatureFold Fold { get; }

    /// <summary>The records of the exchanges.</summary>
    public FleetBooks Books { get; }

    /// <summary>The deliveries to the clients.</summary>
    public FleetDeliveries Deliveries { get; }

    /// <summary>The observations that the run makes about itself.</summary>
    public RunDiagnosis Diagnosis { get; }

    /// <summary>Whether no further sequence begins.</summary>
    public bool IsEnding { get; private set; }

    /// <summary>Whether no further exchange begins.</summary>
    public bool IsOver { get; private set; }

    /// <summary>Whether the run was cancelled.</summary>
    public bool IsInterrupted { get; private set; }

    /// <summary>Why the run could not go on, or null.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Counted sequences that are over.</summary>
    public List<Outcome> Outcomes { get; }

    /// <summary>Clients whose session the broker may still hold.</summary>
    public int SessionsLeft => _own.Count(client => client.SessionMayRemain);

    /// <summary>Begins the run at time 0: every client starts its own first wait.</summary>
    public void Begin()
    {
        if (IsOver)
            return;
        _begun = true;
        // In a part of a fleet, time 0 lies ahead, and the clients wait for it.
        var start = _peers?.StartNanoseconds ?? Wire.NowNanoseconds;
        Books.Begin(start);
        Wire.Schedule(this, start + _sweepNanoseconds, SweepTag);
        if (Setup.Duration is { } duration)
            Wire.Schedule(this, start + MonotonicClock.Nanoseconds(duration), TimeOverTag);
        foreach (var client in _own)
        {
            var first = _starts.Length > 0 ? _starts[client.Index] : double.NaN;
            client.Begin(start, double.IsNaN(first) ? null : (long)(first * 1e6));
        }
    }

    /// <summary>
    /// Ends the run here: open exchanges are logged as cancelled, then sessions are dropped for at most a second.
    /// </summary>
    public void Cancel()
    {
        if (IsOver)
            return;
        IsInterrupted = true;
        CancelClients();
        var cleaning = 0;
        foreach (var client in _own)
        {
            if (client.CleanUp())
                cleaning++;
        }
        _clientsWorking = cleaning;
        Wire.Schedule(this, Wire.NowNanoseconds + CleanUpNanoseconds, LatestEndTag);
        if (cleaning == 0)
            Leave();
    }

    /// <summary>Ends the run at once, without dropping sessions.</summary>
    public void Abort()
    {
        if (!IsOver)
        {
            IsInterrupted = true;
            CancelClients();
        }
        Stop();
    }

    /// <summary>The next number in the order of sending.</summary>
    public long NextIssueIndex() => _issued++;

    /// <summary>
    /// The next number in the order in which counted sequences begin. A part of a fleet uses the time instead; the
    /// numbers are given when the parts are merged.
    /// </summary>
    public long NextSequenceIndex(long atNanoseconds) =>
        _peers is null ? _sequencesBegun++ : atNanoseconds - Books.StartNanoseconds;

    /// <summary>By how much the clocks of two parts of the fleet may disagree.</summary>
    public long ClockBoundNanoseconds => _peers?.ClockBoundNanoseconds ?? 0;

    /// <summary>A client sent a request.</summary>
    /// <returns>How many are online and subscribed to its topic.</returns>
    public int Started(int client, in ClientAction action, long atNanoseconds)
    {
        _peers?.Started(client, action, atNanoseconds);
        return Fold.Start(client, action, FoldTime(atNanoseconds)).Subscribers;
    }

    /// <summary>A client's request was answered, or has failed.</summary>
    public void Ended(int client, in ClientAction action, int subscribers, bool success, long atNanoseconds)
    {
        _peers?.Ended(client, action, success, atNanoseconds);
        Fold.End(client, action, subscribers, success, FoldTime(atNanoseconds));
    }

    /// <summary>Another part of the fleet has no sequence left that counts.</summary>
    public void PartCounted()
    {
        if (--_partsCounting == 0)
            EndSoon();
    }

    /// <summary>
    /// Converts a time for the fold, which needs ascending times. A kernel stamp may lie before an event that was
    /// already handled.
    /// </summary>
    public double FoldTime(long nanoseconds) =>
        _foldMilliseconds = Math.Max(_foldMilliseconds, (nanoseconds - Books.StartNanoseconds) / 1e6);

    /// <summary>The earliest time, from now on, at which the next request may leave; the slot is taken.</summary>
    public long NextSlot(long nowNanoseconds)
    {
        if (_slotNanoseconds == 0)
            return nowNanoseconds;
        var slot = Math.Max(nowNanoseconds, _nextSlot);
        _nextSlot = slot + _slotNanoseconds;
        return slot;
    }

    /// <summary>A client's connection ended without its doing.</summary>
    public void Disconnected(int client, long atNanoseconds)
    {
        _peers?.Lost(client, atNanoseconds);
        Fold.ConnectionLost(client);
        Books.Timeline.ConnectionLost(client, atNanoseconds);
        Deliveries.Release(client, -1, atNanoseconds);
    }

    /// <summary>A client could not connect. The run ends if going on is pointless.</summary>
    /// <param name="client">The client.</param>
    /// <param name="nowNanoseconds">The time.</param>
    /// <param name="detail">The broker's answer.</param>
    public void ConnectFailed(int client, long nowNanoseconds, string detail)
    {
        if (IsOver || Connects.Failed(client, nowNanoseconds, Setup.Endpoint.Address) is not { } reason)
            return;
        if (!IsEnding)
        {
            Fail(new BrokerException($"{reason}: {detail}."));
            return;
        }
        // The measurement is complete; only the cleaning up fails.
        IsOver = true;
        Wire.Post(Stop);
    }

    /// <summary>
    /// Whether the broker offers what a client's messages need; if not, the run ends with the reason.
    /// </summary>
    /// <param name="connack">The CONNACK of the broker.</param>
    /// <param name="profile">The profile of the client.</param>
    public bool Serves(in ServerAnswers.Connack connack, UsageProfile profile)
    {
        var qos = profile.HighestQos;
        var bytes = Packets.LongestPublish(profile, qos);
        var (asks, offers) =
            qos > connack.MaximumQos
                ? (
                    $"uses quality of service {(int)qos}",
                    $"serves at most {(int)connack.MaximumQos} (CONNACK, Maximum QoS)"
                )
            : bytes > connack.MaximumPacketBytes
                ? (
                    $"sends packets of up to {bytes} bytes",
                    $"takes at most {connack.MaximumPacketBytes} (CONNACK, Maximum Packet Size)"
                )
            : PacketKeys.Kept(profile) is { } kept && connack.LacksRetain
                ? ($"has \"{kept}\"", "keeps no messages (CONNACK, Retain Available)")
            : profile.ShareName is not null && connack.LacksShares
                ? ("has \"sharedSubscription\"", "has none (CONNACK, Shared Subscription Available)")
            : ("", "");
        if (asks.Length == 0)
            return true;
        Fail(new BrokerException($"Profile {profile.Name} {asks}; the broker at {Setup.Endpoint.Address} {offers}."));
        return false;
    }

    /// <summary>A counted sequence is over.</summary>
    public void SequenceEnded(in Outcome outcome)
    {
        Outcomes.Add(outcome);
        _sequencesEnded++;
        if (
            outcome.Sequence == Setup.CountedSequences
            && outcome.Status != OutcomeStatus.Unfinished
            && --_clientsCounting == 0
        )
        {
            _peers?.Counted();
            PartCounted();
        }
    }

    /// <summary>A client has nothing left to do.</summary>
    public void Finished()
    {
        if (--_clientsWorking == 0)
            Leave();
    }

    // The last client has left, and the retained messages of the run are removed from the broker.
    private void Leave()
    {
        byte[][] wills = [.. _own.Select(client => Packets.Names.KeptWillOf(client.Index)).OfType<byte[]>()];
        if (_stopped || (Packets.RetainedTopics.Count == 0 && wills.Length == 0))
            Stop();
        else
            Wire.Connect(EndpointOf(0, 0), new RetainedRemoval(Packets, wills, Setup.ProtocolVersion, Stop));
    }

    /// <inheritdoc/>
    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        if (tag == LatestEndTag)
        {
            if (!IsOver)
                CancelClients();
            Stop();
        }
        else if (tag == TimeOverTag)
            EndSoon();
        else
            Sweep(nowNanoseconds);
    }

    /// <summary>A time of the wire's clock as one of the run, in milliseconds.</summary>
    public double RunMilliseconds(long nanoseconds) => (nanoseconds - Books.StartNanoseconds) / 1e6;

    private void Sweep(long nowNanoseconds)
    {
        if (IsOver)
            return;
        foreach (var client in _own)
            client.CheckDeadline(nowNanoseconds);
        Books.Log(nowNanoseconds - ExchangeTimeline.WindowNanoseconds);
        _peers?.Log.Mark(
            Math.Min(nowNanoseconds - ExchangeTimeline.WindowNanoseconds, _own.Min(client => client.UnderWaySince))
        );
        Report(nowNanoseconds);
        Wire.Schedule(this, nowNanoseconds + _sweepNanoseconds, SweepTag);
    }

    private void Report(long nowNanoseconds)
    {
        if (_progress is null)
            return;
        long ended = 0;
        foreach (var count in Books.ByOutcome)
            ended += count;
        var completed = Books.ByOutcome[(int)ExchangeOutcome.Success];
        var needed = Setup.CountedSequences is { } sequences
            ? (int)Math.Min((long)sequences * _own.Length, int.MaxValue)
            : 0;
        var elapsed = TimeSpan.FromMicroseconds((nowNanoseconds - Books.StartNanoseconds) / 1000);
        _progress.Report(new(elapsed, _issued, completed, ended - completed, _sequencesEnded, needed));
    }

    private void EndSoon()
    {
        if (IsEnding || IsOver)
            return;
        IsEnding = true;
        var now = Wire.NowNanoseconds;
        Diagnosis.LoadEnded(now);
        // A client has time for an open exchange, its reset, and a second attempt; then it is cut off.
        Wire.Schedule(this, now + 3 * TimeoutNanoseconds + CleanUpNanoseconds, LatestEndTag);
        foreach (var client in _own)
            client.EndSoon(now);
    }

    private void Fail(Exception failure)
    {
        Failure ??= failure;
        if (IsOver)
            return;
        IsOver = true;
        // The run is not stopped from within a client's own call.
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
        foreach (var client in _own)
            client.Cancel(now);
    }

    private void Stop()
    {
        if (_stopped)
            return;
        _stopped = true;
        IsOver = true;
        if (!IsEnding)
            Diagnosis.LoadEnded(Wire.NowNanoseconds);
        Books.Log(long.MaxValue);
        // Other parts may await deliveries here. The last notes tell them that the clients here have gone.
        _peers?.Flush();
        if (_begun)
            Report(Wire.NowNanoseconds);
        Wire.Stop();
    }
}
