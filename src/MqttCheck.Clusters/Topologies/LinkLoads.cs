using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Clusters.Topologies;

/// <summary>How many data messages a load makes on each directed link, as far as a file alone says it.</summary>
internal static class LinkLoads
{
    /// <summary>
    /// Messages for each publication of the topology's load, averaged over its publishers: twice the index of a link
    /// for the direction from its <see cref="TopologyLink.From"/>, one more for the other.
    /// </summary>
    /// <param name="topology">The topology.</param>
    /// <returns>
    /// The numbers, infinite where a loop is; null where the system decides by itself what goes over which link.
    /// </returns>
    public static IReadOnlyList<double>? PerPublication(Topology topology)
    {
        if (!topology.HasBridges && topology.System is not (ClusterSystem.SpanningTree or ClusterSystem.Flood))
            return null;
        var (load, placement) = (topology.Load, new ClientPlacement(topology));
        var messages = new double[2 * topology.Links.Count];
        foreach (
            var (node, topics) in Enumerable
                .Range(0, load.Publishers)
                .GroupBy(placement.PublisherNode, publisher => BridgeReach.LoadTopic(topology, placement, publisher))
                .Select(group => (group.Key, group.ToList()))
        )
        {
            if (topology.System == ClusterSystem.SpanningTree)
                AddTree(messages, topology, node, topics.Count);
            else if (topology.System == ClusterSystem.Flood)
                AddFlood(messages, topology, node, topics.Count);
            else
            {
                foreach (var topic in topics)
                    AddBridged(messages, BridgeRoutes.OfTopic(topology, node, topic));
            }
        }
        return [.. messages.Select(sum => sum / load.Publishers)];
    }

    private static void AddBridged(double[] messages, BridgeRoute route)
    {
        for (var link = 0; link < messages.Length; link++)
        {
            if (route.Messages[link] > 0)
                messages[link] += route.Loop.Count > 0 ? double.PositiveInfinity : route.Messages[link];
        }
    }

    // With pruned roles a publication crosses each link of the tree once, away from its publisher.
    private static void AddTree(double[] messages, Topology topology, int node, int count)
    {
        var parents = new ExpectedTree(topology).Parents;
        var (reached, waiting) = (new HashSet<int> { node }, new Queue<int>([node]));
        while (waiting.TryDequeue(out var here))
        {
            for (var index = 0; index < topology.Links.Count; index++)
            {
                var link = topology.Links[index];
                var other =
                    link.From == here ? link.To
                    : link.To == here ? link.From
                    : -1;
                if (other < 0 || (parents[here] != other && parents[other] != here) || !reached.Add(other))
                    continue;
                messages[2 * index + (link.From == here ? 0 : 1)] += count;
                waiting.Enqueue(other);
            }
        }
    }

    // Every node hands the first copy to all neighbours but the one that it came from; with equal links this is the
    // neighbour that is nearest to the publisher.
    private static void AddFlood(double[] messages, Topology topology, int node, int count)
    {
        var parents = new ExpectedTree(
            topology with
            {
                Nodes = [.. topology.Nodes.Select((it, index) => it with { Capability = index == node ? 1 : 0 })],
            }
        ).Parents;
        for (var index = 0; index < topology.Links.Count; index++)
        {
            var link = topology.Links[index];
            if (parents[link.From] != link.To)
                messages[2 * index] += count;
            if (parents[link.To] != link.From)
                messages[2 * index + 1] += count;
        }
    }
}
