namespace MqttCheck.Clusters.Topologies.Systems;

/// <summary>
/// How <see cref="RootRule.Balance"/> weighs a member of a topic's overlay: gamma times the trees that it roots, and
/// delta times its clients. The lowest sum wins.
/// </summary>
internal sealed record RootBalance
{
    /// <summary>The weight of a tree that the member roots (gamma), at least 0. Default 1.</summary>
    public double Gamma { get; init; } = 1;

    /// <summary>The weight of a client (delta), at least 0. Default 1.</summary>
    public double Delta { get; init; } = 1;

    /// <summary>
    /// Whether the filters and published topics of a node's clients count instead of the clients. Default no.
    /// </summary>
    public bool CountsFilters { get; init; }

    /// <summary>The weighted sum.</summary>
    /// <param name="rooted">How many trees of other topics the member roots.</param>
    /// <param name="clients">How many clients it has, or filters and topics.</param>
    public double Of(int rooted, int clients) => (Gamma * rooted) + (Delta * clients);
}
