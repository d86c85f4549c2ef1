using System.Globalization;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Judges;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Checking;

/// <summary>
/// One run of a scenario, driven by the wire's events. Concurrent commands are sent without waiting. Before any other
/// command, everything that the broker owes must have come, been ruled out by a marker, or passed a deadline. Sessions
/// and retained messages are removed at the end.
/// </summary>
internal sealed class ScenarioRun : ITimerHandler
{
    // No scenario can cause this many packets. A broker that sends more does not stop by itself.
    private const int MaximumPackets = 5000,
        MaximumPacketsOfPublication = 8;

    // So many messages of one command are under way at once.
    private const int PublicationsAtOnce = 64;

    // These limits allow for the retained messages of other runs and for the messages that they publish. Each message
    // may cost some packets for each matching subscription of each client.
    private const int MaximumForeignPackets = 20_000,
        MaximumForeignCopies = 50;
    private const long TickNanoseconds = 15_000_000;

    // A tick that is later than this shows that this process was not running.
    private const long PauseNanoseconds = 50_000_000;

    // A client that got a delayed message of another run may get more of them for this long.
    private const long ForeignNanoseconds = 500_000_000;

    // A message that took longer than this has waited in a queue.
    private const long QueuedNanoseconds = 250_000_000;

    // A broker that misses this many deadlines is expected to miss the next one too.
    private const int MaximumExpired = 3;

    // A broker that cannot be reached is started again, but only after this time.
    private static readonly TimeSpan s_connectTimeout = TimeSpan.FromSeconds(30);

    private enum Stage : byte
    {
        Steps,
        Drain,
        Done,
    }

    private readonly IWire _wire;
    private readonly RunRules _rules;
    private readonly Traffic _traffic;
    private readonly long _publishedBefore;
    private readonly Action<ScenarioResult> _finished;
    private readonly ScenarioClient[] _clients;
    private readonly Dictionary<ushort, int>[] _sentOn;
    private readonly HashSet<string> _retained = new(StringComparer.Ordinal);
    private readonly Dictionary<string, long> _overtaken = new(StringComparer.Ordinal);
    private readonly List<ClientLink> _links = [];
    private Stage _stage;
    private int _next,
        _published;
    private int _commands;
    private int _payloads;
    private int _packets,
        _foreignPackets;
    private long _backlogAt = long.MinValue / 2;
    private bool _isIssuing;
    private bool _markersSent;
    private bool _brokerLost;
    private long _waitingSince;
    private long _began;
    private long _ticket;
    private long _waitEnd;
    private int _waiting,
        _expired;
    private int _judged;
    private long _slowest;
    private bool _isOrdinaryWait;

    public ScenarioRun(
        IWire wire,
        CheckTarget target,
        Scenario scenario,
        ScenarioNames names,
        RunRules rules,
        Traffic traffic,
        Action<ScenarioResult> finished
    )
    {
        (_wire, Target, Scenario, Names, _rules, _traffic, _finished) = (
            wire,
            target,
            scenario,
            names,
            rules,
            traffic,
            finished
        );
        _publishedBefore = traffic.Published;
        Monitor = new ConformanceMonitor(scenario.Version, names, scenario.Clients);
        _clients = [.. Enumerable.Range(0, scenario.Clients).Select(index => new ScenarioClient(this, index))];
        _sentOn = [.. _clients.Select(_ => new Dictionary<ushort, int>())];
    }

    public CheckTarget Target { get; }

    public Scenario Scenario { get; }

    public ScenarioNames Names { get; }

    public ConformanceMonitor Monitor { get; }

    public IWire Wire => _wire;

    public ProtocolVersion Version => Scenario.Version;

    public void Start()
    {
        _began = _wire.NowNanoseconds;
        if (_stage != Stage.Done)
            Issue();
    }

    public Bytes NewPayload(int size) => Names.Payload(_payloads++, size);

    public void Retained(string topic) => _retained.Add(topic);

    public int SendOrder(PublishPacket packet) =>
        packet.Payload.IsEmpty
            ? packet.PacketId
            : int.Parse(
                packet.Payload.ToText().AsSpan(Names.Token.Length + 1).TrimEnd('.'),
                CultureInfo.InvariantCulture
            );

    public bool WasSentOn(ClientLink link, ushort packetId) =>
        _sentOn[link.Client.Index].GetValueOrDefault(packetId) == link.Number;

    public ClientLink OpenLink(ScenarioClient client)
    {
        var link = new ClientLink(this, client, _links.Count, client.Link);
        _links.Add(link);
        Observe(link, TraceKind.Opened, null, Target.Endpoint.WebSocket is null ? "" : "websocket");
        link.Attach(_wire.Connect(Target.EndpointOf(client.Index) with { ConnectTimeout = s_connectTimeout }, link));
        return link;
    }

