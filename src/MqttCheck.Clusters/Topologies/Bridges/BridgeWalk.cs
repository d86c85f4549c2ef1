namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>A way of one copy of a publication, from the node that a client publishes to.</summary>
/// <param name="Before">The way up to the last hop; null for the first one.</param>
/// <param name="Hop">The last hop.</param>
internal sealed record BridgeWalk(BridgeWalk? Before, BridgeHop Hop)
{
    /// <summary>All hops, the first one first.</summary>
    public IReadOnlyList<BridgeHop> Hops
    {
        get
        {
            var hops = new List<BridgeHop>();
            for (var walk = this; walk is not null; walk = walk.Before)
                hops.Add(walk.Hop);
            hops.Reverse();
            return hops;
        }
    }

    /// <summary>The hops that the far end of a bridge sent back over the connection that they came by.</summary>
    public IEnumerable<BridgeHop> Echoes
    {
        get
        {
            for (var walk = this; walk.Before is not null; walk = walk.Before)
            {
                if (walk.Hop.Way == (walk.Before.Hop.Way ^ 1))
                    yield return walk.Hop;
            }
        }
    }

    /// <summary>The ways of all copies of a publication that ends, the shortest first.</summary>
    /// <param name="forwarding">The bridges.</param>
    /// <param name="route">Its route, without a loop.</param>
    /// <param name="most">How many ways are wanted.</param>
    public static IReadOnlyList<BridgeWalk> Of(BridgeForwarding forwarding, BridgeRoute route, int most)
    {
        var walks = new List<BridgeWalk>();
        walks.AddRange(Next(route.Node, route.Sample, -1, null));
        for (var at = 0; at < walks.Count && walks.Count < most; at++)
        {
            var hop = walks[at].Hop;
            walks.AddRange(Next(hop.Node, hop.Topic, hop.Way, walks[at]));
        }
        return walks.Count > most ? walks[..most] : walks;

        IEnumerable<BridgeWalk> Next(int node, string topic, int via, BridgeWalk? before) =>
            forwarding.Next(node, topic, via).Select(hop => new BridgeWalk(before, hop));
    }
}
