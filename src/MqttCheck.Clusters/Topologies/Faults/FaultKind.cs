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
    /// of a node that is in no side stay as they are.
    /// </summary>
    Partition,

    /// <summary>A link has another delay, rate or loss while it lasts.</summary>
    Slow,
}