    /// <summary>Pauses the scenario for a while.</summary>
    public void Wait(int client, int milliseconds)
    {
        _waiting = client;
        _waitEnd = Math.Max(_waitEnd, _wire.NowNanoseconds + (milliseconds * 1_000_000L));
    }

    /// <summary>Ends the run early. Its result follows when its remains have been removed from the broker.</summary>
    public void Abandon()
    {
        if (_stage != Stage.Done)
            Finish();
    }

    public void SentPacket(ClientLink link, Packet packet, string detail)
    {
        if (packet is PublishPacket message)
            _traffic.Sent(Names, message, _wire.NowNanoseconds);
        if (packet is PublishPacket { PacketId: > 0 } publish)
            _sentOn[link.Client.Index][publish.PacketId] = link.Number;
        Observe(link, TraceKind.Sent, packet, detail);
    }

    public void SentMalformed(ClientLink link, string defect, byte[] bytes) =>
        Observe(link, TraceKind.SentMalformed, null, defect, bytes);

    public void Withholds(ClientLink link, ushort packetId, string what) =>
        Observe(link, TraceKind.Withholds, new PubrelPacket(packetId), what);

    public void LeftLink(ClientLink link)
    {
        Observe(link, TraceKind.ClosedByClient, null);
        link.Client.Lost(link);
    }

    public void ReceivedPacket(ClientLink link, ObservedPacket packet)
    {
        if (_stage == Stage.Done)
            return;
        if (IsForeign(packet.Packet))
        {
            _foreignPackets++;
            NoteBacklog(packet.Packet);
        }
        else
        {
            _packets++;
        }
        Monitor.Observe(
            new TraceEntry(_wire.NowNanoseconds, link.Client.Index, link.Number, TraceKind.Received)
            {
                Packet = packet.Packet,
                Violations = packet.Violations,
            }
        );
        if (packet.Packet is { } known)
            link.Client.Received(link, known);
    }

    public void Unreadable(ClientLink link, FrameStatus status)
    {
        Monitor.Note(
            Statements.Encoding,
            $"frame {status}",
            $"client {(char)('A' + link.Client.Index)} gets bytes that are no packet ({status})"
        );
        link.Leave();
    }

    public void ClosedLink(ClientLink link, CloseReason reason, string detail, bool wasLeft, bool wasOpen)
    {
        if (wasLeft || _stage == Stage.Done)
            return;
        if (!wasOpen)
        {
            _brokerLost = true;
            Monitor.Note(
                Statements.Available,
                reason.ToString(),
                $"the broker cannot be reached any more: {reason}{(detail.Length > 0 ? $" ({detail})" : "")}"
            );
            // The broker did not end a connection that was never made.
            link.Client.Lost(link);
            return;
        }
        Observe(
            link,
            TraceKind.ClosedByBroker,
            null,
            reason == CloseReason.ClosedByPeer ? ""
                : detail.Length > 0 ? $"{reason}: {detail}"
                : reason.ToString()
        );
        link.Client.Lost(link);
    }

    /// <summary>Ends the run if enough was seen, or issues the next commands if nothing is owed any more.</summary>
    public void Progress()
    {
        if (_isIssuing || _stage == Stage.Done)
            return;
        if (IsFlooded)
            Monitor.Note(Statements.NoFlood, "", $"{_packets + _foreignPackets} packets arrived in one scenario");
        if (_brokerLost || IsFlooded || HasSeenEnough())
        {
            Finish();
            return;
        }
        if (!IsSettled())
            return;
        if (_isOrdinaryWait)
            _slowest = Math.Max(_slowest, _wire.NowNanoseconds - _waitingSince);
        Issue();
    }

    // The end of a wait is observed as an event, because intervals may have passed.
    private bool StillWaits()
    {
        if (_waitEnd == 0)
            return false;
        if (_wire.NowNanoseconds < _waitEnd)
            return true;
        _waitEnd = 0;
        _waitingSince = _wire.NowNanoseconds;
        Monitor.Observe(new TraceEntry(_wire.NowNanoseconds, _waiting, -1, TraceKind.Waited));
        return false;
    }

