using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace MqttCheck.Brokers.Wire.Tls;

/// <summary>The server's side of a TLS handshake.</summary>
/// <param name="options">How.</param>
internal sealed class TlsServerSession(TlsServerOptions options) : TlsSession
{
    /// <inheritdoc/>
    public override Task AuthenticateAsync(SslStream stream) =>
        stream.AuthenticateAsServerAsync(
            new SslServerAuthenticationOptions
            {
                ServerCertificateContext = options.Certificate,
                EnabledSslProtocols = options.Versions,
                ClientCertificateRequired = options.ClientRoots is not null,
                CertificateChainPolicy = options.ClientRoots is null
                    ? null
                    : CertificateTrust.Policy(options.ClientRoots),
                RemoteCertificateValidationCallback = IsTrusted,
            }
        );

    private bool IsTrusted(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        if (options.ClientRoots is not null)
            Distrust = CertificateTrust.Problem(certificate as X509Certificate2, chain, errors, name: "", "the client");
        return Distrust is null;
    }
}
