using System.Net;
using System.Net.Security;

namespace MqttCheck.Brokers.Wire.Tls;

/// <summary>The client's side of a TLS handshake.</summary>
/// <param name="options">How.</param>
/// <param name="address">The address of the server.</param>
internal sealed class TlsClientSession(TlsClientOptions options, IPEndPoint address)
    : TlsSession(options.IsUnchecked, options.ServerName ?? address.Address.ToString(), "the broker")
{
    /// <inheritdoc/>
    public override Task AuthenticateAsync(SslStream stream) =>
        stream.AuthenticateAsClientAsync(
            new SslClientAuthenticationOptions
            {
                TargetHost = Name,
                EnabledSslProtocols = options.Versions,
                ClientCertificateContext = options.Certificate,
                CertificateChainPolicy = CertificateTrust.Policy(options.TrustedRoots),
                RemoteCertificateValidationCallback = IsTrusted,
                AllowTlsResume = false,
            }
        );
}
