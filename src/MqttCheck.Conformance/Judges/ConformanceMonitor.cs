using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Judges.Conduct;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Observation;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Judges;

/// <summary>
/// The oracle of the functional check. It hands each observation of a run to the judges, and says what the broker owes
/// and what deviates from the standard.
/// </summary>
/// <remarks>
/// It accepts every legal behaviour: one copy or one for each overlapping subscription, any order of effects that are
/// under way at once, any window. Time comes with the entries, so a trace has one verdict whenever it is judged. Not
/// thread-safe.
/// </remarks>
public sealed class ConformanceMonitor
{
    private readonly ObservedRun _run;
    private readonly Judgements _judgements;
    private readonly EncodingJudge _encoding;
    private readonly SharedSubscriptionJudge _shared;
    private readonly RetainedReadJudge _retained;
    private readonly WillJudge _wills;
    private readonly KeepAliveJudge _keepAlive;
    private readonly ExpiryJudge _expiry;
    private readonly MalformedJudge _malformed;
    private readonly CloseJudge _closes;
    private readonly ConnectionJudge _connections;
    private readonly PublicationJudge _publications;
    private readonly AcknowledgementJudge _acknowledgements;
    private readonly SubscriptionJudge _subscriptions;
    private readonly OwedDeliveryJudge _owedDeliveries;
    private readonly IncomingMessageJudge _incoming;
    private readonly ConductJudge _conduct;
    private readonly MaximumQosJudge _maximumQos;
    private readonly DiscardedShareJudge _discarded;
    private readonly RefusalJudge _refusals;
    private readonly ByteOrderMarkJudge _marks;
    private readonly SituationCount _situations;

    /// <summary>A monitor of an empty trace, for clients whose sessions the broker does not know.</summary>
    /// <param name="version">The protocol version of clients until they send CONNECT.</param>
    /// <param name="names">The names of the run.</param>
    /// <param name="clients">How many clients there are.</param>
    public ConformanceMonitor(ProtocolVersion version, ScenarioNames names, int clients)
        : this(version, names, clients, Assumption.None) { }

    /// <summary>
    /// The same, told what the broker does wrong: that is no deviation then, nor is what follows from it.
    /// </summary>
    internal ConformanceMonitor(ProtocolVersion version, ScenarioNames names, int clients, Assumption assumption)
    {
        _run = new ObservedRun(version, names, clients, assumption);
        _judgements = new Judgements(_run);
        var limits = new LimitJudge(_judgements);
        _encoding = new EncodingJudge(_judgements, limits);
        _shared = new SharedSubscriptionJudge(_judgements);
        _retained = new RetainedReadJudge(_judgements);
        _keepAlive = new KeepAliveJudge(_judgements);
        _expiry = new ExpiryJudge(_judgements);
        _malformed = new MalformedJudge(_judgements);
        _owedDeliveries = new OwedDeliveryJudge(_judgements);
        _acknowledgements = new AcknowledgementJudge(_judgements, _retained, _malformed);
        var routing = new RoutingJudge(_judgements, _shared);
        _wills = new WillJudge(_judgements, routing, _retained);
        var sessions = new SessionJudge(_judgements, limits);
        _closes = new CloseJudge(_judgements, sessions, _wills, _keepAlive, _shared);
        _connections = new ConnectionJudge(_judgements, sessions, _wills, limits, _malformed, _closes);
        _publications = new PublicationJudge(_judgements, routing, _retained);
        _subscriptions = new SubscriptionJudge(_judgements, routing, _retained, _shared, limits);
        var properties = new PropertyJudge(_judgements);
        var unexpected = new UnexpectedDeliveryJudge(_judgements);
        var stored = new RetainedDeliveryJudge(
            _judgements,
            _shared,
            new RetainedOrderJudge(_judgements),
            properties,
            _expiry
        );
        var deliveries = new DeliveryJudge(_judgements, _wills, stored, _shared, unexpected, properties, _expiry);
        _incoming = new IncomingMessageJudge(_judgements, deliveries, unexpected);
        _conduct = new ConductJudge(_judgements);
        _maximumQos = new MaximumQosJudge(_judgements);
        _discarded = new DiscardedShareJudge(_judgements);
        _refusals = new RefusalJudge(_judgements);
        _marks = new ByteOrderMarkJudge(_judgements);
        _situations = new SituationCount(_judgements);
    }

