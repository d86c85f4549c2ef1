namespace MqttCheck.Clusters.Topologies.Systems;

/// <summary>The transport between nodes: how it queues and acknowledges, and how fast a node is.</summary>
internal sealed record TransportSettings
{
    /// <summary>
    /// The design: <c>4.17</c>, <c>separate-acknowledgements</c>, <c>unbounded-queue</c> or <c>4.18</c>, the default.
    /// </summary>
    public string Design { get; init; } = "4.18";

    /// <summary>How many slots of its send queue a node works off in a second, in the mean. Default 2000.</summary>
    public double SendsPerSecond { get; init; } = 2000;

    /// <summary>How many messages a node works off its receive queue in a second. Default 1800.</summary>
    public double ReceivesPerSecond { get; init; } = 1800;

    /// <summary>The bound of the send queue, in slots. Default 200.</summary>
    public int SendQueue { get; init; } = 200;

    /// <summary>The bound of the receive queue where it has one, in messages. Default 200.</summary>
    public int ReceiveQueue { get; init; } = 200;

    /// <summary>The length of a peer's receive queue above which new messages wait. Default 400.</summary>
    public int Shed { get; init; } = 400;

    /// <summary>After how long an unacknowledged message is sent again, in milliseconds. Default 500.</summary>
    public double RetransmissionMilliseconds { get; init; } = 500;

    /// <summary>A time with another rate; null for none.</summary>
    public TransportBurst? Burst { get; init; }
}
