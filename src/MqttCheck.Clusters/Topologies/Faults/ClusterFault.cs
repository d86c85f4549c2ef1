using System.Globalization;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clusters.Topologies.Faults;

/// <summary>
/// Something that goes wrong at a time, and perhaps heals after a while. <see cref="FaultText"/> has the language.
/// </summary>
internal sealed record ClusterFault
{
    /// <summary>The name for a node or a link that is drawn anew in each run.</summary>
    public const string Any = "any";

    /// <summary>The kind.</summary>
    public required FaultKind Kind { get; init; }

    /// <summary>
    /// The names of the nodes that it hits: one side with a node, two sides with a node each for a link, the sides of
    /// a partition. Empty, as by default, for any broker or any link.
    /// </summary>
    public IReadOnlyList<IReadOnlyList<string>> Sides { get; init; } = [];

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

    /// <summary>The names of the nodes, side by side.</summary>
    internal IEnumerable<string> Names => Sides.SelectMany(side => side);

    /// <summary>The reasons why a topology cannot have the fault, one sentence each; empty if it can.</summary>
    /// <param name="topology">The topology.</param>
    public IEnumerable<string> Problems(Topology topology)
    {
        var problems = new List<string>();
        if (!IsOfNodes && Sides.Count == 0 && topology.Links.Count == 0)
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
        if (Kind == FaultKind.Join && topology.Nodes.Count == 1)
            problems.Add("the only node cannot join later; allowed: a node of several");
        if (problems.Count == 0 && !IsOfNodes && Sides.Count > 0 && LinksBetweenSides(topology).Count == 0)
            problems.Add(
                Kind.Shape() == FaultShape.Sides
                    ? "no link joins two of the sides"
                    : $"there is no link '{Target}'; allowed: {string.Join(", ", NamesOfLinks(topology).Distinct())}"
            );
        return problems;
    }

    /// <summary>The nodes and links that it hits, by their indexes.</summary>
    /// <param name="topology">A topology in which it has no problem.</param>
    /// <param name="draw">A uniform number in [0, 1) that chooses where there is a choice.</param>
    internal (IReadOnlyList<int> Nodes, IReadOnlyList<int> Links) Targets(Topology topology, double draw)
    {
        if (Sides.Count > 0)
            return IsOfNodes ? ([topology.NodeIndex(Sides[0][0])], []) : ([], LinksBetweenSides(topology));
        if (IsOfNodes)
            return ([topology.Brokers[(int)(draw * topology.Brokers.Count)]], []);
        var link = topology.Links[(int)(draw * topology.Links.Count)];
        return ([], topology.LinksBetween(link.From, link.To));
    }

    /// <summary>The fault in the language of files.</summary>
    public override string ToString()
    {
        var text = $"{Kind.Verb()} {Target}";
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
        Sides.Count == 0
            ? Any
            : string.Join(Kind.Shape() == FaultShape.Link ? '-' : '|', Sides.Select(side => string.Join(',', side)));

    // The nodes run already and are not MqttCheck's to end: the user's commands do it.
    private IEnumerable<string> ProblemsOfRunning(Topology topology)
    {
        IReadOnlyList<int> named = Sides.Count > 0 ? [topology.NodeIndex(Sides[0][0])] : topology.Brokers;
        var hit = named.Select(node => topology.Nodes[node]).Where(node => node.Address is not null);
        if (topology.System != ClusterSystem.Running)
            return hit.Select(node =>
                $"node {node.Name} runs already; allowed: faults of nodes that are started here, and of links"
            );
        if (Kind == FaultKind.Join)
            return ["the nodes run already, so that none joins; allowed: kill, stop and freeze"];
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
