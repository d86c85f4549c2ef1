using System.Net;
using MqttCheck.Brokers.Wire.Tls;
using MqttCheck.Brokers.Wire.WebSockets;

namespace MqttCheck.Brokers.Wire;

/// <summary>The address and transport of a connection.</summary>
/// <param name="Address">Resolved address and port.</param>
public sealed record WireEndpoint(IPEndPoint Address)
{
    /// <summary>How to speak TLS, or null for plain TCP, the default.</summary>
    public TlsClientOptions? Tls { get; init; }

    /// <summary>How to speak WebSocket, over TLS if there is any, or null for MQTT directly, the default.</summary>
    public WebSocketClientOptions? WebSocket { get; init; }

    /// <summary>How long connecting may take, handshakes included. Default 10 s.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(10);
}
