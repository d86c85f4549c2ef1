namespace MqttCheck.LiveClusters.Launching;

/// <summary>Whether the process of a node runs.</summary>
internal enum ClusterNodeState
{
    /// <summary>It runs.</summary>
    Running,

    /// <summary>It was stopped by SIGSTOP and keeps its connections.</summary>
    Frozen,

    /// <summary>It was killed or stopped on purpose.</summary>
    Down,

    /// <summary>It ended by itself.</summary>
    Failed,
}
