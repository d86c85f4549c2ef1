namespace MqttCheck.Clusters.Topologies.Sessions;

/// <summary>
/// The clients of a run that show whether brokers agree: groups of shared subscriptions, and client identifiers that
/// connect at a second node. Each group and each identifier has a topic and a publisher of its own.
/// </summary>
/// <param name="SharedSubscriptions">How many groups there are, with a member at each broker.</param>
/// <param name="TakeOvers">How many clients connect at the next broker while they are connected.</param>
internal sealed record SessionLoad(int SharedSubscriptions, int TakeOvers)
{
    /// <summary>The most groups, and the most clients that take over.</summary>
    public const int Most = 1000;

    /// <summary>How many messages each publisher sends in a second.</summary>
    public const int MessagesPerSecond = 10;

    /// <summary>No such clients.</summary>
    public static SessionLoad None { get; } = new(0, 0);

    /// <summary>How many messages all of them send in a second.</summary>
    public double Rate => (double)MessagesPerSecond * (SharedSubscriptions + TakeOvers);

    /// <summary>When a client takes over, in the time of a run: one after the other, evenly spread.</summary>
    /// <param name="client">The client's number, from 0.</param>
    /// <param name="runNanoseconds">How long the run lasts.</param>
    public long TakeOverAt(int client, long runNanoseconds) =>
        (long)(runNanoseconds * (client + 1.0) / (TakeOvers + 1.0));

    /// <summary>Refuses a topology with such clients, where nobody simulates them.</summary>
    /// <exception cref="InputException">It has such clients.</exception>
    internal static void ThrowIfAny(Topology topology)
    {
        if (topology.Scenario.Sessions != None)
            throw new InputException(
                $"{topology.Name}: 'sessions' are not simulated; allowed: no such key, or 'cluster run'."
            );
    }
}
