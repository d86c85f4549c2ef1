using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;

namespace MqttCheck.Brokers.Wire.Tls;

/// <summary>How a server speaks TLS.</summary>
/// <param name="Certificate">Its certificate with its key.</param>
public sealed record TlsServerOptions(SslStreamCertificateContext Certificate)
{
    /// <summary>
    /// Clients have to show a certificate that leads to one of these; null, the default, asks for none.
    /// </summary>
    public X509Certificate2Collection? ClientRoots { get; init; }

    /// <summary>
    /// The versions accepted; <see cref="SslProtocols.None"/>, the default, leaves it to the system: 1.2 and 1.3.
    /// </summary>
    public SslProtocols Versions { get; init; }
}
