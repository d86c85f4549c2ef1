namespace MqttCheck.Conformance.Generation;

/// <summary>The event that takes place when an interval passes.</summary>
internal enum IntervalKind : byte
{
    /// <summary>The broker ends a connection on which nothing is sent.</summary>
    KeepAlive,

    /// <summary>The session of a client without connection ends.</summary>
    SessionExpiry,

    /// <summary>The will of a connection that is lost is published.</summary>
    WillDelay,

    /// <summary>A message that waits for a client without connection expires.</summary>
    QueuedMessage,

    /// <summary>A retained message expires.</summary>
    RetainedMessage,
}