    /// <summary>Everything observed so far.</summary>
    public IReadOnlyList<TraceEntry> Trace => _run.Trace;

    /// <summary>The deviations, in the order in which they were noticed.</summary>
    public IReadOnlyList<Deviation> Deviations => _judgements.Deviations;

    /// <summary>How often each statement was judged.</summary>
    public IReadOnlyDictionary<Statement, int> Exercised => _judgements.Exercised;

    /// <summary>How often statements were judged in a situation that has a name.</summary>
    internal IReadOnlyDictionary<Statement, Dictionary<string, int>> Situations => _judgements.Situations;

    /// <summary>Takes note of an observation, and judges it.</summary>
    /// <param name="entry">The observation.</param>
    public void Observe(TraceEntry entry)
    {
        _run.Archive.Prepare(entry);
        _run.Trace.Add(entry);
        _run.Judged = entry.Client;
        var session = _run.Sessions[entry.Client];
        if (entry.Kind == TraceKind.Opened)
            _connections.Opened(session, entry);
        else if (entry.Kind == TraceKind.Waited)
            Waited();
        else
            Observe(session, _run.Connections[entry.Connection], entry);
    }

    /// <summary>
    /// The present obligations of the broker. A later call may return fewer, also because some no longer matter.
    /// </summary>
    public IReadOnlyList<Obligation> Outstanding()
    {
        var owed = new List<Obligation>();
        foreach (var session in _run.Sessions)
        {
            _run.Judged = session.Client;
            AcknowledgementJudge.AddOwed(session, owed);
            ConnectionJudge.AddOwed(session, owed);
            _malformed.AddOwed(session, owed);
            KeepAliveJudge.AddOwed(session, owed);
            _conduct.AddOwed(session, owed);
            if (!session.IsOnline)
                continue;
            IncomingMessageJudge.AddOwed(session, owed);
            // While acknowledgements are withheld the broker may hold back further messages.
            if (session.IsHolding)
                continue;
            _owedDeliveries.AddOwed(session, owed);
            _retained.AddOwed(session, owed);
        }
        _shared.AddOwed(owed);
        return owed;
    }

    /// <summary>Decides that what is owed will not come any more.</summary>
    /// <param name="obligations">The obligations to give up, from <see cref="Outstanding"/>.</param>
    /// <param name="why">How that was decided, the end of a sentence.</param>
    public void GiveUp(IEnumerable<Obligation> obligations, string why)
    {
        foreach (var obligation in obligations)
            _judgements.GiveUp(obligation, why);
    }

    /// <summary>Notes that the broker could not be reached, or did not keep to any bound.</summary>
    /// <param name="statement">The statement that this violates.</param>
    /// <param name="circumstances">As in <see cref="Deviation.Circumstances"/>.</param>
    /// <param name="explanation">A description of the event.</param>
    public void Note(Statement statement, string circumstances, string explanation) =>
        _judgements.Deviate(statement, circumstances, explanation);

    /// <summary>
    /// Publications that would show, if they came, that what is awaited does not come; nothing where no order helps.
    /// </summary>
    /// <param name="obligations">The unfulfilled obligations.</param>
    public IReadOnlyList<(int Client, string Topic, QualityOfService Qos)> Markers(IEnumerable<Obligation> obligations)
    {
        return
        [
            .. obligations
                .Where(o => o.Publication is { IsWill: false, IsIrregular: false } && !o.Overtaken)
                .Select(o => o.Publication!)
                .Where(MayGoOn)
                .Select(p => (p.Client, p.Topic, p.Qos))
                .Distinct(),
        ];
    }

    /// <summary>
    /// The same for retained messages: publications to the awaiting client itself. When one has come, nothing stands in
    /// the queue before it any more.
    /// </summary>
    /// <param name="obligations">The unfulfilled obligations.</param>
    public IReadOnlyList<(int Client, string Topic)> QueueMarkers(IEnumerable<Obligation> obligations)
    {
        var awaited = obligations.Where(o => o is { RetainedTopic: not null, IsMarked: false });
        return
        [
            .. awaited
                .Where(o => _run.Sessions[o.Client].IsOnline)
                .Select(o => (o.Client, o.RetainedTopic!))
                .Distinct(),
        ];
    }

