using MqttCheck.Clusters.Topologies;

namespace MqttCheck.Server.Questions;

/// <summary>What the page asks of a cluster.</summary>
internal sealed record ClusterQuestion
{
    /// <summary>Which page asks.</summary>
    public required string Session { get; init; }

    /// <summary>The number of the question on its page.</summary>
    public required long Request { get; init; }

    /// <summary>The family, such as <c>mesh:5</c>, as it was written.</summary>
    public required string Family { get; init; }

    /// <summary>The variants that are simulated, each with what was changed; one without a variation.</summary>
    public required IReadOnlyList<(string Label, Topology Topology)> Variants { get; init; }

    /// <summary>The variation, as 'cluster predict' takes it; empty for none.</summary>
    public required string Vary { get; init; }

    /// <summary>The user's seed.</summary>
    public required ulong Seed { get; init; }
}
