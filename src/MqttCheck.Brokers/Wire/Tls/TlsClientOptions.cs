using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;

namespace MqttCheck.Brokers.Wire.Tls;

/// <summary>
/// The TLS settings of a client, and the roots that it trusts. Every connection makes a full handshake without session
/// resumption, because separate devices do not share sessions.
/// </summary>
public sealed record TlsClientOptions
{
    /// <summary>The name that the server's certificate has to carry, or null for the address.</summary>
    public string? ServerName { get; init; }

    /// <summary>The only certificates that are trusted as roots, or null for those of the system.</summary>
    public X509Certificate2Collection? TrustedRoots { get; init; }

    /// <summary>The client's own certificate with its key, or null.</summary>
    public SslStreamCertificateContext? Certificate { get; init; }

    /// <summary>Whether any certificate of the server is accepted. Default no.</summary>
    public bool IsUnchecked { get; init; }

    /// <summary>
    /// The versions offered; <see cref="SslProtocols.None"/>, the default, leaves it to the system: 1.2 and 1.3.
    /// </summary>
    public SslProtocols Versions { get; init; }
}
