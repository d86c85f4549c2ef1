namespace MqttCheck.Brokers.Wire;

/// <summary>The life of a connection.</summary>
internal enum ConnectionState : byte
{
    /// <summary>Asked for, not yet made.</summary>
    Connecting,

    /// <summary>Bytes flow.</summary>
    Open,

    /// <summary>This side sends the queued bytes and then ends its side; received bytes are dropped.</summary>
    Closing,

    /// <summary>The connection is over, and its handler is told before the batch ends.</summary>
    Ended,
}
