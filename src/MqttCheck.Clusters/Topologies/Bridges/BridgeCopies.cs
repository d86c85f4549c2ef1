using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>
/// How many copies of one publication bridges make at most, of those that come to an end. More of them are a loop.
/// </summary>
internal sealed class BridgeCopies
{
    private readonly Dictionary<(int From, int To), int> _crossings = [];
    private readonly int[] _arrivals;

    /// <summary>Follows the publications of a topology's load, and a sample of all others.</summary>
    /// <param name="topology">A topology; without bridges each link and node gets a message once.</param>
    public BridgeCopies(Topology topology)
    {
        _arrivals = new int[topology.Nodes.Count];
        if (!topology.HasBridges)
            return;
        foreach (var route in BridgeRoutes.Of(topology).Concat(OfLoad(topology)).Where(route => route.Loop.Count == 0))
        {
            for (var node = 0; node < _arrivals.Length; node++)
                _arrivals[node] = Math.Max(_arrivals[node], route.Copies[node] - (node == route.Node ? 1 : 0));
            foreach (var pair in route.Messages.Index().GroupBy(of => Ends(topology, of.Index), of => of.Item))
                _crossings[pair.Key] = Math.Max(_crossings.GetValueOrDefault(pair.Key), pair.Sum());
        }
    }

    /// <summary>How often a publication enters the links from one node to another.</summary>
    public int Crossings(int from, int to) => Math.Max(1, _crossings.GetValueOrDefault((from, to)));

    /// <summary>How often a publication arrives at a node over links; 0 where none does.</summary>
    public int Arrivals(int node) => _arrivals[node];

    private static IEnumerable<BridgeRoute> OfLoad(Topology topology)
    {
        var (load, placement) = (topology.Load, new ClientPlacement(topology));
        return Enumerable
            .Range(0, load.Publishers)
            .Select(publisher =>
                BridgeRoutes.OfTopic(
                    topology,
                    placement.PublisherNode(publisher),
                    BridgeReach.LoadTopic(topology, placement, publisher)
                )
            );
    }

    private static (int From, int To) Ends(Topology topology, int direction)
    {
        var link = topology.Links[direction / 2];
        return direction % 2 == 0 ? (link.From, link.To) : (link.To, link.From);
    }
}
