using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors.Messages;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// I3: a subscriber gets the messages of one publisher on one topic with one QoS in the order in which they were
/// published (MQTT 3.1.1 and 5, section 4.6). The first delivery of each message counts; repeats may come later.
/// </summary>
/// <param name="book">The messages of the run, for words; null to count only.</param>
/// <param name="promise">Which messages must be in order; null for all.</param>
/// <param name="decides">
/// Whether the monitor judges what was promised; otherwise it reports what came late without a promise.
/// </param>
internal sealed class OrderMonitor(MessageBook? book = null, OrderPromise? promise = null, bool decides = true)
    : ClusterMonitor
{
    private readonly Dictionary<long, (long Place, ClusterEvent Event)> _published = [];
    private readonly Dictionary<(int Publisher, string Topic, int Qos, int Subscriber), Latest> _latest = [];
    private readonly HashSet<(long Message, int Subscriber)> _seen = [];

    // Only the end of the run tells when a fault was over.
    private readonly List<(ClusterEvent Late, ClusterEvent Published, ClusterEvent Later)> _late = [];

    /// <inheritdoc/>
    public override string Name => "order";

    /// <inheritdoc/>
    public override bool Decides => decides;

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent)
    {
        promise?.Add(clusterEvent);
        if (clusterEvent.Kind == ClusterEventKind.Published)
        {
            _published[clusterEvent.Message] = (_published.Count, clusterEvent);
            return;
        }
        if (
            clusterEvent.Kind != ClusterEventKind.Delivered
            || !_published.TryGetValue(clusterEvent.Message, out var published)
            || !_seen.Add((clusterEvent.Message, clusterEvent.Client))
        )
            return;
        var stream = (
            published.Event.Client,
            published.Event.Topic,
            published.Event.Qos,
            Subscriber: clusterEvent.Client
        );
        if (!_latest.TryGetValue(stream, out var latest) || published.Place > latest.Place)
            _latest[stream] = new(published.Place, clusterEvent);
        else if (promise is null)
            Tell(clusterEvent, latest.Delivered);
        else
            _late.Add((clusterEvent, published.Event, latest.Delivered));
    }

    /// <inheritdoc/>
    public override void End(long nanoseconds)
    {
        foreach (var (late, published, later) in _late)
            if (promise!.Holds(published.Node, late.Node, published.Nanoseconds, late.Nanoseconds) == decides)
                Tell(late, later);
    }

    private void Tell(in ClusterEvent late, in ClusterEvent later)
    {
        if (book?.Find(late.Message) is not { } entry || book.Find(later.Message) is not { } other)
        {
            Report(late.Nanoseconds, $"message {late.Message} reached client {late.Client} after a later one");
            return;
        }
        var (client, came) = (late.Client, later.Nanoseconds);
        Report(
            late.Nanoseconds,
            $"{book.NameOf(entry)} came to {book.NameOf(client)} after #{other.Number}",
            history: () =>
                [
                    .. book.HistoryOf(entry, client)
                        .Append(new(book.Since(other.Published.Nanoseconds), $"#{other.Number} was published"))
                        .Append(new(book.Since(came), $"#{other.Number} came"))
                        .OrderBy(step => step.Nanoseconds),
                ]
        );
    }

    private readonly record struct Latest(long Place, ClusterEvent Delivered);
}
