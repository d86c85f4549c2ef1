using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance;

/// <summary>
/// A model of what the standard allows a broker to do, run beside a trace: it says what is owed, and notes what deviates. It accepts every legal behaviour, one copy or one per
/// overlapping subscription, any order of effects that are under way at the same time, any window; what is uncertain it treats as uncertain.
/// </summary>
/// <remarks>
/// Every request takes effect at some moment between its sending and its answer (of a QoS 2 publication: between PUBLISH and PUBCOMP; without an answer: at any time after). What holds for every
/// choice of these moments is demanded, what holds for some is allowed, and what holds for none is a deviation. Pure: time comes with the entries. Not thread-safe.
/// </remarks>
public sealed partial class ConformanceMonitor
{
    private readonly ProtocolVersion _version;
    private readonly ScenarioNames _names;
    private readonly List<TraceEntry> _trace = [];
    private readonly List<Deviation> _deviations = [];
    private readonly ClientSession[] _sessions;
    private readonly Dictionary<int, ConnectionState> _connections = [];
    private readonly List<Publication> _publications = [];
    private readonly Dictionary<Bytes, Publication> _byPayload = [];
    private readonly Dictionary<string, List<RetainedWrite>> _retained = new(StringComparer.Ordinal);
    private readonly List<SharedDelivery> _sharedDeliveries = [];
    private readonly Dictionary<Statement, int> _exercised = [];

    /// <summary>A monitor of an empty trace, for clients whose sessions the broker does not know.</summary>
    /// <param name="version">The protocol version of all clients.</param>
    /// <param name="names">The names of the run.</param>
    /// <param name="clients">How many clients there are.</param>
    public ConformanceMonitor(ProtocolVersion version, ScenarioNames names, int clients)
    {
        ArgumentNullException.ThrowIfNull(names);
        (_version, _names) = (version, names);
        _sessions = [.. Enumerable.Range(0, clients).Select(client => new ClientSession(client))];
    }

    /// <summary>Everything observed so far.</summary>
    public IReadOnlyList<TraceEntry> Trace => _trace;

    /// <summary>What deviates, in the order in which it was noticed.</summary>
    public IReadOnlyList<Deviation> Deviations => _deviations;

    /// <summary>How often each statement was judged.</summary>
    public IReadOnlyDictionary<Statement, int> Exercised => _exercised;

    private bool IsV5 => _version == ProtocolVersion.V5;

    private int Now => _trace.Count - 1;

    private long NowNanoseconds => _trace[^1].Nanoseconds;

    /// <summary>Takes note of an observation, and judges it.</summary>
    /// <param name="entry">The observation.</param>
    public void Observe(TraceEntry entry)
    {
        ArgumentNullException.ThrowIfNull(entry);
        _trace.Add(entry);
        var session = _sessions[entry.Client];
        if (entry.Kind == TraceKind.Opened)
        {
            Opened(session, entry);
            return;
        }
        if (entry.Kind == TraceKind.Waited)
        {
            Waited();
            return;
        }
        var connection = _connections[entry.Connection];
        switch (entry.Kind)
        {
            case TraceKind.Sent:
                if (
                    connection.KeepAliveSeconds > 0
                    && connection.IsAccepted
                    && entry.Nanoseconds - connection.LastSentNanoseconds
                        >= connection.KeepAliveSeconds * (long)TickNanoseconds
                )
                    connection.WasSilent = true;
                connection.LastSentNanoseconds = entry.Nanoseconds;
                Sent(session, connection, entry.Packet!, entry.Detail);
                break;
            case TraceKind.SentMalformed:
                SentMalformed(session, connection, entry.Detail);
                break;
            case TraceKind.Received:
                Received(session, connection, entry);
                break;
            case TraceKind.Withholds:
                Withholds(session, ((PubrelPacket)entry.Packet!).PacketId, entry.Detail == "release");
                break;
            case TraceKind.ClosedByClient:
                Closed(session, connection, byBroker: false, entry.Detail);
                break;
            case TraceKind.ClosedByBroker:
                Closed(session, connection, byBroker: true, entry.Detail);
                break;
        }
    }

