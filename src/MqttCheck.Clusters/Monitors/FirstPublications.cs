using MqttCheck.Clusters.Events;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// Which messages come at or soon after the first one on their topic at their node, when a cluster that routes by
/// interest may not know the ways yet.
/// </summary>
/// <param name="settleNanoseconds">How long after the first one ways may be unknown.</param>
internal sealed class FirstPublications(long settleNanoseconds)
{
    private readonly Dictionary<(int Node, string Topic), (long First, long Last)> _topics = [];
    private readonly HashSet<long> _near = [];
    private readonly HashSet<long> _first = [];

    /// <summary>After so long without a publication a topic counts as new at its node again; null for never.</summary>
    public long? TopicLifeNanoseconds { get; init; }

    /// <summary>Takes the next event.</summary>
    public void Add(in ClusterEvent clusterEvent)
    {
        if (clusterEvent.EndsProcess)
        {
            foreach (var key in _topics.Keys)
                if (key.Node == clusterEvent.Node)
                    _topics.Remove(key);
            return;
        }
        if (clusterEvent.Kind != ClusterEventKind.Published)
            return;
        var now = clusterEvent.Nanoseconds;
        var topic = (clusterEvent.Node, clusterEvent.Topic);
        var isKnown =
            _topics.TryGetValue(topic, out var times)
            && (TopicLifeNanoseconds is not { } life || now - times.Last < life);
        _topics[topic] = isKnown ? (times.First, now) : (now, now);
        if (!isKnown)
            _first.Add(clusterEvent.Message);
        if (now - _topics[topic].First <= settleNanoseconds)
            _near.Add(clusterEvent.Message);
    }

    /// <summary>Whether a message is the first one on its topic at its node.</summary>
    public bool IsFirst(long message) => _first.Contains(message);

    /// <summary>Whether a message came within the time, the first one included.</summary>
    public bool IsNear(long message) => _near.Contains(message);
}
