using System.Net;
using MqttCheck.Brokers.Wire.Tls;
using MqttCheck.Brokers.Wire.WebSockets;

namespace MqttCheck.Brokers.Wire;

/// <summary>The address and transport at which connections are served.</summary>
/// <param name="Address">Address and port; port 0 takes a free one.</param>
public sealed record WireListener(IPEndPoint Address)
{
    /// <summary>How to speak TLS, or null for plain TCP, the default.</summary>
    public TlsServerOptions? Tls { get; init; }

    /// <summary>How to speak WebSocket, over TLS if there is any, or null for MQTT directly, the default.</summary>
    public WebSocketServerOptions? WebSocket { get; init; }

    /// <summary>How long the handshakes of a client may take. Default 10 s.</summary>
    public TimeSpan HandshakeTimeout { get; init; } = TimeSpan.FromSeconds(10);
}
