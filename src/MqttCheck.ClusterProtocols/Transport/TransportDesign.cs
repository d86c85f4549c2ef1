namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>
/// How the transport between the nodes of a cluster queues and acknowledges. The four designs are those of "HiveMQ Now
/// Delivers 80% Higher MQTT Throughput": version 4.17, version 4.18, and each of the two changes between them alone.
/// </summary>
/// <remarks>The article gives no rates, sizes or times; the defaults make the ratio of its capacities, 1.8.</remarks>
internal sealed record TransportDesign
{
    /// <summary>The name in files and tables.</summary>
    public required string Name { get; init; }

    /// <summary>
    /// Whether acknowledgements have a task of their own. Otherwise they take slots of the send queue, and the
    /// receiving task waits for one.
    /// </summary>
    public required bool SeparateAcknowledgements { get; init; }

    /// <summary>
    /// Whether the receive queue has no bound; its length then holds back senders above <see cref="ShedLength"/>.
    /// Otherwise a message that arrives at a full queue is dropped.
    /// </summary>
    public required bool UnboundedReceiveQueue { get; init; }

    /// <summary>How many slots of the send queue a node works off in a second, in the mean.</summary>
    public double SendsPerSecond { get; init; } = 2000;

    /// <summary>How many messages a node works off its receive queue in a second, in the mean.</summary>
    public double ReceivesPerSecond { get; init; } = 1800;

    /// <summary>The bound of the send queue, in slots.</summary>
    public int SendQueueCapacity { get; init; } = 200;

    /// <summary>The bound of the receive queue where it has one, in messages.</summary>
    public int ReceiveQueueCapacity { get; init; } = 200;

    /// <summary>The length of a peer's receive queue above which new messages wait, in messages.</summary>
    public int ShedLength { get; init; } = 400;

    /// <summary>After how long a message that is not acknowledged is sent again, in nanoseconds.</summary>
    public long RetransmissionNanoseconds { get; init; } = 500_000_000;

    /// <summary>The rule that is broken.</summary>
    public TransportMutant Mutant { get; init; }

    /// <summary>Version 4.17: acknowledgements share the send queue, and a full receive queue drops.</summary>
    public static TransportDesign Version417 { get; } =
        new()
        {
            Name = "4.17",
            SeparateAcknowledgements = false,
            UnboundedReceiveQueue = false,
        };

    /// <summary>Version 4.17 with acknowledgements in a task of their own.</summary>
    public static TransportDesign AcknowledgementsOnly { get; } =
        Version417 with
        {
            Name = "separate-acknowledgements",
            SeparateAcknowledgements = true,
        };

    /// <summary>Version 4.17 with a receive queue without bound.</summary>
    public static TransportDesign QueueOnly { get; } =
        Version417 with
        {
            Name = "unbounded-queue",
            UnboundedReceiveQueue = true,
        };

    /// <summary>Version 4.18: both changes.</summary>
    public static TransportDesign Version418 { get; } =
        QueueOnly with
        {
            Name = "4.18",
            SeparateAcknowledgements = true,
        };

    /// <summary>The four designs, from the old to the new.</summary>
    public static IReadOnlyList<TransportDesign> All { get; } =
    [Version417, AcknowledgementsOnly, QueueOnly, Version418];
}
