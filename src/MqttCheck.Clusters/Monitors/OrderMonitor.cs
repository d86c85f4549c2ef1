using MqttCheck.Clusters.Events;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// I3: a subscriber gets the messages of one publisher on one topic with one QoS in the order in which they were
/// published (MQTT 3.1.1 and 5, section 4.6). The first delivery of each message counts; repeats may come later.
/// </summary>
internal sealed class OrderMonitor : ClusterMonitor
{
    private readonly Dictionary<long, (long Place, int Client, string Topic, int Qos)> _published = [];
    private readonly Dictionary<(int Publisher, string Topic, int Qos, int Subscriber), long> _latest = [];
    private readonly HashSet<(long Message, int Subscriber)> _seen = [];

    /// <inheritdoc/>
    public override string Name => "order";

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent)
    {
        if (clusterEvent.Kind == ClusterEventKind.Published)
        {
            _published[clusterEvent.Message] = (
                _published.Count,
                clusterEvent.Client,
                clusterEvent.Topic,
                clusterEvent.Qos
            );
            return;
        }
        if (
            clusterEvent.Kind != ClusterEventKind.Delivered
            || !_published.TryGetValue(clusterEvent.Message, out var published)
            || !_seen.Add((clusterEvent.Message, clusterEvent.Client))
        )
            return;
        var stream = (published.Client, published.Topic, published.Qos, clusterEvent.Client);
        if (_latest.TryGetValue(stream, out var latest) && published.Place < latest)
            Report(
                clusterEvent.Nanoseconds,
                $"message {clusterEvent.Message} on {published.Topic} "
                    + $"reached client {clusterEvent.Client} after a later one"
            );
        else
            _latest[stream] = published.Place;
    }
}
