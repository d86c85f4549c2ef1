using MqttCheck.Clusters.Events;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// Who was owed which publication, and what came: the book that several invariants and the outcome of a run read.
/// </summary>
/// <param name="settleNanoseconds">
/// How long a subscription must stand before a publication, and faults be away from it on both sides. A fault must be
/// farther away behind it where other messages took longer just before that fault.
/// </param>
internal sealed class SettledDeliveries(long settleNanoseconds)
{
    private readonly Dictionary<string, List<Subscription>> _exact = new(StringComparer.Ordinal);
    private readonly List<Subscription> _wildcards = [];
    private readonly Dictionary<long, Publication> _publications = [];
    private readonly Dictionary<(long Message, int Client), (long First, int Count)> _deliveries = [];
    private readonly List<(long Begin, long End, int Node)> _faults = [];
    private readonly Dictionary<(int Node, int Peer), int> _latestFaults = [];
    private long[] _slowness = [];

    /// <summary>How many messages were published.</summary>
    public long Publications => _publications.Count;

    /// <summary>How many of them met no subscription: nobody was owed them.</summary>
    public long WithoutSubscription => _publications.Values.LongCount(publication => publication.Receivers.Count == 0);

    /// <summary>How many messages came, repeats included.</summary>
    public long Deliveries { get; private set; }

    /// <summary>Takes the next event.</summary>
    /// <param name="clusterEvent">An event that is not earlier than the one before.</param>
    public void Add(in ClusterEvent clusterEvent)
    {
        switch (clusterEvent.Kind)
        {
            case ClusterEventKind.Subscribed:
                Subscribe(clusterEvent);
                break;
            case ClusterEventKind.Unsubscribed or ClusterEventKind.SessionForgotten:
                Unsubscribe(clusterEvent);
                break;
            case ClusterEventKind.Published:
                Publish(clusterEvent);
                break;
            case ClusterEventKind.Acknowledged:
                if (_publications.TryGetValue(clusterEvent.Message, out var acknowledged))
                    acknowledged.IsAcknowledged = true;
                break;
            case ClusterEventKind.Delivered when clusterEvent.Message >= 0:
                var key = (clusterEvent.Message, clusterEvent.Client);
                _deliveries[key] = _deliveries.TryGetValue(key, out var earlier)
                    ? (earlier.First, earlier.Count + 1)
                    : (clusterEvent.Nanoseconds, 1);
                Deliveries++;
                break;
            case ClusterEventKind.FaultBegan:
                _latestFaults[(clusterEvent.Node, clusterEvent.Peer)] = _faults.Count;
                _faults.Add((clusterEvent.Nanoseconds, long.MaxValue, clusterEvent.Peer < 0 ? clusterEvent.Node : -1));
                break;
            // A bridge may connect again some seconds after its link or node is back. Until then the fault goes on.
            case ClusterEventKind.FaultEnded or ClusterEventKind.BridgesRestored:
                if (_latestFaults.TryGetValue((clusterEvent.Node, clusterEvent.Peer), out var index))
                    _faults[index] = _faults[index] with { End = clusterEvent.Nanoseconds };
                break;
        }
    }

    /// <summary>Every publication with every client that subscribed to it, in the order of publication.</summary>
    public IEnumerable<DeliveryPair> Pairs()
    {
        MeasureSlowness();
        foreach (var publication in _publications.Values.OrderBy(publication => publication.Nanoseconds))
        {
            foreach (var receiver in publication.Receivers)
            {
                var came = _deliveries.GetValueOrDefault((publication.Message, receiver.Client));
                yield return new DeliveryPair(
                    publication.Message,
                    publication.Client,
                    receiver.Client,
                    Math.Min(publication.Qos, receiver.Qos),
                    StateOf(publication, receiver),
                    publication.IsAcknowledged,
                    publication.Nanoseconds,
                    came.Count == 0 ? null : came.First,
                    came.Count,
                    receiver.IsForgotten,
                    receiver.Granted
                );
            }
        }
    }

    /// <summary>How many different nodes were hit by faults while a publication was under way.</summary>
    /// <param name="fromNanoseconds">The time of the publication.</param>
    internal int NodesHitSince(long fromNanoseconds) =>
        _faults
            .Where(fault => fault.Node >= 0 && fault.End >= fromNanoseconds - settleNanoseconds)
            .Select(fault => fault.Node)
            .Distinct()
            .Count();

