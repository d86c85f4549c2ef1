using System.Text;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>One broker's view of all sessions, built from the changes of the register that it has read.</summary>
internal sealed class SessionBook
{
    private readonly SubscriptionTree<Subscription> _tree = new(new ByClient());
    private readonly Dictionary<int, Entry> _sessions = [];
    private readonly List<Subscription> _matches = [];

    /// <summary>How many changes it has read.</summary>
    public long Read { get; private set; }

    /// <summary>Takes the next change.</summary>
    public void Apply(in SessionChange change)
    {
        Read++;
        switch (change.Kind)
        {
            case SessionChangeKind.Opened:
                if (!_sessions.TryGetValue(change.Client, out var known))
                    _sessions[change.Client] = known = new Entry(change.IsPersistent);
                known.Node = change.Node;
                break;
            case SessionChangeKind.Ended when _sessions.Remove(change.Client, out var ended):
                foreach (var filter in ended.Filters)
                    Remove(change.Client, filter);
                break;
            case SessionChangeKind.Subscribed when _sessions.TryGetValue(change.Client, out var session):
                session.Filters.Add(change.Filter);
                _tree.Set(FilterOf(change.Filter, out var group), new Subscription(change.Client, change.Qos, group));
                break;
            case SessionChangeKind.Unsubscribed when _sessions.TryGetValue(change.Client, out var session):
                session.Filters.Remove(change.Filter);
                Remove(change.Client, change.Filter);
                break;
        }
    }

    /// <summary>The broker that a client has connected to last; -1 for an unknown one.</summary>
    public int NodeOf(int client) => _sessions.TryGetValue(client, out var session) ? session.Node : -1;

    /// <summary>
    /// Who gets a message: each client that subscribes to its topic, and one member of each group of a shared
    /// subscription. A client is there once, with its highest quality of service.
    /// </summary>
    public IReadOnlyList<PipelineSubscriber> SubscribersOf(in PipelineMessage message)
    {
        _matches.Clear();
        _tree.Match(Encoding.UTF8.GetBytes(message.Topic), _matches);
        var found = new SortedDictionary<int, int>();
        foreach (var (client, qos, group) in _matches)
            if (group is null)
                found[client] = Math.Max(qos, found.GetValueOrDefault(client));
        foreach (var (client, qos, _) in ChosenOf(message.Id))
            found[client] = Math.Max(qos, found.GetValueOrDefault(client));
        return
        [
            .. found.Select(entry => new PipelineSubscriber(entry.Key, _sessions[entry.Key].IsPersistent, entry.Value)),
        ];
    }

    /// <summary>The quality of service of a client's subscriptions to a topic; 0 without one.</summary>
    public int QosOf(int client, string topic)
    {
        _matches.Clear();
        _tree.Match(Encoding.UTF8.GetBytes(topic), _matches);
        return _matches.Where(match => match.Client == client).Select(match => match.Qos).DefaultIfEmpty(0).Max();
    }

    // The member depends on the message alone, so that a broker that routes it again chooses the same one.
    private List<Subscription> ChosenOf(long message) =>
        _matches.Exists(match => match.Group is not null)
            ?
            [
                .. _matches
                    .Where(match => match.Group is not null)
                    .GroupBy(match => match.Group)
                    .Select(group => group.OrderBy(member => member.Client).ToList())
                    .Select(members => members[(int)((ulong)message % (ulong)members.Count)]),
            ]
            : [];

    private void Remove(int client, string filter) =>
        _tree.Remove(FilterOf(filter, out var group), new Subscription(client, 0, group));

    // The group is named by the whole filter: members of one share name and one filter.
    private static byte[] FilterOf(string given, out string? group)
    {
        var bytes = Encoding.UTF8.GetBytes(given);
        group = TopicFilter.TrySplitShared(bytes, out _, out var filter) ? given : null;
        return group is null ? bytes : filter.ToArray();
    }

    private readonly record struct Subscription(int Client, int Qos, string? Group);

    private sealed record Entry(bool IsPersistent)
    {
        public int Node { get; set; }

        public HashSet<string> Filters { get; } = new(StringComparer.Ordinal);
    }

    // A client has one subscription to a filter, and one in each group.
    private sealed class ByClient : IEqualityComparer<Subscription>
    {
        public bool Equals(Subscription x, Subscription y) => (x.Client, x.Group) == (y.Client, y.Group);

        public int GetHashCode(Subscription obj) => obj.Client;
    }
}
