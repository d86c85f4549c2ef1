using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>
/// Which bridges take a message that is at a broker, and what its topic is at the other end. A message does not go back
/// over the connection that brought it: both ends subscribe without what they sent themselves.
/// </summary>
internal sealed class BridgeForwarding(Topology topology)
{
    /// <summary>The links that take a message.</summary>
    /// <param name="node">The node that has the message.</param>
    /// <param name="topic">Its topic there.</param>
    /// <param name="via">The link that brought it; -1 for none.</param>
    public IEnumerable<BridgeHop> Next(int node, string topic, int via)
    {
        for (var index = 0; index < topology.Links.Count; index++)
        {
            var link = topology.Links[index];
            if (index == via || (link.From != node && link.To != node))
                continue;
            var isOut = link.From == node;
            var lines = LinesOf(link, isOut).ToList();
            var taking = lines.Where(line => TopicFilter.Matches(Here(line, isOut), topic)).ToList();
            if (taking.Count == 0)
                continue;
            // The first matching line with a prefix renames the topic. Without such a line the topic stays as it is.
            var renaming = taking.Find(HasPrefix);
            var cut = renaming is null ? 0 : Stripped(topic, Here(renaming, isOut, prefix: true));
            yield return new BridgeHop(
                index,
                isOut ? link.To : link.From,
                renaming is null ? topic : There(renaming, isOut) + topic[cut..],
                taking.Max(line => line.Qos),
                topic.Length - cut
            );
        }
    }

    /// <summary>
    /// How many characters of a topic, or of a filter of topics, a line takes off. The topic "a" of the line "# out"
    /// with the prefix "a/" does not begin with that, and Mosquitto leaves it as it is.
    /// </summary>
    public static int Stripped(string topic, string prefix) =>
        topic.StartsWith(prefix, StringComparison.Ordinal) ? prefix.Length : 0;

    /// <summary>The lines of a link that forward in one direction.</summary>
    public static IEnumerable<BridgeTopic> LinesOf(TopologyLink link, bool isOut) =>
        link.Topics.Where(line => line.Direction.HasFlag(isOut ? BridgeDirection.Out : BridgeDirection.In));

    /// <summary>The filter, or its prefix, at the end that a message comes from.</summary>
    public static string Here(BridgeTopic line, bool isOut, bool prefix = false) =>
        isOut ? (prefix ? line.LocalPrefix : line.LocalFilter) : (prefix ? line.RemotePrefix : line.RemoteFilter);

    /// <summary>The prefix at the end that a message goes to.</summary>
    public static string There(BridgeTopic line, bool isOut) => isOut ? line.RemotePrefix : line.LocalPrefix;

    private static bool HasPrefix(BridgeTopic line) => line.LocalPrefix.Length + line.RemotePrefix.Length > 0;
}