    /// <summary>What the broker owes at present. A later look may show less, also because it does not matter any more.</summary>
    public IReadOnlyList<Obligation> Outstanding()
    {
        var owed = new List<Obligation>();
        foreach (var session in _sessions)
        {
            AddAnswersOwed(session, owed);
            AddClosesOwed(session, owed);
            AddSilenceOwed(session, owed);
            if (!session.IsOnline)
                continue;
            AddResendsOwed(session, owed);
            // While acknowledgements are withheld the broker may hold back further messages.
            if (IsHolding(session))
                continue;
            AddDeliveriesOwed(session, owed);
            AddRetainedOwed(session, owed);
        }
        AddSharedOwed(owed);
        return owed;
    }

    /// <summary>Decides that what is owed will not come any more.</summary>
    /// <param name="obligations">What is given up, from <see cref="Outstanding"/>.</param>
    /// <param name="why">How that was decided, the end of a sentence.</param>
    public void GiveUp(IEnumerable<Obligation> obligations, string why)
    {
        ArgumentNullException.ThrowIfNull(obligations);
        foreach (var obligation in obligations)
        {
            obligation.Waive!();
            Add(
                new Deviation(obligation.Statement, obligation.Circumstances, $"{obligation.Explanation}: {why}", Now)
                {
                    MustRecur = obligation.MustRecur,
                    IsAbsence = true,
                }
            );
        }
    }

    /// <summary>Notes that the broker could not be reached, or did not keep to any bound.</summary>
    /// <param name="statement">What it violates.</param>
    /// <param name="circumstances">As in <see cref="Deviation.Circumstances"/>.</param>
    /// <param name="explanation">What happened.</param>
    public void Note(Statement statement, string circumstances, string explanation) =>
        Deviate(statement, circumstances, explanation);

    /// <summary>The client, topic and quality of service by which a later publication would show that an awaited one does not come; nothing where no order helps.</summary>
    /// <param name="obligations">What is awaited.</param>
    public IReadOnlyList<(int Client, string Topic, QualityOfService Qos)> Markers(IEnumerable<Obligation> obligations)
    {
        ArgumentNullException.ThrowIfNull(obligations);
        return
        [
            .. obligations
                .Where(o => o.Publication is { IsWill: false, IsIrregular: false } && !o.Overtaken)
                .Select(o => o.Publication!)
                .Where(p =>
                    _sessions[p.Client] is { IsOnline: true } publisher
                    && !publisher.Outgoing.Values.Any(open => open.IsHalf)
                )
                .Select(p => (p.Client, p.Topic, p.Qos))
                .Distinct(),
        ];
    }

    /// <summary>The same for retained messages: what comes to the awaiting client itself, behind which nothing waits any more that stood in its queue before.</summary>
    /// <param name="obligations">What is awaited.</param>
    public IReadOnlyList<(int Client, string Topic)> QueueMarkers(IEnumerable<Obligation> obligations) =>
        [
            .. obligations
                .Where(o => o is { RetainedTopic: not null, IsMarked: false } && _sessions[o.Client].IsOnline)
                .Select(o => (o.Client, o.RetainedTopic!))
                .Distinct(),
        ];

    private void Check(Statement statement) => _exercised[statement] = _exercised.GetValueOrDefault(statement) + 1;

    private void Deviate(Statement statement, string circumstances, string explanation, bool mustRecur = false) =>
        Add(new Deviation(statement, circumstances, explanation, Now) { MustRecur = mustRecur });

    private void Add(Deviation deviation)
    {
        // A broker that goes wrong at every message would fill the memory with the same words.
        if (_deviations.Count < 1000)
            _deviations.Add(deviation);
    }

    private static string Name(ClientSession session) => ((char)('A' + session.Client)).ToString();

    private static bool IsHolding(ClientSession session)
    {
        foreach (var message in session.Incoming.Values)
            if (!message.IsAcknowledged && message.Connection == session.Connection!.Number)
                return true;
        return false;
    }
}
