namespace MqttCheck.Brokers.Processes;

/// <summary>The transport that carries MQTT.</summary>
internal enum BrokerTransport : byte
{
    /// <summary>TCP.</summary>
    Tcp,

    /// <summary>TLS.</summary>
    Tls,

    /// <summary>WebSocket over TCP.</summary>
    WebSocket,

    /// <summary>WebSocket over TLS.</summary>
    SecureWebSocket,
}
