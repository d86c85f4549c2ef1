namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>A node that gets a publication more than once on one topic.</summary>
/// <param name="Route">The route of the publication.</param>
/// <param name="Node">The index of the node.</param>
/// <param name="Topic">The topic there, of <see cref="BridgeRoute.Sample"/>.</param>
/// <param name="Walks">The ways on which it comes, the shortest first.</param>
internal sealed record BridgeRepeat(BridgeRoute Route, int Node, string Topic, IReadOnlyList<BridgeWalk> Walks)
{
    // More ways than a reader wants to see; a publication can have millions.
    private const int MostWalks = 1000;

    /// <summary>
    /// Whether it comes back to where it was published. The publisher's own message is a copy there without a way.
    /// </summary>
    public bool IsBack => Node == Route.Node && Topic == Route.Sample;

    /// <summary>The repeats of a publication that ends. A copy on another topic is no repeat.</summary>
    /// <param name="forwarding">The bridges.</param>
    /// <param name="route">Its route.</param>
    public static IEnumerable<BridgeRepeat> Of(BridgeForwarding forwarding, BridgeRoute route)
    {
        if (route.Loop.Count > 0 || route.Copies.All(copies => copies <= 1))
            return [];
        return BridgeWalk
            .Of(forwarding, route, MostWalks)
            .GroupBy(walk => (walk.Hop.Node, walk.Hop.Topic))
            .Select(group => new BridgeRepeat(route, group.Key.Node, group.Key.Topic, [.. group]))
            .Where(repeat => repeat.Walks.Count > (repeat.IsBack ? 0 : 1));
    }
}
