namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>
/// Who has a session, where its client is connected, and what it subscribes to: what the brokers of a pipeline have to
/// agree on. Every change gets a number, so that a broker can ask for those that it does not know yet.
/// </summary>
/// <remarks>Not thread-safe. A client that comes back to its session keeps its number, at whichever broker.</remarks>
internal sealed class SessionRegister
{
    private readonly Dictionary<string, int> _numbers = new(StringComparer.Ordinal);
    private readonly Dictionary<int, Entry> _sessions = [];
    private readonly List<SessionChange> _changes = [];
    private int _last;

    /// <summary>All changes so far, in their order.</summary>
    public IReadOnlyList<SessionChange> Changes => _changes;

    /// <summary>
    /// A client connects. Its earlier session ends unless both connections asked for a persistent one.
    /// </summary>
    /// <param name="clientId">Its identifier.</param>
    /// <param name="node">The broker that it connects to.</param>
    /// <param name="isPersistent">Whether it wants its session to outlive the connection.</param>
    /// <param name="ended">The session that is over by this; -1 for none.</param>
    /// <returns>The session's number, whether it was there before, and the number of the change.</returns>
    public (int Client, bool IsPresent, long Change) Open(string clientId, int node, bool isPersistent, out int ended)
    {
        ended = -1;
        if (_numbers.TryGetValue(clientId, out var client) && !(isPersistent && _sessions[client].IsPersistent))
            End(ended = client);
        var isPresent = _numbers.TryGetValue(clientId, out client);
        if (!isPresent)
        {
            client = _numbers[clientId] = ++_last;
            _sessions[client] = new Entry(clientId, isPersistent);
        }
        var session = _sessions[client];
        (session.Node, session.OpenedBy) = (node, _changes.Count);
        Add(new SessionChange(SessionChangeKind.Opened, client) { Node = node, IsPersistent = isPersistent });
        return (client, isPresent, session.OpenedBy);
    }

    /// <summary>A connection is gone; a session that has another one by now is left alone.</summary>
    /// <param name="client">The session.</param>
    /// <param name="openedBy">The change by which the connection began.</param>
    /// <returns>Whether the session is over.</returns>
    public bool Close(int client, long openedBy)
    {
        if (!_sessions.TryGetValue(client, out var session) || session.OpenedBy != openedBy)
            return false;
        session.Node = -1;
        if (session.IsPersistent)
            return false;
        End(client);
        return true;
    }

    /// <summary>A broker has started: the connections that an earlier process of it had are gone.</summary>
    /// <returns>The sessions that are over by this.</returns>
    public IReadOnlyList<int> Start(int node)
    {
        var gone = _sessions.Where(session => session.Value.Node == node).Select(session => session.Key).ToList();
        return gone.FindAll(client => Close(client, _sessions[client].OpenedBy));
    }

    /// <summary>A client subscribes.</summary>
    public void Subscribe(int client, string filter, int qos)
    {
        if (_sessions.ContainsKey(client))
            Add(new SessionChange(SessionChangeKind.Subscribed, client) { Filter = filter, Qos = qos });
    }

    /// <summary>A client ends a subscription, if it has it.</summary>
    public void Unsubscribe(int client, string filter)
    {
        if (_sessions.ContainsKey(client))
            Add(new SessionChange(SessionChangeKind.Unsubscribed, client) { Filter = filter });
    }

    /// <summary>Whether there is such a session.</summary>
    public bool Has(int client) => _sessions.ContainsKey(client);

    /// <summary>The broker that a session's client is connected to; -1 for none.</summary>
    public int NodeOf(int client) => _sessions.TryGetValue(client, out var session) ? session.Node : -1;

    private void End(int client)
    {
        _sessions.Remove(client, out var session);
        _numbers.Remove(session!.ClientId);
        Add(new SessionChange(SessionChangeKind.Ended, client));
    }

    private void Add(in SessionChange change) => _changes.Add(change);

    private sealed record Entry(string ClientId, bool IsPersistent)
    {
        public int Node { get; set; }

        public long OpenedBy { get; set; }
    }
}
