using MqttCheck.Clusters.Topologies.Faults;

namespace MqttCheck.Clusters.Events;

/// <summary>
/// One event of a cluster, from the simulator, from clients, from relays or from the notes of nodes. Monitors judge a
/// stream of these in order of time, and do not know where it came from.
/// </summary>
internal readonly record struct ClusterEvent
{
    /// <summary>When, in nanoseconds on one clock for the whole cluster.</summary>
    public required long Nanoseconds { get; init; }

    /// <summary>What.</summary>
    public required ClusterEventKind Kind { get; init; }

    /// <summary>The index of the node in the topology.</summary>
    public required int Node { get; init; }

    /// <summary>The index of the other node, or of the node that is named; -1 for none.</summary>
    public int Peer { get; init; } = -1;

    /// <summary>The index of the client among all clients of the run; -1 for none.</summary>
    public int Client { get; init; } = -1;

    /// <summary>
    /// The number of the message, unique in the run; -1 for none. A delivery without one is of something that nobody
    /// published.
    /// </summary>
    public long Message { get; init; } = -1;

    /// <summary>The topic or filter, or empty; of a fault in a live run its text.</summary>
    public string Topic { get; init; } = "";

    /// <summary>The quality of service of the message or the subscription.</summary>
    public int Qos { get; init; }

    /// <summary>The size of what passed a link, in bytes; otherwise 0.</summary>
    public int Bytes { get; init; }

    /// <summary>
    /// The path cost of a new parent in nanoseconds, the number of a new role, or that of the reason of a drop. Of a
    /// message that was published or delivered it is the <see cref="Protocol.Frames.PayloadPrint"/>; 0 if not known.
    /// </summary>
    public long Value { get; init; }

    /// <summary>The kind of a fault that began or ended; of other events none.</summary>
    public FaultKind Fault { get; init; }

    /// <summary>
    /// Whether a fault begins that ends the node's process, and with it what its clients' sessions knew.
    /// </summary>
    internal bool EndsProcess => Kind == ClusterEventKind.FaultBegan && Fault.EndsProcess();

    /// <summary>Whether a message was published, or delivered, with the flag RETAIN.</summary>
    public bool IsRetained { get; init; }

    /// <summary>Whether a message was delivered with the flag DUP.</summary>
    public bool IsRepeat { get; init; }

    /// <summary>
    /// Whether it is one of clients that share subscriptions or take over, which only the monitors of sessions judge.
    /// </summary>
    public bool IsOfSessions { get; init; }

    /// <summary>An event without a peer, a client or a message.</summary>
    public ClusterEvent() { }
}
