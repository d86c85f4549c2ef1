namespace MqttCheck.Brokers.Wire.WebSockets;

/// <summary>How a server speaks WebSocket.</summary>
public sealed record WebSocketServerOptions
{
    /// <summary>The only path that is served, or null for any, the default.</summary>
    public string? Path { get; init; }
}
