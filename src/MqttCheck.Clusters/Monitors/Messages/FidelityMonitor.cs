using MqttCheck.Clusters.Events;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Clusters.Monitors.Messages;

/// <summary>
/// I11: what comes is what was published. Its bytes are the same; its QoS is the lower one of publication and
/// subscription (MQTT-3.8.4-8), as far as the way leaves it; RETAIN is not set if the publisher did not set it
/// (MQTT-3.3.1-9); DUP is not set if the broker cannot have sent it before (MQTT-3.3.1-3); and the client has
/// subscribed to its topic.
/// </summary>
/// <param name="book">The messages of the run; this monitor fills it.</param>
/// <param name="ways">The QoS that is left on the way; null where every way leaves all of it.</param>
internal sealed class FidelityMonitor(MessageBook book, QosWays? ways = null) : ClusterMonitor
{
    private readonly Dictionary<int, List<Grant>> _grants = [];
    private readonly List<ClusterEvent> _foreign = [];
    private readonly Dictionary<int, long> _connected = [];
    private long _firstFault = long.MaxValue;

    /// <inheritdoc/>
    public override string Name => "fidelity";

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent)
    {
        book.Add(clusterEvent);
        switch (clusterEvent.Kind)
        {
            case ClusterEventKind.Subscribed:
                _grants.GetOrNew(clusterEvent.Client).Add(new(clusterEvent.Topic, clusterEvent.Qos, clusterEvent));
                _connected[clusterEvent.Client] = clusterEvent.Nanoseconds;
                break;
            case ClusterEventKind.Connected:
                _connected[clusterEvent.Client] = clusterEvent.Nanoseconds;
                break;
            case ClusterEventKind.FaultBegan:
                _firstFault = Math.Min(_firstFault, clusterEvent.Nanoseconds);
                break;
            case ClusterEventKind.Unsubscribed or ClusterEventKind.SessionForgotten:
                foreach (var grant in _grants.GetOrNew(clusterEvent.Client))
                    if (clusterEvent.Topic.Length == 0 || grant.Filter == clusterEvent.Topic)
                        grant.HasEnded = true;
                break;
            case ClusterEventKind.Delivered when clusterEvent.Message < 0:
                _foreign.Add(clusterEvent);
                break;
        }
    }

    /// <inheritdoc/>
    public override void End(long nanoseconds)
    {
        foreach (var foreign in _foreign)
            Report(foreign.Nanoseconds, Told(foreign, out var history), "content", () => history);
        foreach (var entry in book.Entries)
        foreach (var came in entry.Deliveries.GroupBy(delivery => delivery.Client))
            Judge(entry, came.Key, [.. came]);
    }

    // A delivery that nobody published may be a message that somebody misses, with other bytes or on another topic.
    private string Told(ClusterEvent foreign, out IReadOnlyList<HistoryStep> history)
    {
        var missing = book
            .Entries.Where(entry =>
                entry.Published.Nanoseconds <= foreign.Nanoseconds
                && entry.Deliveries.TrueForAll(delivery => delivery.Client != foreign.Client)
                && Wanted(foreign.Client, entry).Any()
            )
            .ToList();
        history = missing is [var only] ? book.HistoryOf(only, foreign.Client) : [];
        return $"{book.NameOf(foreign.Client)} got {PayloadPrint.LengthOf(foreign.Value)} bytes on {foreign.Topic} "
            + $"that no client has published, at {book.NameOfNode(foreign.Node)} at {book.Time(foreign.Nanoseconds)}"
            + (missing is [var one] ? $"; it misses {book.NameOf(one)}" : $"; it misses {missing.Count} messages");
    }

    private IEnumerable<Grant> Wanted(int client, MessageBook.Entry entry) =>
        _grants.GetValueOrDefault(client, []).Where(grant => TopicFilter.Matches(grant.Filter, entry.Published.Topic));

    private void Judge(MessageBook.Entry entry, int client, IReadOnlyList<ClusterEvent> deliveries)
    {
        var published = entry.Published;
        var grants = Wanted(client, entry).ToList();
        if (grants.Count == 0)
        {
            Tell("addressee", "without a subscription to its topic", deliveries[0]);
            return;
        }
        foreach (var delivery in deliveries)
        {
            if (published.Value != 0 && delivery.Value != 0 && published.Value != delivery.Value)
                Tell("content", Difference(published.Value, delivery.Value), delivery);
            if (delivery.IsRetained && !published.IsRetained)
                Tell("retain", "with RETAIN, which its publisher did not set", delivery);
        }
        if (IsSentOnce(published, deliveries[0]))
            Tell("dup", "with DUP at its first delivery", deliveries[0]);
        JudgeQos(entry, grants, deliveries);

        void Tell(string invariant, string what, in ClusterEvent at) =>
            Report(
                at.Nanoseconds,
                $"{book.NameOf(entry)} came to {book.NameOf(client)} {what}",
                invariant,
                () => book.HistoryOf(entry, client)
            );
    }

    // The connection is older than the message. After a fault a node may send again what its neighbour sent before.
    private bool IsSentOnce(in ClusterEvent published, in ClusterEvent first) =>
        first.IsRepeat
        && first.Nanoseconds < _firstFault
        && _connected.GetValueOrDefault(first.Client, long.MaxValue) < published.Nanoseconds;

    private void JudgeQos(MessageBook.Entry entry, List<Grant> grants, IReadOnlyList<ClusterEvent> deliveries)
    {
        if (ways is { AreKnown: false })
            return;
        var published = entry.Published;
        foreach (var delivery in deliveries)
        {
            var allowed = grants.SelectMany(grant => Allowed(published, delivery, grant.Qos)).ToList();
            if (allowed.Count > 0 && !allowed.Contains(delivery.Qos))
            {
                Tell(allowed, delivery);
                return;
            }
        }
        // If several filters match, one delivery at least has the highest QoS.
        var standing = grants.Where(grant => !grant.HasEnded && grant.Since < published.Nanoseconds).ToList();
        if (standing.Select(grant => grant.Filter).Distinct().Count() < 2)
            return;
        var best = deliveries.MaxBy(delivery => delivery.Qos);
        var highest = Allowed(published, best, standing.Max(grant => grant.Qos)).ToList();
        if (highest.Count > 0 && best.Qos < highest.Min())
            Tell(highest, best);

        void Tell(List<int> allowed, in ClusterEvent at)
        {
            var client = at.Client;
            Report(
                at.Nanoseconds,
                $"{book.NameOf(entry)} came to {book.NameOf(client)} with QoS {at.Qos}, and QoS "
                    + $"{string.Join(" or ", allowed.Distinct().Order())} is owed for its subscription with QoS "
                    + $"{grants.Max(grant => grant.Qos)}",
                "qos",
                () => book.HistoryOf(entry, client)
            );
        }
    }

    private IEnumerable<int> Allowed(ClusterEvent published, ClusterEvent delivery, int granted)
    {
        var lower = Math.Min(published.Qos, granted);
        return ways is null
            ? [lower]
            : ways.Between(published.Node, delivery.Node, published.Topic).Select(level => Math.Min(level, lower));
    }

    private static string Difference(long published, long delivered)
    {
        var (sent, came) = (PayloadPrint.LengthOf(published), PayloadPrint.LengthOf(delivered));
        return sent == came
            ? $"with other bytes than were published, {came} as before"
            : $"with {came} bytes instead of {sent}";
    }

    private sealed record Grant(string Filter, int Qos, ClusterEvent At)
    {
        public long Since => At.Nanoseconds;

        public bool HasEnded { get; set; }
    }
}
