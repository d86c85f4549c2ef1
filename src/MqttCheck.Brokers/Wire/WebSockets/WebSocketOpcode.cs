namespace MqttCheck.Brokers.Wire.WebSockets;

/// <summary>The kinds of frames (RFC 6455, section 5.2).</summary>
internal enum WebSocketOpcode : byte
{
    /// <summary>More of a message.</summary>
    Continuation = 0,

    /// <summary>The start of a text message, which MQTT does not use.</summary>
    Text = 1,

    /// <summary>The start of a binary message.</summary>
    Binary = 2,

    /// <summary>The end of the connection.</summary>
    Close = 8,

    /// <summary>Asks for a pong.</summary>
    Ping = 9,

    /// <summary>Answers a ping.</summary>
    Pong = 10,
}
