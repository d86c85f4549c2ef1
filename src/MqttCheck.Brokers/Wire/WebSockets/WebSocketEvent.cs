namespace MqttCheck.Brokers.Wire.WebSockets;

/// <summary>An event that the decoder reports.</summary>
internal enum WebSocketEvent : byte
{
    /// <summary>All bytes are taken; nothing is to be done.</summary>
    NeedsMore,

    /// <summary>A ping, to be answered with its payload.</summary>
    Ping,

    /// <summary>The peer ends the connection.</summary>
    Close,

    /// <summary>The peer has broken the protocol.</summary>
    Violation,
}
