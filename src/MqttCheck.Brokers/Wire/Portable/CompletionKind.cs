namespace MqttCheck.Brokers.Wire.Portable;

/// <summary>What has ended.</summary>
internal enum CompletionKind : byte
{
    /// <summary>Connecting.</summary>
    Connect,

    /// <summary>A read.</summary>
    Receive,

    /// <summary>Sending.</summary>
    Send,

    /// <summary>Accepting a connection.</summary>
    Accept,
}
