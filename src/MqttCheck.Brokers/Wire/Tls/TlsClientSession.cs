using System.Net;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace MqttCheck.Brokers.Wire.Tls;

/// <summary>The client's side of a TLS handshake.</summary>
/// <param name="options">How.</param>
/// <param name="address">Where the server is.</param>
internal sealed class TlsClientSession(TlsClientOptions options, IPEndPoint address) : TlsSession
{
    private readonly string _name = options.ServerName ?? address.Address.ToString();

    /// <inheritdoc/>
    public override Task AuthenticateAsync(SslStream stream) =>
        stream.AuthenticateAsClientAsync(
            new SslClientAuthenticationOptions
            {
                TargetHost = _name,
                EnabledSslProtocols = options.Versions,
                ClientCertificateContext = options.Certificate,
                CertificateChainPolicy = CertificateTrust.Policy(options.TrustedRoots),
                RemoteCertificateValidationCallback = IsTrusted,
                AllowTlsResume = false,
            }
        );

    private bool IsTrusted(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        if (!options.IsUnchecked)
            Distrust = CertificateTrust.Problem(certificate as X509Certificate2, chain, errors, _name, "the broker");
        return Distrust is null;
    }
}
