using MqttCheck.Clusters.Topologies;

namespace MqttCheck.ClusterProtocols.SpanningTree;

/// <summary>How nodes build and use their tree.</summary>
internal sealed record SpanningTreeOptions
{
    private const long Second = 1_000_000_000;

    /// <summary>Which rules.</summary>
    public TreeRules Rules { get; init; }

    /// <summary>Whether a tree is built; otherwise every link is used, as configured.</summary>
    public bool Elects { get; init; } = true;

    /// <summary>Whether a second copy of a message is recognised by its identity and dropped.</summary>
    public bool Identities { get; init; } = true;

    /// <summary>The time between two statements to each neighbour (T_k), in nanoseconds, positive.</summary>
    public long KeepAliveNanoseconds { get; init; } = 2 * Second;

    /// <summary>
    /// How long an answer to PINGREQ may take (T_o), in nanoseconds; null for three times T_k.
    /// </summary>
    public long? SilenceNanoseconds { get; init; }

    /// <summary>
    /// How old a neighbour's statement may be, in nanoseconds; null for three times T_k. Where discovery delays a
    /// repair, statements must live as long.
    /// </summary>
    public long? MaximumAgeNanoseconds { get; init; }

    /// <summary>
    /// Whether the statement of each T_k is part of its PINGREQ, as published, not a message before it. Default false.
    /// </summary>
    public bool IsInBand { get; init; }

    /// <summary>A defect to be found.</summary>
    internal TreeMutant Mutant { get; init; }

    /// <summary>T_o, in nanoseconds.</summary>
    internal long Silence => SilenceNanoseconds ?? 3 * KeepAliveNanoseconds;

    /// <summary>How old a neighbour's statement may be, in nanoseconds.</summary>
    internal long MaximumAge => MaximumAgeNanoseconds ?? 3 * KeepAliveNanoseconds;

    /// <summary>
    /// The first statements are spread over this time, so that nodes that start together do not act in step. The
    /// paper's nodes spread them over T_k.
    /// </summary>
    internal long FirstStatementSpread => Rules == TreeRules.Safe ? KeepAliveNanoseconds / 10 : KeepAliveNanoseconds;
}
