using MqttCheck.Protocol.Topics;

namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>One direction of a bridge: what it takes at one end and gives at the other.</summary>
internal sealed class BridgeWay
{
    private readonly BridgeSubscription[] _subscriptions;
    private readonly bool _isEachCopied;

    /// <summary>Knows the lines of a link that forward in one direction.</summary>
    public BridgeWay(TopologyLink link, int index, bool isOut)
    {
        (Index, Node, IsOut) = (2 * index + (isOut ? 0 : 1), isOut ? link.To : link.From, isOut);
        (IsEchoed, _isEachCopied) = (link.IsEchoed, link.IsVersion5);
        Lines =
        [
            .. link
                .Topics.Index()
                .Where(line => line.Item.Direction.HasFlag(isOut ? BridgeDirection.Out : BridgeDirection.In))
                .Where(line => isOut || Ending(link, line.Index) is null)
                .Select(line => BridgeSubscription.Of(line.Item, line.Index, isOut)),
        ];
        // A later line replaces the subscription of an earlier one to the same filter.
        _subscriptions = [.. Lines.GroupBy(line => line.Filter).Select(same => same.Last()).Order()];
    }

    /// <summary>The directed link, as in <see cref="BridgeHop.Way"/>.</summary>
    public int Index { get; }

    /// <summary>The node that it leads to.</summary>
    public int Node { get; }

    /// <summary>Whether it leads away from the end that opened the bridge.</summary>
    public bool IsOut { get; }

    /// <summary>As <see cref="TopologyLink.IsEchoed"/>.</summary>
    public bool IsEchoed { get; }

    /// <summary>The lines of this direction, in the order of the file.</summary>
    public IReadOnlyList<BridgeSubscription> Lines { get; }

    /// <summary>
    /// The line that ends what an earlier one fetches: it only sends, and its filter at the far end is the same.
    /// Mosquitto subscribes and unsubscribes line by line.
    /// </summary>
    /// <param name="link">The link.</param>
    /// <param name="line">The index of the earlier line.</param>
    /// <returns>Its index; null if there is none.</returns>
    public static int? Ending(TopologyLink link, int line)
    {
        for (var later = line + 1; link.IsUnsubscribing && later < link.Topics.Count; later++)
        {
            if (
                link.Topics[later].Direction == BridgeDirection.Out
                && link.Topics[later].RemoteFilter == link.Topics[line].RemoteFilter
            )
                return later;
        }
        return null;
    }

    /// <summary>
    /// The copies that it makes of a message. A client of MQTT 3.1.1 gets one for all its subscriptions, with the
    /// quality of service of the first one; a client of MQTT 5 gets one for each.
    /// </summary>
    /// <param name="topic">The topic at the end that the message comes from.</param>
    public IEnumerable<BridgeHop> Take(string topic)
    {
        var renamed = (Topic: "", Kept: -1);
        foreach (var subscription in _subscriptions)
        {
            if (!TopicFilter.Matches(subscription.Filter, topic))
                continue;
            if (renamed.Kept < 0)
                renamed = Renamed(topic);
            // The far end closes the connection for an empty topic.
            if (renamed.Topic.Length == 0)
                yield break;
            yield return new BridgeHop(Index, Node, renamed.Topic, subscription.Qos, renamed.Kept, subscription.Line);
            if (!_isEachCopied)
                yield break;
        }
    }

    /// <summary>
    /// The line that renames the topics of a filter: the first one with a prefix that takes it. Without such a line the
    /// topic stays as it is.
    /// </summary>
    private (string Topic, int Kept) Renamed(string topic)
    {
        foreach (var line in Lines)
        {
            if (!line.Renames || !TopicFilter.Matches(line.Filter, topic))
                continue;
            var cut = BridgeForwarding.Stripped(topic, line.Prefix);
            return (line.FarPrefix + topic[cut..], topic.Length - cut);
        }
        return (topic, topic.Length);
    }
}
