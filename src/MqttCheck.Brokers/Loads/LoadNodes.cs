using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Loads;

/// <summary>The nodes of a cluster, and the assignment of a load's clients to them.</summary>
internal sealed record LoadNodes
{
    /// <summary>How to connect to each node, at least one.</summary>
    public required IReadOnlyList<WireEndpoint> Endpoints { get; init; }

    /// <summary>
    /// How to log in at each node, in the order of <see cref="Endpoints"/>; empty (the default) for the credentials of
    /// the setup.
    /// </summary>
    public IReadOnlyList<Credentials?> Logins { get; init; } = [];

    /// <summary>The place in <see cref="Endpoints"/> of a publisher's node, by the publisher's number.</summary>
    public required Func<int, int> OfPublisher { get; init; }

    /// <summary>The place in <see cref="Endpoints"/> of a subscriber's node, by the subscriber's number.</summary>
    public required Func<int, int> OfSubscriber { get; init; }

    /// <summary>
    /// Whether the node at a place of <see cref="Endpoints"/> starts after the load: its clients try to connect from
    /// the first message on. Default no.
    /// </summary>
    public Func<int, bool> JoinsLater { get; init; } = _ => false;

    /// <summary>
    /// Whether a client that lost its connection, or could not make one, tries the next node, after the last the first.
    /// Default no: it stays at its own.
    /// </summary>
    public bool Failover { get; init; }

    /// <summary>Clients that take turns: client i is at node i mod n.</summary>
    /// <param name="endpoints">How to connect to each node, at least one.</param>
    /// <param name="failover">See <see cref="Failover"/>.</param>
    public static LoadNodes InTurn(IReadOnlyList<WireEndpoint> endpoints, bool failover) =>
        new()
        {
            Endpoints = endpoints,
            OfPublisher = publisher => publisher % endpoints.Count,
            // This shift makes a pair of clients usually span two nodes.
            OfSubscriber = subscriber => (subscriber + subscriber / endpoints.Count) % endpoints.Count,
            Failover = failover,
        };
}
