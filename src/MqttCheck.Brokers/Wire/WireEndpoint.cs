using System.Net;

namespace MqttCheck.Brokers.Wire;

/// <summary>Where a connection goes.</summary>
/// <param name="Address">Resolved address and port.</param>
public sealed record WireEndpoint(IPEndPoint Address)
{
    /// <summary>How long connecting may take, handshakes included. Default 10 s.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(10);
}
