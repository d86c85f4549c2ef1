namespace MqttCheck.Brokers.Wire.Layers;

/// <summary>The life of a layer.</summary>
internal enum LayerStage : byte
{
    /// <summary>The connection below is not yet made.</summary>
    Connecting,

    /// <summary>The two sides negotiate.</summary>
    Handshake,

    /// <summary>Bytes flow.</summary>
    Open,

    /// <summary>This side sends the queued bytes and then ends; received bytes are dropped.</summary>
    Closing,

    /// <summary>The layer is over; the handler is told when the connection below has ended.</summary>
    Ended,
}
