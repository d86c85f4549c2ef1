using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Clusters.Topologies;

/// <summary>A cluster as a file or a family describes it: nodes, links, and what is asked of them.</summary>
internal sealed record Topology
{
    /// <summary>The most nodes of a topology.</summary>
    public const int MostNodes = 256;

    /// <summary>The name in tables and file names, for example <c>plant</c>.</summary>
    public required string Name { get; init; }

    /// <summary>One sentence for people.</summary>
    public string Description { get; init; } = "";

    /// <summary>The system that the nodes run.</summary>
    public required ClusterSystem System { get; init; }

    /// <summary>The nodes, at least one. Their order decides ties: an earlier one has a lower number.</summary>
    public required IReadOnlyList<TopologyNode> Nodes { get; init; }

    /// <summary>
    /// The links. Each pair of nodes has at most one, except for bridges: each end may open several to the other one.
    /// </summary>
    public required IReadOnlyList<TopologyLink> Links { get; init; }

    /// <summary>The sites of the clients; if empty, clients are spread over all brokers.</summary>
    public IReadOnlyList<TopologySite> Sites { get; init; } = [];

    /// <summary>Load, faults and properties.</summary>
    public ClusterScenario Scenario { get; init; } = new();

    /// <summary>The rules of a spanning tree. Default the safe ones.</summary>
    public TreeRules Rules { get; init; }

    /// <summary>How MqttCheck's own nodes hand messages on. Default QoS 2.</summary>
    public PeerHopMode Hop { get; init; } = PeerHopMode.Qos2;

    /// <summary>
    /// Whether nodes of a spanning tree state it inside PINGREQ, and mark CONNECT by the top bit of the protocol level,
    /// as published; otherwise they publish it. Default false.
    /// </summary>
    public bool IsInBand { get; init; }

    /// <summary>
    /// How live nodes without a <see cref="TopologyNode.Capability"/> of their own take it from their machine; null for
    /// no such thing.
    /// </summary>
    public MachineCapability? Machine { get; init; }

    /// <summary>Whether some node is as fit as its machine, so that no file says which one is the fittest.</summary>
    internal bool IsFitnessMeasured => Machine is not null && Nodes.Any(node => !node.HasOwnCapability);

    /// <summary>How often a node tells its neighbours that it is alive, in seconds, above 0. Default 2.</summary>
    public double KeepAliveSeconds { get; init; } = 2;

    /// <summary>Whether MqttCheck's own nodes drop messages that they have seen. Default true.</summary>
    public bool HasIds { get; init; } = true;

    /// <summary>How nodes of an overlay find each other and route.</summary>
    public OverlaySettings Overlay { get; init; } = new();

    /// <summary>How many copies of its streams a cluster keeps, at least 1; null for what it does by default.</summary>
    public int? StreamReplicas { get; init; }

    /// <summary>Settings of the brokers, or of their store, by name. Default none.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init; } = BridgeSettings.None;

    /// <summary>
    /// The broker that the nodes are together, as the user names it, such as <c>mosquitto:autosave=1s</c>; null for a
    /// cluster that a file or a family describes.
    /// </summary>
    public string? Broker { get; init; }

    /// <summary>How the brokers of a pipeline use their log and their store.</summary>
    public PipelineSettings Pipeline { get; init; } = new();

    /// <summary>How the nodes of a transport queue and acknowledge.</summary>
    public TransportSettings Transport { get; init; } = new();

    /// <summary>Whether brokers with a choice keep sessions and messages on disk. Default true.</summary>
    public bool IsPersistent { get; init; } = true;

    /// <summary>Whether messages between nodes go over a transport with queues of its own.</summary>
    public bool HasTransport =>
        System == ClusterSystem.Transport || Hop is PeerHopMode.Transport417 or PeerHopMode.Transport418;

    /// <summary>Whether its links are bridges that forward topics, as far as it says which.</summary>
    public bool HasBridges => Links.Any(link => link.Topics.Count > 0);

    /// <summary>The indexes of the nodes that serve clients, in their order.</summary>
    public IReadOnlyList<int> Brokers =>
        [.. Enumerable.Range(0, Nodes.Count).Where(node => Nodes[node].Kind == NodeKind.Broker)];

    /// <summary>The load of a run, with the numbers of clients that the sites say.</summary>
    public Workload Load
    {
        get
        {
            var load = Scenario.Workload ?? UsualLoad(Brokers.Count);
            if (Transport.Burst is { } burst && load.IsOpenLoop)
                load = load with { Burst = burst.OfLoad };
            return OfSites(load);
        }
    }

    /// <summary>How long a run lasts.</summary>
    public TimeSpan Duration => Scenario.Duration ?? Load.Duration;

    /// <summary>The indexes of nodes that a fault lets join: they do not run before it.</summary>
    internal IReadOnlySet<int> Joining =>
        Scenario
            .Faults.Where(fault => fault.Kind == FaultKind.Join)
            .Select(fault => NodeIndex(fault.Sides[0][0]))
            .ToHashSet();

    /// <summary>The index of a node by its name, or -1.</summary>
    /// <param name="name">The name.</param>
    public int NodeIndex(string name)
    {
        for (var node = 0; node < Nodes.Count; node++)
        {
            if (Nodes[node].Name == name)
                return node;
        }
        return -1;
    }

    /// <summary>The indexes of the links between two nodes, whichever end opens them.</summary>
    /// <param name="a">The index of one node.</param>
    /// <param name="b">The index of the other.</param>
    public IReadOnlyList<int> LinksBetween(int a, int b) =>
        [
            .. Enumerable
                .Range(0, Links.Count)
                .Where(link =>
                    (Links[link].From, Links[link].To) == (a, b) || (Links[link].From, Links[link].To) == (b, a)
                ),
        ];

    /// <summary>
    /// A load with the clients of the sites, or as it is where there are none. Different numbers make no pairs: then
    /// the fewer of them share the others, as a fan-in of many publishers, or a fan-out to many subscribers.
    /// </summary>
    /// <param name="load">The load.</param>
    internal Workload OfSites(Workload load)
    {
        if (Sites.Count == 0)
            return load;
        var (publishers, subscribers) = (Sites.Sum(site => site.Publishers), Sites.Sum(site => site.Subscribers));
        var isUneven =
            load.Shape == WorkloadShape.Pairs
            && publishers != subscribers
            && load.Topic.Length == 0
            && load.Filter.Length == 0;
        return load with
        {
            Publishers = publishers,
            Subscribers = subscribers,
            Shape =
                !isUneven ? load.Shape
                : publishers > subscribers ? WorkloadShape.FanIn
                : WorkloadShape.FanOut,
        };
    }

    // A pair of clients for each ordered pair of brokers, at a rate that any broker bears.
    private static Workload UsualLoad(int brokers) =>
        new()
        {
            Name = "cluster-pairs",
            Description = "One publisher and one subscriber for each ordered pair of brokers.",
            Publishers = brokers * brokers,
            Subscribers = brokers * brokers,
            Arrivals = ArrivalKind.Constant,
            MessagesPerSecond = Math.Min(1000, 10 * brokers * brokers),
        };
}
