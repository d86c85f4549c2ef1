using MqttCheck.Clusters.Mosquitto.Joining;
using MqttCheck.Clusters.Topologies.Bridges;
using static System.FormattableString;

namespace MqttCheck.Clusters.Mosquitto.Linting;

/// <summary>Lines <c>topic</c> that overlap, do nothing, or miss what other bridges bring.</summary>
internal sealed class LineFindings(ConfTopology cluster)
{
    private readonly BridgeForwarding _forwarding = new(cluster.Topology);

    /// <summary>All findings.</summary>
    public IEnumerable<ConfFinding> All() =>
        Enumerable
            .Range(0, cluster.Links.Count)
            .SelectMany(link => (IEnumerable<ConfFinding>)[.. Ended(link), .. Overlaps(link), .. Missed(link)]);

    private BridgeWay WayOf(int link, bool isOut) => new(cluster.Topology.Links[link], link, isOut);

    private ConfTopic LineOf(int link, BridgeSubscription line) => cluster.Links[link].Bridge.Topics[line.Line];

    private IEnumerable<ConfFinding> Ended(int link)
    {
        var bridge = cluster.Links[link].Bridge;
        foreach (var (index, line) in bridge.Topics.Index())
        {
            if (
                line.Topic.Direction.HasFlag(BridgeDirection.In)
                && BridgeWay.Ending(cluster.Topology.Links[link], index) is { } later
            )
                yield return new ConfFinding(
                    line.Place,
                    ConfRule.DeadTopic,
                    $"{bridge.Topics[later].Place} unsubscribes from '{line.Topic.RemoteFilter}' again, so this line "
                        + "fetches nothing",
                    $"one line 'topic {line.Topic with { Direction = BridgeDirection.Both }}', or "
                        + "'bridge_attempt_unsubscribe false'"
                );
        }
    }

    private IEnumerable<ConfFinding> Overlaps(int link)
    {
        BridgeWay[] ways = [WayOf(link, isOut: true), WayOf(link, isOut: false)];
        var idle = new Dictionary<(int Line, int By), int>();
        var told = new HashSet<(int, int)>();
        foreach (var way in ways)
            for (var later = 1; later < way.Lines.Count; later++)
            for (var earlier = 0; earlier < later; earlier++)
            {
                var (one, other) = (way.Lines[earlier], way.Lines[later]);
                // A client of MQTT 5 gets a copy for each filter, which the routes tell.
                if (
                    FilterIntersection.Of(one.Filter, other.Filter) is not { } both
                    || (cluster.Topology.Links[link].IsVersion5 && one.Filter != other.Filter)
                )
                    continue;
                var topic = _forwarding.Sample(both);
                if (one.Qos != other.Qos || one.Rename(topic) != other.Rename(topic))
                {
                    if (told.Add((one.Line, other.Line)))
                        yield return Overlap(link, way, both, topic, one, other);
                }
                else if (both == other.Filter)
                    idle[(other.Line, one.Line)] = idle.GetValueOrDefault((other.Line, one.Line)) + 1;
                else if (both == one.Filter)
                    idle[(one.Line, other.Line)] = idle.GetValueOrDefault((one.Line, other.Line)) + 1;
            }
        foreach (var ((line, by), count) in idle.OrderBy(pair => pair.Key).DistinctBy(pair => pair.Key.Line))
        {
            var (topic, wider) = (cluster.Links[link].Bridge.Topics[line], cluster.Links[link].Bridge.Topics[by]);
            // A line for both directions does something if one of them is its own.
            if (count == (topic.Topic.Direction == BridgeDirection.Both ? 2 : 1))
                yield return new ConfFinding(
                    topic.Place,
                    ConfRule.NoEffect,
                    $"{wider.Place} forwards all topics of this line already, in the same way",
                    "nothing: leave the line out"
                );
        }
    }

    private ConfFinding Overlap(
        int link,
        BridgeWay way,
        string both,
        string topic,
        BridgeSubscription one,
        BridgeSubscription other
    )
    {
        var hop = way.Take(topic).FirstOrDefault();
        var isRenamed = one.Rename(topic) != other.Rename(topic);
        return new ConfFinding(
            LineOf(link, other).Place,
            ConfRule.OverlappingLines,
            $"{LineOf(link, one).Place} takes '{both}' too, and each message is forwarded once: "
                + Invariant($"with QoS {(int)hop.Qos}")
                + (isRenamed ? $", as '{way.Take(both).FirstOrDefault().Topic}' only" : ""),
            isRenamed
                ? "another connection for this line, if both names are wanted"
                : "the same QoS in both lines, or filters that do not overlap"
        );
    }

    /// <summary>
    /// Lines that would take what other bridges bring, were it not for a prefix. All that is left for them is what
    /// clients of the broker publish.
    /// </summary>
    private IEnumerable<ConfFinding> Missed(int link)
    {
        foreach (var isOut in (bool[])[true, false])
        {
            var way = WayOf(link, isOut);
            var node = isOut ? cluster.Topology.Links[link].From : cluster.Topology.Links[link].To;
            var arrivals = Arrivals(link, node).ToList();
            foreach (var line in way.Lines)
            {
                if (arrivals.Exists(arrival => FilterIntersection.Of(arrival.FarFilter, line.Filter) is not null))
                    continue;
                var near = arrivals.FirstOrDefault(arrival => IsNear(arrival, line));
                if (near is not null)
                    yield return new ConfFinding(
                        LineOf(link, line).Place,
                        ConfRule.DeadTopic,
                        $"takes '{line.Filter}' at {cluster.NameOf(node)}, where bridges bring '{near.FarFilter}': "
                            + "nothing of that is forwarded",
                        $"a line for '{near.FarFilter}', if it is to go on"
                    );
            }
        }
    }

    private IEnumerable<BridgeSubscription> Arrivals(int link, int node)
    {
        for (var other = 0; other < cluster.Links.Count; other++)
        {
            var ends = cluster.Topology.Links[other];
            if (other == link || (ends.From != node && ends.To != node))
                continue;
            foreach (var line in WayOf(other, isOut: ends.To == node).Lines)
                yield return line;
        }
    }

    // A pattern that begins with a wildcard is like everything.
    private static bool IsNear(BridgeSubscription arrival, BridgeSubscription line) =>
        (arrival.FarPrefix.Length > 0 && AreNear(arrival.Pattern, line.Filter))
        || (line.Prefix.Length > 0 && AreNear(arrival.FarFilter, line.Pattern));

    private static bool AreNear(string one, string other) =>
        one.Length > 0
        && other.Length > 0
        && one[0] is not ('+' or '#')
        && other[0] is not ('+' or '#')
        && FilterIntersection.Of(one, other) is not null;
}
