using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>
/// The topics under which a publication arrives at each broker. Bridges may rename it, and then only a subscription to
/// the new topic gets it.
/// </summary>
internal sealed class BridgeReach
{
    // Behind so many places a topic only grows, and no client subscribes to it.
    internal const int MostPlaces = 5000;

    private readonly Topology _topology;
    private readonly BridgeForwarding _forwarding;

    /// <summary>The reach of publications over the bridges of a topology.</summary>
    /// <param name="topology">A topology of bridges.</param>
    public BridgeReach(Topology topology) => (_topology, _forwarding) = (topology, new(topology));

    /// <summary>The topics under which a publication arrives at each node, its own node included.</summary>
    /// <param name="node">The index of the node that it is published to.</param>
    /// <param name="topic">Its topic there.</param>
    public IReadOnlyList<IReadOnlySet<string>> Topics(int node, string topic)
    {
        HashSet<string>[] topics = [.. _topology.Nodes.Select(_ => new HashSet<string>(StringComparer.Ordinal))];
        var start = new BridgePlace(node, -1, topic);
        var seen = new HashSet<BridgePlace> { start };
        var waiting = new Queue<BridgePlace>(seen);
        while (waiting.TryDequeue(out var place))
        {
            topics[place.Node].Add(place.Topic);
            foreach (var hop in _forwarding.Next(place.Node, place.Topic, place.Via))
            {
                var next = new BridgePlace(hop.Node, hop.Way, hop.Topic);
                if (seen.Count < MostPlaces && seen.Add(next))
                    waiting.Enqueue(next);
            }
        }
        return topics;
    }

    /// <summary>Whether a publication arrives at a node under the topic that it was published on.</summary>
    /// <param name="from">The index of the node that it is published to.</param>
    /// <param name="to">The index of the other node.</param>
    /// <param name="topic">The topic.</param>
    public bool Reaches(int from, int to, string topic) => Topics(from, topic)[to].Contains(topic);

    /// <summary>
    /// The first publisher of the load whose messages do not reach a receiver, in words; null if all arrive.
    /// </summary>
    public string? Gap()
    {
        var (load, placement) = (_topology.Load, new ClientPlacement(_topology));
        for (var publisher = 0; publisher < load.Publishers; publisher++)
        {
            var (from, topic) = (placement.PublisherNode(publisher), LoadTopic(_topology, placement, publisher));
            var arriving = Topics(from, topic);
            var receivers =
                load.Shape == WorkloadShape.FanOut
                    ? Enumerable.Range(0, load.Subscribers)
                    : [WorkloadTopics.Receiver(load, publisher)];
            foreach (var receiver in receivers)
            {
                var to = placement.SubscriberNode(receiver);
                var wanted = WorkloadTopics.Topic(load, placement.SubscriberPrefix(receiver) + SampleRun, publisher);
                if (arriving[to].Contains(wanted))
                    continue;
                var names = (From: _topology.Nodes[from].Name, To: _topology.Nodes[to].Name);
                return arriving[to].FirstOrDefault() is not { } other
                    ? $"no bridge takes a message of load '{load.Name}' on '{topic}' from {names.From} to {names.To}"
                    : $"a message of load '{load.Name}' on '{topic}' from {names.From} arrives at {names.To} as "
                        + $"'{other}', and the subscriber there gets '{wanted}' only";
            }
        }
        return null;
    }

    /// <summary>The topic of a publisher of the load, as in any run.</summary>
    /// <param name="topology">The topology.</param>
    /// <param name="placement">The placement of its clients.</param>
    /// <param name="publisher">The publisher's number.</param>
    public static string LoadTopic(Topology topology, ClientPlacement placement, int publisher) =>
        WorkloadTopics.Topic(topology.Load, placement.PublisherPrefix(publisher) + SampleRun, publisher);

    private const string SampleRun = "mqttcheck/x/";
}
