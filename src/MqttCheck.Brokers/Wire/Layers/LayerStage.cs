namespace MqttCheck.Brokers.Wire.Layers;

/// <summary>The life of a layer.</summary>
internal enum LayerStage : byte
{
    /// <summary>The connection below is not yet made.</summary>
    Connecting,

    /// <summary>Both sides agree on how to go on.</summary>
    Handshake,

    /// <summary>Bytes flow.</summary>
    Open,

    /// <summary>This side sends what is queued and then ends; what arrives is dropped.</summary>
    Closing,

    /// <summary>Over; the handler is told when the connection below has ended.</summary>
    Ended,
}
