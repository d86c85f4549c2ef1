using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Observation;

/// <summary>
/// The observations of a run: its trace, with the sessions, connections and publications in it. Every judge reads them.
/// </summary>
internal sealed class ObservedRun(ProtocolVersion version, ScenarioNames names, int clients, Assumption assumption)
{
    private readonly Dictionary<Bytes, Publication> _byPayload = [];
    private Archive? _archive;
    private readonly Dictionary<string, List<RetainedWrite>> _retained = new(StringComparer.Ordinal);

    /// <summary>The client whose observation or obligation is judged at present.</summary>
    public int Judged { get; set; }

    /// <summary>The protocol version of that client.</summary>
    public ProtocolVersion Version => Sessions[Judged].Version;

    public bool IsV5 => Version == ProtocolVersion.V5;

    public ScenarioNames Names { get; } = names;

    /// <summary>Whether the broker is taken to do something wrong.</summary>
    public bool Assumes(AssumedFaults fault) => assumption.Has(fault);

    /// <summary>Whether a deviation is what the broker is taken to do.</summary>
    public bool IsAssumed(Deviation deviation) => assumption.Covers(deviation);

    public List<TraceEntry> Trace { get; } = [];

    /// <summary>The entry that was observed last.</summary>
    public int Now => Trace.Count - 1;

    public long NowNanoseconds => Trace[^1].Nanoseconds;

    /// <summary>One for each client.</summary>
    public ClientSession[] Sessions { get; } =
    [.. Enumerable.Range(0, clients).Select(client => new ClientSession(client) { Version = version })];

    /// <summary>All connections by their numbers, in the order of opening.</summary>
    public Dictionary<int, ObservedConnection> Connections { get; } = [];

    /// <summary>All messages and wills, in the order of sending, but those that are put aside.</summary>
    public List<Publication> Publications { get; } = [];

    /// <summary>The number of the next publication.</summary>
    public int NextPublication => Publications.Count + Archive.Publications;

    /// <summary>Publications that are put aside.</summary>
    public Archive Archive => _archive ??= new Archive(this);

    /// <summary>The publications that the broker may still route.</summary>
    public IEnumerable<Publication> OpenPublications => Publications.Where(publication => publication.IsOpen);

    /// <summary>The topics that something was or will be retained on.</summary>
    public IReadOnlyCollection<string> RetainedTopics => _retained.Keys;

    /// <summary>
    /// Whether a session is as if the last DISCONNECT had not changed its expiry: the broker may have ended the
    /// connection, or handled the next CONNECT on another one, before it. Then nothing that follows is certain.
    /// </summary>
    public bool IsDoubtful { get; set; }

    /// <summary>The publications that changed the retained messages of any topic.</summary>
    public IEnumerable<RetainedWrite> RetainedWrites => _retained.Values.SelectMany(writes => writes);

    /// <summary>The publications that changed the retained message of a topic, in the order of sending.</summary>
    public List<RetainedWrite> WritesTo(string topic)
    {
        var writes = _retained.GetOrNew(topic);
        return writes;
    }

    public void Register(Publication publication)
    {
        Publications.Add(publication);
        publication.IsConfused = assumption.MayConfuse(publication.Packet);
        if (!publication.Packet.Payload.IsEmpty)
            _byPayload[publication.Packet.Payload] = publication;
    }

    /// <summary>The publication of a payload that is not empty.</summary>
    public Publication? WithPayload(Bytes payload) => _byPayload.GetValueOrDefault(payload);

    /// <summary>The broker refuses a publication: nobody needs to get it any more.</summary>
    public void Reject(Publication publication)
    {
        publication.IsRejected = true;
        foreach (var session in Sessions)
            if (session.Expected.TryGetValue(publication, out var expected))
                expected.Blur();
    }

    /// <summary>The last connection before another one on which the same client identifier was accepted.</summary>
    public ObservedConnection? LastAcceptedBefore(ObservedConnection connection) =>
        Connections.Values.LastOrDefault(c =>
            c.Number < connection.Number && c.IsAccepted && c.Connect?.ClientId == connection.Connect!.ClientId
        );

    /// <summary>Whether a CONNECT of the same client identifier, between two connections, got no answer.</summary>
    public bool HasUnansweredConnect(ObservedConnection after, ObservedConnection before) =>
        Connections.Values.Any(c =>
            c.Number > after.Number
            && c.Number < before.Number
            && c is { IsAccepted: false, IsRefused: false }
            && c.Connect?.ClientId == before.Connect!.ClientId
        );
}
