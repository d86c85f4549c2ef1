using MqttCheck.Profiles.Workloads;
using static System.FormattableString;

namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>
/// A load that goes over every bridge: a publisher and a subscriber for each class of topics and each broker that they
/// come to. Where bridges rename topics, the subscriber asks for the topic of its own broker.
/// </summary>
/// <param name="Topology">The topology with sites and the load.</param>
/// <param name="WholeTopics">Filters that are one topic only, which a load of several runs cannot share.</param>
/// <param name="Left">How many pairs there would be beyond the most.</param>
internal sealed record BridgeLoad(Topology Topology, IReadOnlyList<string> WholeTopics, int Left)
{
    private const int MostPairs = 64;
    private const int MessagesOfPair = 10;
    private const int MostMessages = 1000;

    // Stands for the topics of a run; bridges rename only what stands in front of it.
    private const string Rest = "mqttcheck/x";

    /// <summary>Makes the load of a topology of bridges.</summary>
    /// <exception cref="InputException">Nothing crosses a bridge that a load could use.</exception>
    public static BridgeLoad Of(Topology topology)
    {
        var (reach, forwarding) = (new BridgeReach(topology), new BridgeForwarding(topology));
        var (pairs, whole) = (new List<Pair>(), new List<string>());
        foreach (var route in BridgeRoutes.Of(topology))
        {
            if (!route.Filter.EndsWith('#'))
            {
                whole.Add(route.Filter);
                continue;
            }
            var sample = forwarding.Sample(route.Filter);
            var prefix = sample[..(sample.LastIndexOf('/') + 1)];
            var arriving = reach.Topics(route.Node, prefix + Rest);
            pairs.AddRange(
                Enumerable
                    .Range(0, topology.Nodes.Count)
                    .Where(node => node != route.Node && arriving[node].Count > 0)
                    .Select(node => new Pair(route.Node, prefix, node, arriving[node].First()[..^Rest.Length]))
            );
        }
        if (pairs.Count == 0)
            throw new InputException(
                $"{topology.Name}: no bridge forwards topics with # at the end, and a load needs topics of its own; "
                    + "allowed: bridges that do, such as 'topic sensors/# out 1'."
            );
        return new(Of(topology, [.. pairs.Take(MostPairs)]), whole, Math.Max(0, pairs.Count - MostPairs));
    }

    private static Topology Of(Topology topology, IReadOnlyList<Pair> pairs) =>
        topology with
        {
            Sites = [.. pairs.Index().SelectMany(pair => Sites(topology, pair.Item, pair.Index + 1))],
            Scenario = topology.Scenario with
            {
                Workload = new()
                {
                    Name = "bridges",
                    Description = "A publisher and a subscriber for each class of topics over each way of bridges.",
                    Publishers = pairs.Count,
                    Subscribers = pairs.Count,
                    Arrivals = ArrivalKind.Constant,
                    MessagesPerSecond = Math.Min(MostMessages, MessagesOfPair * pairs.Count),
                },
            },
        };

    private static IEnumerable<TopologySite> Sites(Topology topology, Pair pair, int number) =>
        [
            new()
            {
                Name = Invariant($"{topology.Nodes[pair.From].Name}-{number}"),
                Node = pair.From,
                Publishers = 1,
                TopicPrefix = pair.Sent,
            },
            new()
            {
                Name = Invariant($"{topology.Nodes[pair.To].Name}-{number}"),
                Node = pair.To,
                Subscribers = 1,
                TopicPrefix = pair.Received,
            },
        ];

    private readonly record struct Pair(int From, string Sent, int To, string Received);
}
