using MqttCheck.Clusters.Topologies;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>Which client of a replication is at which node, with which topic or filter.</summary>
/// <param name="PublisherNodes">The node of each publisher.</param>
/// <param name="Topics">The topic of each publisher.</param>
/// <param name="SubscriberNodes">The node of each subscriber.</param>
/// <param name="Filters">The filter of each subscriber.</param>
internal sealed record RunClients(
    IReadOnlyList<int> PublisherNodes,
    IReadOnlyList<string> Topics,
    IReadOnlyList<int> SubscriberNodes,
    IReadOnlyList<string> Filters
)
{
    /// <summary>The number of the place of each client, publishers first; null without places.</summary>
    public IReadOnlyList<int>? PlacesOf(ClientPlaces? places) => places?.OfClients(PublisherNodes, SubscriberNodes);

    private const ulong PlacementStream = 0x706C6163;

    /// <summary>Whether several publishers may have one topic.</summary>
    public bool AreDrawn { get; private init; }

    /// <summary>The clients of one run, simulated or live; they depend on seed and number of the run alone.</summary>
    public static RunClients OfRun(Topology topology, string prefix, ulong seed, int run) =>
        topology.Overlay.Topics is null ? Of(topology, prefix) : Draw(topology, prefix, seed, run);

    /// <summary>The clients of every run of a topology, as its sites and its load say.</summary>
    public static RunClients Of(Topology topology, string prefix)
    {
        var (load, placement) = (topology.Load, new ClientPlacement(topology));
        var (publishers, subscribers) = (Enumerable.Range(0, load.Publishers), Enumerable.Range(0, load.Subscribers));
        return new RunClients(
            [.. publishers.Select(placement.PublisherNode)],
            [.. publishers.Select(publisher => WorkloadTopics.Topic(load, prefix, publisher))],
            [.. subscribers.Select(placement.SubscriberNode)],
            [.. subscribers.Select(subscriber => WorkloadTopics.Filter(load, prefix, subscriber))]
        );
    }

    /// <summary>Clients that draw one of a number of topics, and nodes as the locality says.</summary>
    public static RunClients Draw(Topology topology, string prefix, ulong seed, int replication)
    {
        var (load, brokers) = (topology.Load, topology.Brokers);
        var (topics, locality) = (topology.Overlay.Topics!.Value, topology.Overlay.LocalityPercent);
        var random = RandomStream.For(seed, PlacementStream, (ulong)replication);
        // The node of a topic's publishers, and that of its subscribers, where the locality fixes them.
        var homes = new (int Publishers, int Subscribers)[topics];
        for (var topic = 0; topic < topics; topic++)
        {
            var place = random.NextInt(brokers.Count);
            var other = (place + 1 + random.NextInt(Math.Max(1, brokers.Count - 1))) % brokers.Count;
            homes[topic] = (brokers[place], brokers[locality == 100 ? place : other]);
        }
        var (publisherNodes, publisherTopics) = Clients(load.Publishers, topic => homes[topic].Publishers);
        var (subscriberNodes, filters) = Clients(load.Subscribers, topic => homes[topic].Subscribers);
        return new RunClients(publisherNodes, publisherTopics, subscriberNodes, filters) { AreDrawn = true };

        (int[], string[]) Clients(int count, Func<int, int> home)
        {
            var (nodes, names) = (new int[count], new string[count]);
            for (var client = 0; client < count; client++)
            {
                var (topic, place) = (random.NextInt(topics), random.NextInt(brokers.Count));
                nodes[client] = locality == 50 ? brokers[place] : home(topic);
                names[client] = Invariant($"{prefix}{topic}");
            }
            return (nodes, names);
        }
    }
}
