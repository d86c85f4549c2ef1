namespace MqttCheck.Clusters.Topologies.Faults;

/// <summary>
/// Something that goes wrong at a time, and perhaps heals after a while. <see cref="FaultText"/> has the language.
/// </summary>
public abstract record ClusterFault
{
    /// <summary>The name for a node or a link that is drawn anew in each run.</summary>
    public const string Any = "any";

    private protected ClusterFault() { }

    /// <summary>When it begins.</summary>
    public required FaultTime At { get; init; }

    /// <summary>How long it lasts, positive; null for until the end of the run.</summary>
    public long? DurationNanoseconds { get; init; }

    /// <summary>The fault in the language of files, without its times.</summary>
    protected abstract string Action { get; }

    /// <summary>The reasons why a topology cannot have the fault, one sentence each; empty if it can.</summary>
    /// <param name="topology">The topology.</param>
    public abstract IEnumerable<string> Problems(Topology topology);

    /// <summary>The nodes and links that it hits, by their indexes.</summary>
    /// <param name="topology">A topology in which it has no problem.</param>
    /// <param name="draw">A uniform number in [0, 1) that chooses where there is a choice.</param>
    internal abstract (IReadOnlyList<int> Nodes, IReadOnlyList<int> Links) Targets(Topology topology, double draw);

    /// <summary>The fault in the language of files.</summary>
    public sealed override string ToString() =>
        $"{Action} at {At}" + (DurationNanoseconds is { } duration ? $" for {TimeText.Of(duration)}" : "");

    private protected static string? UnknownNode(Topology topology, string name) =>
        topology.NodeIndex(name) >= 0
            ? null
            : $"unknown node '{name}'; allowed: {string.Join(", ", topology.Nodes.Select(node => node.Name))}";
}
