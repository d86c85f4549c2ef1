namespace MqttCheck.Brokers.Wire.WebSockets;

/// <summary>How a client speaks WebSocket.</summary>
public sealed record WebSocketClientOptions
{
    /// <summary>
    /// The path of the request, with its leading slash and any query. Default <c>/mqtt</c>, which most brokers use.
    /// </summary>
    public string Path { get; init; } = "/mqtt";

    /// <summary>The host of the request, with its port where that is not the usual one; null for the address.</summary>
    public string? Host { get; init; }
}
