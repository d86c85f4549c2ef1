using MqttCheck.Protocol.Topics;

namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>
/// Which bridges take a message that is at a broker, and what its topic is at the other end. A message does not go back
/// over the connection that brought it, except where the far end of the bridge does not know better.
/// </summary>
internal sealed class BridgeForwarding
{
    private readonly List<BridgeWay>[] _ways;
    private readonly Lazy<string[]> _filters;
    private readonly Lazy<(string Level, int Depth)> _free;

    /// <summary>Knows the bridges of a topology.</summary>
    public BridgeForwarding(Topology topology)
    {
        var lines = topology.Links.SelectMany(link => link.Topics);
        _filters = new(() => [.. lines.SelectMany(FiltersOf).Distinct()]);
        _free = new(() => FreeLevels(lines));
        _ways = [.. topology.Nodes.Select(_ => new List<BridgeWay>())];
        for (var index = 0; index < topology.Links.Count; index++)
        {
            var link = topology.Links[index];
            Add(link.From, new BridgeWay(link, index, isOut: true));
            Add(link.To, new BridgeWay(link, index, isOut: false));
        }

        void Add(int node, BridgeWay way)
        {
            if (way.Lines.Count > 0)
                _ways[node].Add(way);
        }
    }

    /// <summary>How many links were looked at so far: the work of following publications and filters.</summary>
    public long Looks { get; private set; }

    /// <summary>All filters and prefixes of lines, the prefixes as filters of what begins with them.</summary>
    public string[] Filters => _filters.Value;

    /// <summary>
    /// A topic of a filter whose free levels are none that any line names, and which has more levels than any line
    /// where the filter takes all of them: a line for fewer levels has a filter of its own.
    /// </summary>
    public string Sample(string filter) =>
        string.Join(
            '/',
            filter
                .Split('/')
                .Select(level =>
                    level switch
                    {
                        "+" => _free.Value.Level,
                        "#" => string.Join('/', Enumerable.Repeat(_free.Value.Level, _free.Value.Depth)),
                        _ => level,
                    }
                )
        );

    /// <summary>The links that may take a message on from a node.</summary>
    /// <param name="node">The node that has the message.</param>
    /// <param name="via">The directed link that brought it; -1 for none.</param>
    public IEnumerable<BridgeWay> From(int node, int via)
    {
        foreach (var way in _ways[node])
        {
            Looks++;
            // The end that opened a bridge never sends back. The link of a broker to itself has both ends there.
            if (via < 0 || way.Index != (via ^ 1) || (way.IsEchoed && !way.IsOut))
                yield return way;
        }
    }

    /// <summary>The links that take a message, once for each copy that they make.</summary>
    /// <param name="node">The node that has the message.</param>
    /// <param name="topic">Its topic there.</param>
    /// <param name="via">The directed link that brought it; -1 for none.</param>
    public IEnumerable<BridgeHop> Next(int node, string topic, int via)
    {
        foreach (var way in From(node, via))
        foreach (var hop in way.Take(topic))
            yield return hop;
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

    private static string[] FiltersOf(BridgeTopic line) =>
        [line.LocalFilter, line.RemoteFilter, Beginning(line.LocalPrefix), Beginning(line.RemotePrefix)];

    // All topics that begin so; "a/#" would take "a" too.
    private static string Beginning(string prefix) => prefix + "+#";

    private static (string Level, int Depth) FreeLevels(IEnumerable<BridgeTopic> lines)
    {
        var filters = lines
            .SelectMany(line => (string[][])[line.LocalFilter.Split('/'), line.RemoteFilter.Split('/')])
            .ToList();
        var named = filters.SelectMany(levels => levels).ToHashSet();
        var free = "x";
        while (named.Contains(free))
            free += "x";
        return (free, filters.Max(levels => levels.Length) + 1);
    }
}
