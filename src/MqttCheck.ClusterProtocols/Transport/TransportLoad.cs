namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>The publications of every node's clients. The receiving nodes are drawn with equal probability.</summary>
internal sealed record TransportLoad
{
    /// <summary>
    /// How many messages each node has under way: a client publishes its next one when the last is acknowledged. 0 for
    /// clients that publish whether or not they are acknowledged.
    /// </summary>
    public int Window { get; init; }

    /// <summary>Poisson rates of each node, in order of time; unused with a window.</summary>
    public IReadOnlyList<TransportRate> Rates { get; init; } = [];

    /// <summary>A closed loop.</summary>
    /// <param name="window">Messages that each node has under way, at least 1.</param>
    public static TransportLoad Closed(int window) => new() { Window = window };

    /// <summary>An open loop of one rate.</summary>
    /// <param name="perSecond">Publications of a node in a second, positive.</param>
    public static TransportLoad Open(double perSecond) => new() { Rates = [new TransportRate(0, perSecond)] };

    /// <summary>An open loop with a burst.</summary>
    /// <param name="perSecond">Publications of a node in a second, before and after the burst.</param>
    /// <param name="burstPerSecond">Publications of a node in a second during the burst.</param>
    /// <param name="fromSecond">When the burst begins.</param>
    /// <param name="untilSecond">When it ends.</param>
    public static TransportLoad Burst(double perSecond, double burstPerSecond, double fromSecond, double untilSecond) =>
        new()
        {
            Rates =
            [
                new TransportRate(0, perSecond),
                new TransportRate(fromSecond, burstPerSecond),
                new TransportRate(untilSecond, perSecond),
            ],
        };

    internal double PerSecondAt(double second) => Rates.Last(rate => rate.FromSecond <= second).PerSecond;
}
