namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>
/// The route of a publication that a client sends to one broker: the copies and messages that bridges make of it.
/// </summary>
internal sealed record BridgeRoute
{
    /// <summary>The index of the broker that a client publishes to.</summary>
    public required int Node { get; init; }

    /// <summary>The filter whose topics all take this way.</summary>
    public required string Filter { get; init; }

    /// <summary>A topic of the filter.</summary>
    public required string Sample { get; init; }

    /// <summary>
    /// How many copies each node gets, by its index, the publisher's own included; in a loop 1 for each node that it
    /// reaches.
    /// </summary>
    public required IReadOnlyList<int> Copies { get; init; }

    /// <summary>
    /// How many messages enter each directed link for one publication: twice the index of the link for the direction
    /// from its <see cref="TopologyLink.From"/>, one more for the other; in a loop 1 for each link that it
    /// enters.
    /// </summary>
    public required IReadOnlyList<int> Messages { get; init; }

    /// <summary>The lowest quality of service that bridges give on the way, 0 .. 2.</summary>
    public required int LowestQos { get; init; }

    /// <summary>
    /// The indexes of the nodes of a loop, from the lowest one and with it again at the end, or empty. A publication
    /// goes round it until something ends the bridges.
    /// </summary>
    public required IReadOnlyList<int> Loop { get; init; }

    /// <summary>The hops of the loop: each one leads from a node of <see cref="Loop"/> to the next one.</summary>
    public IReadOnlyList<BridgeHop> Round { get; init; } = [];

    /// <summary>Whether the topic gets longer with every turn of the loop.</summary>
    public bool IsGrowing { get; init; }
}
