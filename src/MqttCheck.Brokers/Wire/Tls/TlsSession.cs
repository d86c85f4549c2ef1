using System.Net.Security;

namespace MqttCheck.Brokers.Wire.Tls;

/// <summary>One side of a TLS handshake.</summary>
internal abstract class TlsSession
{
    /// <summary>Why the peer's certificate was not accepted, or null.</summary>
    public string? Distrust { get; protected set; }

    /// <summary>Makes the handshake.</summary>
    /// <param name="stream">Over the connection.</param>
    public abstract Task AuthenticateAsync(SslStream stream);
}
