namespace MqttCheck.Brokers.Wire;

/// <summary>The life of a connection.</summary>
internal enum ConnectionState : byte
{
    /// <summary>Asked for, not yet made.</summary>
    Connecting,

    /// <summary>Bytes flow.</summary>
    Open,

    /// <summary>This side sends what is queued and then ends its side; what arrives is dropped.</summary>
    Closing,

    /// <summary>Over; its handler has been, or will be, told before the batch ends.</summary>
    Ended,
}
