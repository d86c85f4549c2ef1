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
                    _tree.Remove(Encoding.UTF8.GetBytes(filter), new Subscription(change.Client, 0));
                break;
            case SessionChangeKind.Subscribed when _sessions.TryGetValue(change.Client, out var session):
                session.Filters.Add(change.Filter);
                _tree.Set(Encoding.UTF8.GetBytes(change.Filter), new Subscription(change.Client, change.Qos));
                break;
            case SessionChangeKind.Unsubscribed when _sessions.TryGetValue(change.Client, out var session):
                session.Filters.Remove(change.Filter);
                _tree.Remove(Encoding.UTF8.GetBytes(change.Filter), new Subscription(change.Client, 0));
                break;
        }
    }

    /// <summary>The broker that a client has connected to last; -1 for an unknown one.</summary>
    public int NodeOf(int client) => _sessions.TryGetValue(client, out var session) ? session.Node : -1;

    /// <summary>Who subscribes to a topic, each client once with its highest quality of service.</summary>
    public IReadOnlyList<PipelineSubscriber> SubscribersOf(string topic)
    {
        _matches.Clear();
        _tree.Match(Encoding.UTF8.GetBytes(topic), _matches);
        var found = new SortedDictionary<int, int>();
        foreach (var (client, qos) in _matches)
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

    private readonly record struct Subscription(int Client, int Qos);

    private sealed record Entry(bool IsPersistent)
    {
        public int Node { get; set; }

        public HashSet<string> Filters { get; } = new(StringComparer.Ordinal);
    }

    // A client has one subscription to a filter.
    private sealed class ByClient : IEqualityComparer<Subscription>
    {
        public bool Equals(Subscription x, Subscription y) => x.Client == y.Client;

        public int GetHashCode(Subscription obj) => obj.Client;
    }
}