    // A publisher that stopped in the middle of an exchange keeps its own order waiting.
    private bool MayGoOn(Publication publication) =>
        _run.Sessions[publication.Client] is { IsOnline: true } publisher
        && !publisher.Outgoing.Values.Any(open => open.IsHalf);

    private void Waited()
    {
        _expiry.Waited();
        foreach (var connection in _run.Connections.Values)
        {
            _keepAlive.Waited(connection);
            _wills.Waited(connection);
        }
    }

    private void Observe(ClientSession session, ObservedConnection connection, TraceEntry entry)
    {
        switch (entry.Kind)
        {
            case TraceKind.Sent:
                KeepAliveJudge.Sent(connection, entry.Nanoseconds);
                var before = connection.LastSent;
                Sent(session, connection, entry.Packet!, entry.Detail);
                if (connection.ToldReason is not null)
                    _closes.SentBehindDisconnect(session, connection, before);
                break;
            case TraceKind.SentMalformed:
                _malformed.Sent(session, connection, entry.Detail);
                _refusals.Sent(connection);
                break;
            case TraceKind.Received:
                Received(session, connection, entry);
                break;
            case TraceKind.Withholds:
                PublicationJudge.Withheld(session, ((PubrelPacket)entry.Packet!).PacketId, entry.Detail == "release");
                break;
            case TraceKind.ClosedByClient or TraceKind.ClosedByBroker:
                _refusals.Closed(session, connection, entry.Kind == TraceKind.ClosedByBroker);
                _closes.Closed(session, connection, entry.Kind == TraceKind.ClosedByBroker, entry.Detail);
                break;
        }
    }

    private void Sent(ClientSession session, ObservedConnection connection, Packet packet, string detail)
    {
        switch (packet)
        {
            case ConnectPacket connect:
                _connections.Sent(session, connection, connect, detail == TraceEntry.WrongPassword);
                break;
            case PublishPacket publish:
                _situations.Sent(session, publish);
                _publications.Sent(session, connection, publish);
                break;
            case PubrelPacket pubrel:
                PublicationJudge.PubrelSent(session, connection, pubrel.PacketId);
                break;
            case SubscribePacket subscribe:
                _subscriptions.Sent(session, connection, subscribe);
                break;
            case UnsubscribePacket unsubscribe:
                _subscriptions.Sent(session, connection, unsubscribe);
                break;
            case AckPacket ack:
                _discarded.Sent(session, ack);
                _incoming.AcknowledgementSent(session, connection, ack);
                break;
            case PingreqPacket:
                AcknowledgementJudge.PingreqSent(session, connection);
                break;
            case DisconnectPacket disconnect:
                _closes.Sent(session, connection, disconnect);
                break;
        }
    }

    private void Received(ClientSession session, ObservedConnection connection, TraceEntry entry)
    {
        _encoding.Received(session, connection, entry);
        if (entry.Packet is not null)
        {
            _conduct.Received(session, connection, entry.Packet);
            _maximumQos.Received(session, connection, entry.Packet);
            _discarded.Received(session, entry.Packet);
            _refusals.Received(session, connection, entry.Packet);
            _marks.Received(session, entry.Packet);
            _situations.Received(session, connection, entry.Packet);
        }
        switch (entry.Packet)
        {
            case ConnackPacket connack:
                _connections.Received(session, connection, connack);
                break;
            case PublishPacket publish:
                _incoming.Received(session, connection, publish);
                break;
            case PubrelPacket pubrel:
                _incoming.PubrelReceived(session, connection, pubrel.PacketId);
                break;
            case AckPacket ack:
                _publications.Answered(session, connection, ack.Type, ack.PacketId, ack.ReasonCode);
                break;
            case SubackPacket suback:
                _subscriptions.Received(session, connection, suback);
                break;
            case UnsubackPacket unsuback:
                _subscriptions.Received(session, connection, unsuback);
                break;
            case PingrespPacket:
                _acknowledgements.PingrespReceived(session, connection);
                break;
            case DisconnectPacket disconnect:
                _closes.Received(session, connection, disconnect);
                break;
        }
    }
}
