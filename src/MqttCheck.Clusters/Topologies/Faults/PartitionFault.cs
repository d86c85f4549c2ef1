namespace MqttCheck.Clusters.Topologies.Faults;

/// <summary>
/// The links between nodes of different sides stall: bytes wait, and none is lost when the partition heals. Links of a
/// node that is in no side stay as they are.
/// </summary>
public sealed record PartitionFault : ClusterFault
{
    /// <summary>The names of the nodes of each side: at least two sides, each with at least one node.</summary>
    public required IReadOnlyList<IReadOnlyList<string>> Sides { get; init; }

    /// <inheritdoc/>
    protected override string Action => "partition " + string.Join('|', Sides.Select(side => string.Join(',', side)));

    /// <inheritdoc/>
    public override IEnumerable<string> Problems(Topology topology)
    {
        ArgumentNullException.ThrowIfNull(topology);
        var names = Sides.SelectMany(side => side).ToList();
        List<string> problems =
        [
            .. names.Select(name => UnknownNode(topology, name)).OfType<string>(),
            .. names
                .CountBy(name => name)
                .Where(name => name.Value > 1)
                .Select(name => $"node '{name.Key}' is named twice; allowed: each node in one side"),
        ];
        if (problems.Count == 0 && Targets(topology, 0).Links.Count == 0)
            problems.Add("no link joins two of the sides");
        return problems;
    }

    /// <summary>Whether the other partition has the same sides in the same order, at the same time.</summary>
    /// <param name="other">The other partition.</param>
    public bool Equals(PartitionFault? other) => other is not null && other.ToString() == ToString();

    /// <inheritdoc/>
    public override int GetHashCode() => ToString().GetHashCode(StringComparison.Ordinal);

    internal override (IReadOnlyList<int> Nodes, IReadOnlyList<int> Links) Targets(Topology topology, double draw)
    {
        var sideOf = new Dictionary<int, int>();
        for (var side = 0; side < Sides.Count; side++)
        {
            foreach (var name in Sides[side])
                sideOf[topology.NodeIndex(name)] = side;
        }
        var links = new List<int>();
        for (var link = 0; link < topology.Links.Count; link++)
        {
            if (
                sideOf.TryGetValue(topology.Links[link].From, out var from)
                && sideOf.TryGetValue(topology.Links[link].To, out var to)
                && from != to
            )
                links.Add(link);
        }
        return ([], links);
    }
}
