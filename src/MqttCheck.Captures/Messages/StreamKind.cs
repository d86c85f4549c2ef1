namespace MqttCheck.Captures.Messages;

/// <summary>The protocol of a TCP connection.</summary>
internal enum StreamKind
{
    /// <summary>Not known yet.</summary>
    Unknown,

    /// <summary>MQTT.</summary>
    Plain,

    /// <summary>MQTT over WebSocket.</summary>
    WebSocket,

    /// <summary>Something over TLS.</summary>
    Tls,

    /// <summary>Neither.</summary>
    Other,
}
