namespace MqttCheck.Clusters.Topologies.Faults;

/// <summary>The kinds of faults. Their names in small letters are the verbs of <see cref="FaultText"/>.</summary>
internal enum FaultKind
{
    /// <summary>No fault: that of an event which tells of none.</summary>
    None,

    /// <summary>A node's process is killed by SIGKILL, and started again when the fault ends.</summary>
    Kill,

    /// <summary>A node is asked to end in order, and started again when the fault ends.</summary>
    Stop,

    /// <summary>A node's process stands still (SIGSTOP) until the fault ends.</summary>
    Freeze,

    /// <summary>A node is started at this time and not before.</summary>
    Join,

    /// <summary>
    /// The connections of a link are reset, and new ones refused while it lasts. Without a duration they may be made
    /// again at once.
    /// </summary>
    Cut,

    /// <summary>
    /// The links between nodes of different sides stall: bytes wait, and none is lost when the partition heals. Links
    /// of a node that is in no side stay as they are. One direction may stall alone, and so may the connections of
    /// clients to a node.
    /// </summary>
    Partition,

    /// <summary>A link has another delay, rate or loss while it lasts.</summary>
    Slow,

    /// <summary>
    /// The power of a node's disk fails, and its process ends with it: what was not synchronised is gone. It is started
    /// again when the fault ends.
    /// </summary>
    Power,

    /// <summary>
    /// The disk of a node is full until the fault ends. A node that ended meanwhile is started again.
    /// </summary>
    Fill,

    /// <summary>The disk of a node takes ten writes a second until the fault ends.</summary>
    Throttle,

    /// <summary>Bits of files of a node that is down are turned over.</summary>
    Damage,

    /// <summary>A file of a node that is down is cut.</summary>
    Truncate,

    /// <summary>A node leaves its cluster for good, by the command of its system.</summary>
    Leave,

    /// <summary>Other faults, drawn in each run: they change every 5 to 15 s, and at the end all is healed.</summary>
    Mix,
}
