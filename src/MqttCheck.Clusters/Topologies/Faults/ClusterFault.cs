using System.Globalization;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clusters.Topologies.Faults;

/// <summary>
/// Something that goes wrong at a time, and perhaps heals after a while. <see cref="FaultText"/> has the language.
/// </summary>
internal sealed record ClusterFault
{
    /// <summary>The word for a node or a link that is drawn anew in each run.</summary>
    public const string Any = "any";

    /// <summary>The kind.</summary>
    public required FaultKind Kind { get; init; }

    /// <summary>
    /// The names of the nodes that it hits: one side with nodes, two sides with a node each for a link, the sides of
    /// a partition. Empty, as by default, for any link, or for those that <see cref="Reach"/> says.
    /// </summary>
    public IReadOnlyList<IReadOnlyList<string>> Sides { get; init; } = [];

    /// <summary>How many nodes it hits if it does not name them. Default one.</summary>
    public FaultReach Reach { get; init; }

    /// <summary>Whether only what its first side sends to its second side stalls. Default both directions.</summary>
    public bool IsOneWay { get; init; }

    /// <summary>Whether it parts the nodes from their clients, and not from each other. Default no.</summary>
    public bool IsOfClients { get; init; }

    /// <summary>
    /// The files that it damages or cuts, in the directory of their node; <c>*</c> stands for any letters. Default
    /// none.
    /// </summary>
    public string Files { get; init; } = "";

    /// <summary>How many bits it turns over; 0, as by default, for a kind that turns none.</summary>
    public int Bits { get; init; }

    /// <summary>How many bytes it cuts off at the end of a file; null (the default) to draw the place.</summary>
    public long? TailBytes { get; init; }

    /// <summary>The kinds that a mix draws from. Default: those that simulated nodes and links know as well.</summary>
    public IReadOnlyList<FaultKind> Kinds { get; init; } = [];

    /// <summary>When it begins. Default: with the first message that counts.</summary>
    public FaultTime At { get; init; }

    /// <summary>How long it lasts, positive; null for until the end of the run.</summary>
    public long? DurationNanoseconds { get; init; }

    /// <summary>The one-way delay of a slow link, in milliseconds; null for that of the topology.</summary>
    public Law? DelayMilliseconds { get; init; }

    /// <summary>The rate of a slow link; null for that of the topology.</summary>
    public double? BitsPerSecond { get; init; }

    /// <summary>The loss of a slow link, 0 .. 1; null for that of the topology.</summary>
    public double? Loss { get; init; }

    /// <summary>Whether it is a fault of nodes; otherwise it is one of links.</summary>
    public bool IsOfNodes => Kind.Shape() == FaultShape.Node;

    /// <summary>Whether it hits nodes, or what clients send to nodes.</summary>
    public bool HitsNodes => IsOfNodes || IsOfClients;

    /// <summary>Whether only real nodes and links can have it.</summary>
    public bool IsLiveOnly => IsOneWay || IsOfClients || !FaultKinds.Simulated.Contains(Kind);

    /// <summary>The kinds of what it does: its own, or those of a mix.</summary>
    public IEnumerable<FaultKind> KindsOf(Topology topology) =>
        Kind == FaultKind.Mix ? FaultMix.KindsOf(topology, this) : [Kind];

    /// <summary>The names of the nodes, side by side.</summary>
    internal IEnumerable<string> Names => Sides.SelectMany(side => side);

