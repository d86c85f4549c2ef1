using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Sequential;
using static System.FormattableString;

namespace MqttCheck.App.Clusters.Runs;

/// <summary>The conditions on bridges before they are run: they reach every broker, and do not loop.</summary>
internal static class BridgeNeeds
{
    /// <summary>A loop of a topology's bridges; null if there is none.</summary>
    public static BridgeRoute? LoopOf(Topology topology) =>
        topology.HasBridges ? BridgeRoutes.Of(topology).FirstOrDefault(route => route.Loop.Count > 0) : null;

    /// <summary>Says that bridges loop.</summary>
    public static void RequireNoLoop(Topology topology, bool allowLoops)
    {
        if (allowLoops || LoopOf(topology) is not { } loop)
            return;
        throw new InputException(
            $"{topology.Name}: {Describe(topology, loop)}, and would flood the brokers; "
                + "allowed: bridges without a loop, or --allow-loops, which stops the brokers as soon as it is seen."
        );
    }

    /// <summary>Says that bridges do not reach every broker.</summary>
    public static void RequireReach(Topology topology)
    {
        if (topology.HasBridges && new BridgeReach(topology).Gap() is { } gap)
            throw new InputException(
                $"{topology.Name}: {gap}; allowed: topics that bridges forward, by topicPrefix, between brokers that "
                    + "they join, by sites. Where bridges rename topics, a site has a topicPrefix of its own."
            );
    }

    /// <summary>A loop in a sentence without a full stop.</summary>
    public static string Describe(Topology topology, BridgeRoute route) =>
        $"a publication on '{route.Filter}' at {topology.Nodes[route.Node].Name} goes round {Circle(topology, route)} "
        + (route.IsGrowing ? "without end, and its topic grows" : "without end");

    /// <summary>
    /// The nodes that a publication comes to on several ways, each in a sentence without a full stop. A publication
    /// that comes back to its own node has its first copy there without any bridge.
    /// </summary>
    public static string Repeat(Topology topology, BridgeRepeat repeat)
    {
        const int Most = 3;
        var (from, count) = (repeat.Route.Node, repeat.Walks.Count);
        var ways = repeat.Walks.Take(Most).Select(walk => Way(topology, from, walk.Hops));
        return $"a publication on '{repeat.Route.Filter}' at {topology.Nodes[from].Name} "
            + (repeat.IsBack ? "comes back " : $"reaches {topology.Nodes[repeat.Node].Name} ")
            + $"{Times(count)}: {string.Join(", and ", ways)}"
            + (count > Most ? $", and on {Counted.Of(count - Most, "more way")}" : "");
    }

    /// <summary>A number of times in words.</summary>
    public static string Times(int count) =>
        count switch
        {
            1 => "once",
            2 => "twice",
            _ => Invariant($"{count} times"),
        };

    // A hop says which end opened the bridge, where it is not the one that the message comes from.
    private static string Way(Topology topology, int from, IReadOnlyList<BridgeHop> way)
    {
        var text = topology.Nodes[from].Name;
        foreach (var hop in way)
        {
            text += $" -> {topology.Nodes[hop.Node].Name}";
            if (topology.Links[hop.Link].From == hop.Node)
                text += $" (by the bridge of {topology.Nodes[hop.Node].Name})";
        }
        return text;
    }

    /// <summary>The nodes of a loop: <c>a -> b -> c -> a</c>.</summary>
    public static string Circle(Topology topology, BridgeRoute route) =>
        string.Join(" -> ", route.Loop.Select(node => topology.Nodes[node].Name));
}
