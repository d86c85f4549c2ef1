using System.Globalization;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Tls;
using MQTTnet;

namespace MqttCheck.MqttNet.Client;

/// <summary>
/// The transport of an endpoint in the library's words: TCP, TLS and WebSocket, as the own wire has them.
/// </summary>
/// <param name="endpoint">The address and transport of the broker.</param>
internal sealed class MqttNetChannel(WireEndpoint endpoint)
{
    /// <summary>Why the broker's certificate was not trusted, or null.</summary>
    public string? Distrust { get; private set; }

    /// <summary>The library's options.</summary>
    public IMqttClientChannelOptions Options()
    {
        if (endpoint.WebSocket is null)
            return new MqttClientTcpOptions
            {
                RemoteEndpoint = endpoint.Address,
                AddressFamily = endpoint.Address.AddressFamily,
                TlsOptions = Security(),
            };
        var scheme = endpoint.Tls is null ? "ws" : "wss";
        return new MqttClientWebSocketOptions
        {
            Uri = string.Create(
                CultureInfo.InvariantCulture,
                $"{scheme}://{endpoint.Address}{endpoint.WebSocket.Path}"
            ),
            // The address tells where to connect. The host tells which server to ask for, and whose certificate is
            // expected.
            RequestHeaders = Host() is { } host ? new Dictionary<string, string> { ["Host"] = host } : null,
            // The options have no address, so that no proxy of the environment stands between client and broker.
            ProxyOptions = new MqttClientWebSocketProxyOptions(),
            TlsOptions = Security(),
        };
    }

    private string? Host() =>
        endpoint.WebSocket?.Host
        ?? (
            endpoint.Tls?.ServerName is { } name
                ? string.Create(CultureInfo.InvariantCulture, $"{name}:{endpoint.Address.Port}")
                : null
        );

    private MqttClientTlsOptions Security() =>
        endpoint.Tls is not { } tls
            ? new()
            : new()
            {
                UseTls = true,
                TargetHost = tls.ServerName ?? endpoint.Address.Address.ToString(),
                SslProtocol = tls.Versions,
                // As in the own wire, nothing is downloaded to judge a certificate.
                RevocationMode = X509RevocationMode.NoCheck,
                IgnoreCertificateRevocationErrors = true,
                TrustChain = tls.TrustedRoots,
                ClientCertificatesProvider = tls.Certificate is { } own
                    ? new DefaultMqttCertificatesProvider([own.TargetCertificate])
                    : null,
                CertificateValidationHandler = shown => IsTrusted(tls, shown),
            };

    private bool IsTrusted(TlsClientOptions tls, MqttClientCertificateValidationEventArgs shown)
    {
        if (tls.IsUnchecked)
            return true;
        var certificate = shown.Certificate as X509Certificate2;
        var (chain, errors) = (shown.Chain, shown.SslPolicyErrors);
        // Over WebSocket the library cannot set trusted roots, so the chain is built here.
        using var own =
            endpoint.WebSocket is not null && tls.TrustedRoots is not null
                ? new X509Chain { ChainPolicy = CertificateTrust.Policy(tls.TrustedRoots) }
                : null;
        if (own is not null && certificate is not null)
        {
            chain = own;
            errors = own.Build(certificate)
                ? errors & ~SslPolicyErrors.RemoteCertificateChainErrors
                : errors | SslPolicyErrors.RemoteCertificateChainErrors;
        }
        Distrust = CertificateTrust.Problem(
            certificate,
            chain,
            errors,
            tls.ServerName ?? endpoint.Address.Address.ToString(),
            "the broker"
        );
        return Distrust is null;
    }
}
