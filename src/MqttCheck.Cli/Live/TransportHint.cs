using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Cli.Live;

/// <summary>
/// Whether a port that does not answer as asked speaks another transport: a broker listens for TLS on one port and
/// without on another, and the two are easily mistaken.
/// </summary>
internal static class TransportHint
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(2);

    /// <summary>Suggests another transport, in a sentence; null where nothing is found.</summary>
    /// <param name="broker">The broker at an address that was not understood.</param>
    public static async Task<string?> OfAsync(BrokerSpecification broker, CancellationToken cancellation)
    {
        var isTls = broker.Transport is BrokerTransport.Tls or BrokerTransport.SecureWebSocket;
        var speaksTls = await SpeaksTlsAsync(broker.Host, broker.Port, cancellation);
        return (isTls, speaksTls) switch
        {
            (false, true) => $"The port speaks TLS: use {Other(broker.Name)}.",
            (true, false) => $"The port does not speak TLS: use {Other(broker.Name)}, or the broker's port for TLS.",
            _ => null,
        };
    }

    // mqtt and mqtts, ws and wss.
    private static string Other(string address)
    {
        var (scheme, rest) = (
            address[..address.IndexOf(':', StringComparison.Ordinal)],
            address[address.IndexOf(':', StringComparison.Ordinal)..]
        );
        return (scheme.EndsWith('s') && scheme != "ws" ? scheme[..^1] : scheme + "s") + rest;
    }

    // Null where nobody listens.
    private static async Task<bool?> SpeaksTlsAsync(string host, int port, CancellationToken cancellation)
    {
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        patience.CancelAfter(s_patience);
        var hasCertificate = false;
        try
        {
            using var client = new TcpClient();
            await client.ConnectAsync(host, port, patience.Token);
            // The connection only shows whether the port presents a certificate; it is never used.
            await using var tls = new SslStream(client.GetStream());
            await tls.AuthenticateAsClientAsync(
                new SslClientAuthenticationOptions
                {
                    TargetHost = host,
                    RemoteCertificateValidationCallback = (_, certificate, _, _) =>
                    {
                        hasCertificate = certificate is not null;
                        return false;
                    },
                },
                patience.Token
            );
            return hasCertificate;
        }
        catch (Exception failure) when (failure is AuthenticationException or IOException)
        {
            return hasCertificate;
        }
        catch (OperationCanceledException) when (!cancellation.IsCancellationRequested)
        {
            return false;
        }
        catch (SocketException)
        {
            return null;
        }
    }
}
