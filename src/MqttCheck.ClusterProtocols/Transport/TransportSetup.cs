namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>The setup of a simulation: nodes that are all linked to each other, and their clients.</summary>
internal sealed record TransportSetup
{
    /// <summary>How the nodes queue and acknowledge.</summary>
    public required TransportDesign Design { get; init; }

    /// <summary>The publications of their clients.</summary>
    public required TransportLoad Load { get; init; }

    /// <summary>How many nodes there are, at least 2. Default 3, as in the article.</summary>
    public int Nodes { get; init; } = 3;

    /// <summary>How long a frame takes from node to node, in nanoseconds. Default .5 ms.</summary>
    public long HopNanoseconds { get; init; } = 500_000;

    /// <summary>How long clients publish, in nanoseconds. Default 30 s.</summary>
    public long DurationNanoseconds { get; init; } = 30_000_000_000;

    /// <summary>How long it runs after that, for what is under way, in nanoseconds. Default 0.</summary>
    public long RestNanoseconds { get; init; }

    /// <summary>When it ends, in nanoseconds.</summary>
    public long EndNanoseconds => DurationNanoseconds + RestNanoseconds;

    /// <summary>Messages that a node publishes to every other node, in order of time, beside the load.</summary>
    public IReadOnlyList<(long Nanoseconds, int Node)> Publications { get; init; } = [];

    /// <summary>
    /// When connections between two nodes are lost and made again at once, in order of time; what is under way between
    /// the two is lost. By default never.
    /// </summary>
    public IReadOnlyList<TransportReconnect> Reconnects { get; init; } = [];
}
