namespace MqttCheck.Clusters.Events;

/// <summary>Which kind of fault an event tells of.</summary>
public enum FaultKind
{
    /// <summary>The event is not one of a fault.</summary>
    None,

    /// <summary>The node's process has ended; without a beginning, it joins.</summary>
    Kill,

    /// <summary>The node leaves in order. When its process starts again, the end of a kill says so.</summary>
    Stop,

    /// <summary>The node's process stands still.</summary>
    Freeze,

    /// <summary>The link takes no connections.</summary>
    Cut,

    /// <summary>Packets on the link wait.</summary>
    Stall,

    /// <summary>The link has another delay, rate or loss.</summary>
    Slow,
}
