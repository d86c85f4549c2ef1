namespace MqttCheck.Clusters.Topologies;

/// <summary>
/// The tree that nodes of MqttCheck's own settle on: the fittest node is the root, the first of equal ones, and every
/// node takes the parent on its cheapest path. A link costs its round trip, twice the mean delay.
/// </summary>
internal sealed class ExpectedTree
{
    /// <summary>The tree of a topology.</summary>
    /// <param name="topology">A connected topology.</param>
    public ExpectedTree(Topology topology)
    {
        var nodes = topology.Nodes;
        for (var node = 1; node < nodes.Count; node++)
        {
            if (nodes[node].Capability > nodes[Root].Capability)
                Root = node;
        }
        var (costs, parents) = (new double[nodes.Count], new int[nodes.Count]);
        Array.Fill(costs, double.PositiveInfinity);
        Array.Fill(parents, -1);
        costs[Root] = 0;
        var open = new HashSet<int>(Enumerable.Range(0, nodes.Count));
        while (open.Count > 0)
        {
            var node = open.MinBy(candidate => (costs[candidate], candidate));
            open.Remove(node);
            foreach (var link in topology.Links.Where(link => link.From == node || link.To == node))
            {
                var other = link.From == node ? link.To : link.From;
                var cost = costs[node] + 2 * link.DelayMilliseconds.Mean;
                if (open.Contains(other) && IsBetter(cost, node, costs[other], parents[other]))
                    (costs[other], parents[other]) = (cost, node);
            }
        }
        (CostsMilliseconds, Parents) = (costs, parents);

        // Equal costs are decided for the neighbour with the higher capability, then for the one with the lower number.
        bool IsBetter(double cost, int node, double oldCost, int oldParent) =>
            cost < oldCost
            || (
                cost == oldCost
                && (-nodes[node].Capability, node).CompareTo((-nodes[oldParent].Capability, oldParent)) < 0
            );
    }

    /// <summary>The index of the root.</summary>
    public int Root { get; }

    /// <summary>The parent of each node; -1 for the root.</summary>
    public IReadOnlyList<int> Parents { get; }

    /// <summary>The cost of each node's path to the root, in milliseconds.</summary>
    public IReadOnlyList<double> CostsMilliseconds { get; }
}