    // Nobody is about to connect, and nothing is owed.
    private bool IsSettled() =>
        !StillWaits()
        && !_clients.Any(client => client is { IsConnected: true, Link.IsAccepted: false })
        && Monitor.Outstanding().Count == 0;

    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        _ticket = 0;
        if (_stage == Stage.Done)
            return;
        if (_rules.IsOver())
        {
            Finish();
            return;
        }
        if (nowNanoseconds - dueNanoseconds is var pause and > PauseNanoseconds)
            Pass(pause, nowNanoseconds);
        if (StillWaits())
        {
            if (_brokerLost || IsFlooded)
                Progress();
            if (_stage != Stage.Done)
                Arm();
            return;
        }
        var owed = Monitor.Outstanding();
        var before = Monitor.Deviations.Count;
        if (owed.Any(obligation => obligation.Grace > TimeSpan.Zero))
            _isOrdinaryWait = false;
        if (!_markersSent && HasWaited(Timing.MarkerAfter, nowNanoseconds))
            SendMarkers(owed, nowNanoseconds);
        else if (!GiveUpOverdue(owed, nowNanoseconds))
        {
            Finish();
            return;
        }
        if (Monitor.Deviations.Count > before)
            _isOrdinaryWait = false;
        Progress();
        if (_stage != Stage.Done && _ticket == 0)
            Arm();
    }

    private void SendMarkers(IReadOnlyList<Obligation> owed, long now)
    {
        _markersSent = true;
        foreach (var (client, topic, qos) in Monitor.Markers(owed))
            _clients[client].PublishMarker(topic, qos);
        if (!IsBesideOthers(now))
            return;
        // The messages of other runs may be ahead of it in the queue. A message of this run behind them shows when they
        // have passed.
        foreach (var (client, topic) in Monitor.QueueMarkers(owed))
            _clients[client].PublishMarker(topic, QualityOfService.AtLeastOnce);
    }

    /// <returns>Whether the run goes on.</returns>
    private bool GiveUpOverdue(IReadOnlyList<Obligation> owed, long now)
    {
        var isPastKnown = HasWaited(Timing.KnownPatience, now);
        Monitor.GiveUp(
            owed.Where(o => _rules.IsKnown(o.Key) && isPastKnown).ToList(),
            "not waited for any longer, since it is known"
        );
        Monitor.GiveUp(
            owed.Where(o => o.Overtaken && !_rules.IsKnown(o.Key) && IsOverdue(o, now)).ToList(),
            "a later message of the same topic, publisher and quality of service has come"
        );
        var expected = Monitor.Deviations.Count;
        var late = Monitor.Outstanding().Where(o => HasWaited(PatienceWith(o), now)).ToList();
        var overdues = late.Where(o => o.IsMarked || !IsBesideOthers(now)).GroupBy(PatienceWith).ToList();
        // The delivery may wait in a queue behind messages of other runs, which a slow client takes long to receive.
        // The run then ends undecided.
        if (late.Count > 0 && overdues.Count == 0)
            return false;
        foreach (var overdue in overdues)
        {
            var patience = overdue.Key.TotalSeconds.ToString("0.###", CultureInfo.InvariantCulture);
            Monitor.GiveUp(overdue, $"not within {patience} s");
        }
        if (Monitor.Deviations.Count > expected && ++_expired == MaximumExpired)
            return false;
        if (!HasWaited(Timing.Patience, now))
            return true;
        foreach (var client in _clients.Where(client => client is { IsConnected: true, Link.IsAccepted: false }))
            client.Link!.Leave();
        return true;
    }

    private bool HasWaited(TimeSpan patience, long now) => now - _waitingSince >= Nanoseconds(patience);

    private CheckTiming Timing => _rules.Timing;

    // Whether a packet belongs to a message of another run. PUBREL names no message, so it counts as foreign once
    // foreign packets have come.
    private bool IsForeign(Packet? packet) =>
        packet switch
        {
            PublishPacket publish => publish.Payload.IsEmpty
                ? !publish.Topic.Contains(Names.Token, StringComparison.Ordinal)
                : !Names.IsOfThisRun(publish.Payload),
            PubrelPacket => _foreignPackets > 0,
            _ => false,
        };

    // A foreign message that arrives soon after its publication shows that the queue is empty. Then a deadline decides
    // as if there were no other runs.
    private void NoteBacklog(Packet? packet)
    {
        if (packet is not PublishPacket publish)
            return;
        var now = _wire.NowNanoseconds;
        if (_traffic.SentAt(publish) is not { } sent || now - sent > QueuedNanoseconds)
            _backlogAt = now;
    }

    private bool IsBesideOthers(long now) => now - _backlogAt < ForeignNanoseconds;

    private bool IsFlooded =>
        _packets > MaximumPackets + (MaximumPacketsOfPublication * (long)_payloads)
        || _foreignPackets > MaximumForeignPackets + (MaximumForeignCopies * (_traffic.Published - _publishedBefore));

    private TimeSpan PatienceWith(Obligation obligation) =>
        obligation.Grace > Timing.Patience ? obligation.Grace : Timing.Patience;

    private static long Nanoseconds(TimeSpan span) => span.Ticks * TimeSpan.NanosecondsPerTick;

    private bool IsOverdue(Obligation obligation, long now)
    {
        if (!_overtaken.TryGetValue(obligation.Explanation, out var since))
            _overtaken.Add(obligation.Explanation, since = now);
        return now - since >= Nanoseconds(Timing.OvertakenPatience);
    }

    private void Observe(ClientLink link, TraceKind kind, Packet? packet, string detail = "", Bytes raw = default)
    {
        if (_stage != Stage.Done)
            Monitor.Observe(
                new TraceEntry(_wire.NowNanoseconds, link.Client.Index, link.Number, kind)
                {
                    Packet = packet,
                    Detail = detail,
                    Raw = raw,
                }
            );
    }

    // While this process is not running it receives nothing, so such time does not count as waiting.
    private void Pass(long nanoseconds, long now)
    {
        _waitingSince = Math.Min(now, _waitingSince + nanoseconds);
        foreach (var explanation in _overtaken.Keys.ToList())
            _overtaken[explanation] = Math.Min(now, _overtaken[explanation] + nanoseconds);
        _isOrdinaryWait = false;
    }

    private bool HasSeenEnough()
    {
        while (_judged < Monitor.Deviations.Count)
            if (_rules.Suffices(Monitor.Deviations[_judged++]))
                return true;
        return false;
    }

    // Sends the next group of commands, and goes on while the broker owes nothing for them.
    private void Issue()
    {
        _isIssuing = true;
        do
        {
            if (_stage == Stage.Drain)
            {
                _isIssuing = false;
                Finish();
                return;
            }
            if (_next == Scenario.Steps.Count)
            {
                _stage = Stage.Drain;
                foreach (var client in _clients)
                    client.Ping();
            }
            else
            {
                if (Scenario.Steps[_next].Command is PublishCommand { Times: > 1 and var times })
                    IssueMany(Scenario.Steps[_next], times);
                else
                    IssueGroup();
                foreach (var link in _links)
                    link.Release();
                if (_published == 0 && ChangesNode())
                    Wait(Scenario.Steps[_next - 1].Client, (int)Target.Settle.TotalMilliseconds);
            }
        } while (IsSettled());
        _isIssuing = false;
        _waitingSince = _wire.NowNanoseconds;
        _markersSent = false;
        _isOrdinaryWait = _waitEnd == 0;
        if (_ticket == 0)
            Arm();
    }

    private void IssueGroup()
    {
        do IssueOne(Scenario.Steps[_next++]);
        while (
            _next < Scenario.Steps.Count
            && Scenario.Steps[_next].GoesWith(Scenario.Steps[_next - 1])
            && Scenario.Steps[_next].Command is not PublishCommand { Times: > 1 }
            && _waitEnd == 0
            && !ChangesNode()
        );
    }

    // Some of the messages of a command. The next follow when nothing is owed for these.
    private void IssueMany(Step step, int times)
    {
        var some = Math.Min(times - _published, Math.Min(PublicationsAtOnce, _clients[step.Client].ReceiveMaximum));
        for (var i = 0; i < some; i++)
            IssueOne(step);
        _published += some;
        if (_published < times && _clients[step.Client].IsConnected)
            return;
        _published = 0;
        _next++;
    }

    // Whether the next command belongs to a client at another node, which first has to learn of the last command.
    private bool ChangesNode() =>
        Target.Settle > TimeSpan.Zero
        && _next < Scenario.Steps.Count
        && Target.NodeOf(Scenario.Steps[_next].Client) != Target.NodeOf(Scenario.Steps[_next - 1].Client);

    private void IssueOne(Step step)
    {
        if (_clients[step.Client].Do(step.Command))
            _commands++;
    }

    private void Arm() => _ticket = _wire.Schedule(this, _wire.NowNanoseconds + TickNanoseconds, 0);

    private void Finish()
    {
        if (_ticket != 0)
            _wire.Cancel(_ticket);
        _ticket = 0;
        _stage = Stage.Done;
        _traffic.Ended(Names, _wire.NowNanoseconds);
        var result = new ScenarioResult(Scenario, Names, Monitor, _commands, _brokerLost)
        {
            Reached = _next,
            BeganNanoseconds = _began,
            EndedNanoseconds = _wire.NowNanoseconds,
            Slowest = TimeSpan.FromTicks((Scenario.Waits ? 0 : _slowest) / TimeSpan.NanosecondsPerTick),
        };
        foreach (var link in _links)
            link.Farewell();
        var leftovers = _clients
            .Where(client => client.MayPersist)
            .Select(client => (client.Index, client.ClientId, client.Version))
            .ToList();
        if (_brokerLost || (leftovers.Count == 0 && _retained.Count == 0))
            _finished(result);
        else
            new Sweeper(
                _wire,
                Target,
                Version,
                Names,
                _traffic,
                leftovers,
                [.. _retained],
                () => _finished(result)
            ).Start();
    }
}