    private void Subscribe(in ClusterEvent granted)
    {
        var filter = granted.Topic;
        var list = _wildcards;
        if (filter.AsSpan().IndexOfAny('+', '#') < 0 && !_exact.TryGetValue(filter, out list!))
            _exact[filter] = list = [];
        // A session that was taken up again keeps its subscription, and a new one begins here.
        var client = granted.Client;
        if (list.Exists(entry => entry.Client == client && entry.Filter == filter && entry.Ended == long.MaxValue))
            return;
        list.Add(new Subscription(client, filter, granted.Qos, granted.Nanoseconds));
    }

    private void Unsubscribe(in ClusterEvent ended)
    {
        var (client, filter, now) = (ended.Client, ended.Topic, ended.Nanoseconds);
        var list = _exact.TryGetValue(filter, out var exact) ? exact : _wildcards;
        // Without a topic all subscriptions of the client end: its session is gone.
        IEnumerable<Subscription> all =
            filter.Length == 0 ? _exact.Values.SelectMany(some => some).Concat(_wildcards) : list;
        foreach (
            var subscription in all.Where(entry =>
                entry.Client == client && (filter.Length == 0 || entry.Filter == filter) && entry.Ended == long.MaxValue
            )
        )
        {
            subscription.Ended = now;
            // The client did not ask for that end, so that it is still owed what came before.
            subscription.IsForgotten = ended.Kind == ClusterEventKind.SessionForgotten;
        }
    }

    private void Publish(in ClusterEvent published)
    {
        var (topic, now) = (published.Topic, published.Nanoseconds);
        var publication = new Publication(published.Message, published.Client, published.Qos, now);
        if (_exact.TryGetValue(topic, out var exact))
            publication.Receivers.AddRange(exact.Where(entry => entry.Ended == long.MaxValue));
        foreach (var subscription in _wildcards)
        {
            if (subscription.Ended == long.MaxValue && TopicFilter.Matches(subscription.Filter, topic))
                publication.Receivers.Add(subscription);
        }
        // Several filters of one client that match make one delivery owed, at the highest of their QoS.
        if (publication.Receivers.Count > 1)
        {
            var distinct = publication
                .Receivers.GroupBy(entry => entry.Client)
                .Select(group => group.MaxBy(entry => entry.Qos)!)
                .ToList();
            publication.Receivers.Clear();
            publication.Receivers.AddRange(distinct);
        }
        _publications[published.Message] = publication;
    }

    private PairState StateOf(Publication publication, Subscription receiver)
    {
        var from = publication.Nanoseconds - settleNanoseconds;
        var to = publication.Nanoseconds + settleNanoseconds;
        if (receiver.Granted > from || (receiver.Ended < to && !receiver.IsForgotten))
            return PairState.Racing;
        var hasCome = _deliveries.ContainsKey((publication.Message, receiver.Client));
        for (var i = 0; i < _faults.Count; i++)
        {
            var (began, ended, _) = _faults[i];
            var near = hasCome ? to : Math.Max(to, publication.Nanoseconds + _slowness[i]);
            if (began <= near && (ended == long.MaxValue || ended >= from))
                return PairState.NearFault;
        }
        return PairState.Settled;
    }

    // Its own node acknowledges a publication, so a fault may lose what is under way. On a busy machine, or in a short
    // queue, that may be long: as long as others were that came. A message that has come is judged as before.
    private void MeasureSlowness()
    {
        _slowness = new long[_faults.Count];
        foreach (var publication in _publications.Values)
        {
            foreach (var receiver in publication.Receivers)
            {
                if (
                    !_deliveries.TryGetValue((publication.Message, receiver.Client), out var came)
                    || came.First - publication.Nanoseconds <= settleNanoseconds
                    || StateOf(publication, receiver) != PairState.Settled
                )
                    continue;
                for (var i = 0; i < _slowness.Length; i++)
                {
                    var began = _faults[i].Begin;
                    if (publication.Nanoseconds < began && came.First >= began - settleNanoseconds)
                        _slowness[i] = Math.Max(_slowness[i], Math.Min(came.First, began) - publication.Nanoseconds);
                }
            }
        }
    }

    private sealed record Subscription(int Client, string Filter, int Qos, long Granted)
    {
        public long Ended { get; set; } = long.MaxValue;

        public bool IsForgotten { get; set; }
    }

    private sealed record Publication(long Message, int Client, int Qos, long Nanoseconds)
    {
        public bool IsAcknowledged { get; set; }

        public List<Subscription> Receivers { get; } = [];
    }
}