    /// <summary>The reasons why a topology cannot have the fault, one sentence each; empty if it can.</summary>
    /// <param name="topology">The topology.</param>
    public IEnumerable<string> Problems(Topology topology)
    {
        var problems = new List<string>();
        if (!HitsNodes && Sides.Count == 0 && topology.Links.Count == 0)
            problems.Add("the topology has no link");
        problems.AddRange(
            Names
                .Where(name => topology.NodeIndex(name) < 0)
                .Select(name =>
                    $"unknown node '{name}'; allowed: {string.Join(", ", topology.Nodes.Select(node => node.Name))}"
                )
        );
        problems.AddRange(
            Names
                .CountBy(name => name)
                .Where(name => name.Value > 1)
                .Select(name => $"node '{name.Key}' is named twice; allowed: each node in one side")
        );
        if (problems.Count == 0 && IsOfNodes)
            problems.AddRange(ProblemsOfRunning(topology));
        if (problems.Count == 0 && Kind.ChangesFiles())
            problems.AddRange(ProblemsOfFiles(topology));
        if (problems.Count == 0 && IsOfClients)
            problems.AddRange(
                Names
                    .Where(name => topology.Nodes[topology.NodeIndex(name)].Kind != NodeKind.Broker)
                    .Select(name => $"node {name} has no clients; allowed: a broker")
            );
        if (Kind == FaultKind.Join && topology.Nodes.Count == 1)
            problems.Add("the only node cannot join later; allowed: a node of several");
        if (problems.Count == 0 && !HitsNodes && Sides.Count > 0 && LinksBetweenSides(topology).Count == 0)
            problems.Add(
                Kind.Shape() == FaultShape.Sides
                    ? "no link joins two of the sides"
                    : $"there is no link '{Target}'; allowed: {string.Join(", ", NamesOfLinks(topology).Distinct())}"
            );
        return problems;
    }

    /// <summary>The nodes and links that it hits, by their indexes.</summary>
    /// <param name="topology">A topology in which it has no problem.</param>
    /// <param name="draw">A uniform number in [0, 1) that chooses where one is chosen.</param>
    /// <param name="random">Draws where several are chosen.</param>
    internal (IReadOnlyList<int> Nodes, IReadOnlyList<int> Links) Targets(
        Topology topology,
        double draw,
        RandomStream random
    )
    {
        if (HitsNodes)
            return (
                Sides.Count == 0 && Reach != FaultReach.All ? Drawn(topology, draw, random) : Candidates(topology),
                []
            );
        if (Sides.Count > 0)
            return ([], LinksBetweenSides(topology));
        var link = topology.Links[(int)(draw * topology.Links.Count)];
        return ([], topology.LinksBetween(link.From, link.To));
    }

    /// <summary>The nodes that it may hit, by their indexes.</summary>
    /// <param name="topology">A topology that has the nodes that it names.</param>
    internal IReadOnlyList<int> Candidates(Topology topology) =>
        !HitsNodes ? []
        : Sides.Count > 0 ? [.. Sides[0].Select(topology.NodeIndex)]
        : Kind == FaultKind.Mix || (Reach == FaultReach.All && !IsOfClients)
            ? [.. Enumerable.Range(0, topology.Nodes.Count)]
        : topology.Brokers;

    /// <summary>The fault in the language of files.</summary>
    public override string ToString()
    {
        var text = Kind.Verb();
        if (Kind != FaultKind.Mix || Sides.Count > 0)
            text += $" {Target}";
        if (Kinds.Count > 0)
            text += $" kinds={string.Join(',', Kinds.Select(FaultKinds.Verb))}";
        if (Files.Length > 0)
            text += $" {Files}";
        if (Bits > 0)
            text += string.Create(CultureInfo.InvariantCulture, $" bits={Bits}");
        if (TailBytes is { } tail)
            text += string.Create(CultureInfo.InvariantCulture, $" tail={tail}");
        if (DelayMilliseconds is { } delay)
            text += $" delay={delay}";
        if (BitsPerSecond is { } rate)
            text += $" rate={RateText.Of(rate)}";
        if (Loss is { } loss)
            text += string.Create(CultureInfo.InvariantCulture, $" loss={loss}");
        return $"{text} at {At}" + (DurationNanoseconds is { } duration ? $" for {TimeText.Of(duration)}" : "");
    }

    /// <summary>Whether the other fault reads the same.</summary>
    /// <param name="other">The other fault.</param>
    public bool Equals(ClusterFault? other) => other is not null && other.ToString() == ToString();

