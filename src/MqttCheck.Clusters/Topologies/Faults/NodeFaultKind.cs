namespace MqttCheck.Clusters.Topologies.Faults;

/// <summary>The kinds of faults that a node can have.</summary>
public enum NodeFaultKind
{
    /// <summary>Its process is killed by SIGKILL, and started again when the fault ends.</summary>
    Kill,

    /// <summary>It is asked to end in order, and started again when the fault ends.</summary>
    Stop,

    /// <summary>Its process stands still (SIGSTOP) until the fault ends.</summary>
    Freeze,

    /// <summary>It is started at this time and not before.</summary>
    Join,
}
