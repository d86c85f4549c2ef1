using MqttCheck.Protocol.Topics;

namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>
/// The routes of a topology of bridges, from its file alone. Filters are followed over the links first, which yields
/// the classes of topics that are forwarded alike; then one topic of each class is followed exactly.
/// </summary>
internal static class BridgeRoutes
{
    private const int MostStates = 20_000;

    // Bridges that strip a prefix give one class for each number of prefixes; these are alike from then on.
    private const int MostOrigins = 4;

    /// <summary>
    /// All routes: for each broker the most general filters that are forwarded alike. A topic that no filter names is
    /// forwarded nowhere.
    /// </summary>
    /// <param name="topology">A topology of bridges.</param>
    public static IReadOnlyList<BridgeRoute> Of(Topology topology) => Of(topology, new BridgeForwarding(topology));

    /// <summary>All routes, as by <see cref="Of(Topology)"/>.</summary>
    /// <param name="topology">A topology of bridges.</param>
    /// <param name="forwarding">Its bridges.</param>
    public static IReadOnlyList<BridgeRoute> Of(Topology topology, BridgeForwarding forwarding)
    {
        var routes = new List<BridgeRoute>();
        if (!topology.Links.Any(link => link.Topics.Count > 0))
            return routes;
        var longest = LongestOf(topology);
        for (var node = 0; node < topology.Nodes.Count; node++)
        {
            var found = WithCommon(ClassesAt(forwarding, longest, node))
                .Select(filter => new BridgeTrace(topology, forwarding, node, forwarding.Sample(filter)).Route(filter))
                .ToList();
            routes.AddRange(found.Where(route => !found.Exists(other => IsCoveredBy(route, other))));
        }
        return routes;
    }

    /// <summary>Finds the route of a publication on one topic.</summary>
    /// <param name="topology">A topology of bridges.</param>
    /// <param name="node">The index of the broker that it is published to.</param>
    /// <param name="topic">The topic.</param>
    public static BridgeRoute OfTopic(Topology topology, int node, string topic) =>
        new BridgeTrace(topology, node, topic).Route(topic);

    // A route says nothing new beside one with a wider filter that takes the same way.
    private static bool IsCoveredBy(BridgeRoute route, BridgeRoute other) =>
        route.LowestQos == other.LowestQos
        && route.Filter != other.Filter
        && route.Loop.SequenceEqual(other.Loop)
        && route.Copies.SequenceEqual(other.Copies)
        && route.Messages.SequenceEqual(other.Messages)
        && FilterIntersection.Of(route.Filter, other.Filter) == route.Filter;

    // The classes of topics at a node: every filter that a path of bridges takes. A state is a place on a path with the
    // filters of the topic here and at its origin. Fixed is the length of the renamed prefix; behind it both filters
    // are the same.
    private static HashSet<string> ClassesAt(BridgeForwarding forwarding, int longest, int start)
    {
        var classes = new HashSet<string>(StringComparer.Ordinal);
        var seen = new HashSet<(int, string, string)>();
        var origins = new Dictionary<(int, string), int>();
        var waiting = new Queue<(int Node, int Via, string Here, string Origin, int Fixed)>();
        waiting.Enqueue((start, -1, "#", "#", 0));
        while (waiting.TryDequeue(out var state) && seen.Count < MostStates)
        {
            foreach (var way in forwarding.From(state.Node, state.Via))
            foreach (var line in way.Lines)
            {
                // The filter "p/#" has the topic "p" too, and what was renamed by the prefix "p/" has not.
                if (FilterIntersection.Of(state.Here, line.Filter) is not { } taken || taken.Length < state.Fixed)
                    continue;
                // Narrowing the filter here narrows it at the origin too, because both are the same behind the renamed
                // prefix.
                var origin = state.Origin[..OriginPrefix(state)] + taken[state.Fixed..];
                // No topic is empty, neither before a line that adds a prefix nor behind one that takes off all of it.
                if (origin.Length == 0)
                    continue;
                classes.Add(origin);
                var prefix = BridgeForwarding.Stripped(taken, line.Prefix);
                var renamed = line.FarPrefix + taken[prefix..];
                var kept = Math.Max(0, state.Fixed - prefix);
                // Topics that grow without end are found with a sample; here they would never come to an end.
                if (renamed.Length == 0 || renamed.Length > longest)
                    continue;
                var place = (way.Index, renamed);
                if (seen.Add((way.Index, renamed, origin)) && Counted(origins, place) <= MostOrigins)
                    waiting.Enqueue((way.Node, way.Index, renamed, origin, line.FarPrefix.Length + kept));
            }
        }
        return classes;
    }

    // Topics that two filters have in common may go both ways, or be renamed by the line of the other one.
    private static HashSet<string> WithCommon(HashSet<string> classes)
    {
        string[] found = [.. classes];
        for (var one = 1; one < found.Length && classes.Count < MostStates; one++)
        for (var other = 0; other < one; other++)
        {
            if (MayMeet(found[one], found[other]) && FilterIntersection.Of(found[one], found[other]) is { } common)
                classes.Add(common);
        }
        return classes;
    }

    private static bool MayMeet(string one, string other) =>
        one[0] == other[0] || one[0] is '+' or '#' || other[0] is '+' or '#';

    private static int Counted(Dictionary<(int, string), int> origins, (int, string) place) =>
        origins[place] = origins.GetValueOrDefault(place) + 1;

    // Bridges can strip again what they have added in front of a topic, at most as often as there are lines. Behind it
    // no filter has more to say than its own length.
    private static int LongestOf(Topology topology)
    {
        var lines = topology.Links.SelectMany(link => link.Topics).ToList();
        return lines.Sum(line => Math.Max(line.LocalFilter.Length, line.RemoteFilter.Length))
            + lines.Max(line => Math.Max(line.LocalFilter.Length, line.RemoteFilter.Length));
    }

    private static int OriginPrefix((int Node, int Via, string Here, string Origin, int Fixed) state) =>
        state.Origin.Length - (state.Here.Length - state.Fixed);
}