    /// <inheritdoc/>
    public override int GetHashCode() => ToString().GetHashCode(StringComparison.Ordinal);

    private string Target =>
        (IsOfClients ? $"{TopologyNames.Clients}|" : "")
        + (Sides.Count == 0 ? Reach.Word() : string.Join(Separator, Sides.Select(side => string.Join(',', side))));

    private char Separator =>
        Kind.Shape() == FaultShape.Link ? '-'
        : IsOneWay ? '>'
        : '|';

    private int[] Drawn(Topology topology, double draw, RandomStream random)
    {
        var brokers = topology.Brokers;
        return Reach == FaultReach.Any
            ? [brokers[(int)(draw * brokers.Count)]]
            : FaultMix.Drawn(brokers, (brokers.Count / 2) + 1, ref random);
    }

    // The files of a node that runs are the node's.
    private IEnumerable<string> ProblemsOfFiles(Topology topology) =>
        Candidates(topology)
            .Where(node => !topology.Scenario.Faults.Any(fault => fault.KeepsDown(topology, node, At)))
            .Select(node => topology.Nodes[node].Name)
            .Select(name =>
                $"node {name} is not down then; allowed: while it is, such as 'kill {name} at 5s for 3s' and then "
                + $"'{Kind.Verb()} {name} {Files}{(Kind == FaultKind.Damage ? " bits=8" : "")} at 6s'"
            );

    // A node that is drawn may be another one.
    private bool KeepsDown(Topology topology, int node, FaultTime at) =>
        Kind is FaultKind.Kill or FaultKind.Stop or FaultKind.Power
        && Candidates(topology) is var candidates
        && candidates.Contains(node)
        && (Sides.Count > 0 || Reach == FaultReach.All || candidates.Count == 1)
        && At.LatestNanoseconds < at.EarliestNanoseconds
        && (DurationNanoseconds is not { } duration || At.EarliestNanoseconds + duration > at.LatestNanoseconds);

    // The nodes run already and are not MqttCheck's to end: the user's commands do it.
    private IEnumerable<string> ProblemsOfRunning(Topology topology)
    {
        var hit = Candidates(topology).Select(node => topology.Nodes[node]).Where(node => node.Address is not null);
        if (topology.System != ClusterSystem.Running)
            return hit.Select(node =>
                $"node {node.Name} runs already; allowed: faults of nodes that are started here, and of links"
            );
        if (Kind == FaultKind.Join)
            return ["the nodes run already, so that none joins; allowed: kill, stop and freeze"];
        if (Kind is not (FaultKind.Kill or FaultKind.Stop or FaultKind.Freeze))
            return [$"the nodes run already, so that '{Kind.Verb()}' cannot be made; allowed: kill, stop and freeze"];
        return hit.Select(node => (node.Name, Keys: string.Join(" and ", NodeCommands.Missing(node, Kind))))
            .Where(missing => missing.Keys.Length > 0)
            .Select(missing =>
                $"node {missing.Name} runs already, and only commands of yours may change it; allowed: with a command "
                + $"under the key {missing.Keys} of the node or of the file"
            );
    }

    private List<int> LinksBetweenSides(Topology topology)
    {
        var sideOf = Sides
            .SelectMany((side, number) => side.Select(name => (Node: topology.NodeIndex(name), number)))
            .ToDictionary(place => place.Node, place => place.number);
        return
        [
            .. topology
                .Links.Index()
                .Where(link =>
                    sideOf.TryGetValue(link.Item.From, out var from)
                    && sideOf.TryGetValue(link.Item.To, out var to)
                    && from != to
                )
                .Select(link => link.Index),
        ];
    }

    private static IEnumerable<string> NamesOfLinks(Topology topology) =>
        topology.Links.Select(link => $"{topology.Nodes[link.From].Name}-{topology.Nodes[link.To].Name}");
}
