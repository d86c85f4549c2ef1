using MqttCheck.Clusters.Topologies;

namespace MqttCheck.Server.Questions;

/// <summary>The question that a page asks about a cluster.</summary>
internal sealed record ClusterQuestion
{
    /// <summary>Which page asks.</summary>
    public required string Session { get; init; }

    /// <summary>The number of the question on its page.</summary>
    public required long Request { get; init; }

    /// <summary>The name for the command: a family such as <c>mesh:5</c>, or a path for <see cref="File"/>.</summary>
    public required string Named { get; init; }

    /// <summary>The topology file that the browser sent; null where it named a family.</summary>
    public byte[]? File { get; init; }

    /// <summary>The faults that were asked for in place of the file's own.</summary>
    public required IReadOnlyList<string> Faults { get; init; }

    /// <summary>The properties that were asked for in place of the file's own.</summary>
    public required IReadOnlyList<string> Properties { get; init; }

    /// <summary>The variants that are simulated, each with what was changed; one without a variation.</summary>
    public required IReadOnlyList<(string Label, Topology Topology)> Variants { get; init; }

    /// <summary>The variation, as 'cluster predict' takes it; empty for none.</summary>
    public required string Vary { get; init; }

    /// <summary>The user's seed.</summary>
    public required ulong Seed { get; init; }
}
