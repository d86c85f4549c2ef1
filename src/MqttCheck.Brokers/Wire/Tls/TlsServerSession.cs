using System.Net.Security;

namespace MqttCheck.Brokers.Wire.Tls;

/// <summary>The server's side of a TLS handshake.</summary>
/// <param name="options">How.</param>
internal sealed class TlsServerSession(TlsServerOptions options)
    : TlsSession(isUnchecked: options.ClientRoots is null, name: "", "the client")
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
}
