using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace MqttCheck.Cli.Tests;

/// <summary>The servers that docs/evidence/bad-input.md names by what they do, on free loopback ports.</summary>
internal sealed class BadInputServers : IDisposable
{
    private readonly CancellationTokenSource _end = new();
    private readonly List<TcpListener> _listeners = [];
    private readonly X509Certificate2 _certificate = Certificate();

    public BadInputServers()
    {
        var free = new TcpListener(IPAddress.Loopback, 0);
        free.Start();
        var closed = ((IPEndPoint)free.LocalEndpoint).Port;
        free.Stop();
        Ports = new Dictionary<string, int>
        {
            ["closed"] = closed,
            ["silent"] = Serve(stream => Task.Delay(Timeout.Infinite, _end.Token)),
            ["closing"] = Serve(stream => Task.CompletedTask),
            ["http"] = Serve(stream => WriteAsync(stream, "HTTP/1.1 400 Bad Request\r\n\r\n"u8.ToArray())),
            // A packet type that is none, and no length that ends.
            ["garbage"] = Serve(stream => WriteAsync(stream, [0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x17, 0x99])),
            ["refusing"] = Serve(stream => WriteAsync(stream, [0x20, 2, 0, 5])),
            ["plain"] = Serve(async stream =>
            {
                await WriteAsync(stream, [0x20, 2, 0, 0]);
                await Task.Delay(Timeout.Infinite, _end.Token);
            }),
            ["tls"] = Serve(SecureAsync, readsFirst: false),
        };
    }

    public IReadOnlyDictionary<string, int> Ports { get; }

    public void Dispose()
    {
        _end.Cancel();
        foreach (var listener in _listeners)
            listener.Dispose();
        _certificate.Dispose();
        _end.Dispose();
    }

    private int Serve(Func<NetworkStream, Task> answer, bool readsFirst = true)
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        _listeners.Add(listener);
        _ = AcceptAsync(listener, answer, readsFirst);
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private async Task AcceptAsync(TcpListener listener, Func<NetworkStream, Task> answer, bool readsFirst)
    {
        while (!_end.IsCancellationRequested)
        {
            TcpClient client;
            try
            {
                client = await listener.AcceptTcpClientAsync(_end.Token);
            }
            catch (Exception ended)
                when (ended is OperationCanceledException or SocketException or ObjectDisposedException)
            {
                return;
            }
            _ = AnswerAsync(client, answer, readsFirst);
        }
    }

    private async Task AnswerAsync(TcpClient client, Func<NetworkStream, Task> answer, bool readsFirst)
    {
        using (client)
        {
            try
            {
                var stream = client.GetStream();
                if (readsFirst)
                    _ = await stream.ReadAsync(new byte[1000], _end.Token);
                await answer(stream);
            }
            catch (Exception failure)
                when (failure
                        is IOException
                            or OperationCanceledException
                            or System.Security.Authentication.AuthenticationException
                )
            {
                // The client went away, or does not speak TLS: both are what the test is about.
            }
        }
    }

    private async Task WriteAsync(NetworkStream stream, byte[] bytes) => await stream.WriteAsync(bytes, _end.Token);

    private async Task SecureAsync(NetworkStream stream)
    {
        await using var tls = new SslStream(stream);
        await tls.AuthenticateAsServerAsync(
            new SslServerAuthenticationOptions { ServerCertificate = _certificate },
            _end.Token
        );
        _ = await tls.ReadAsync(new byte[100], _end.Token);
    }

    private static X509Certificate2 Certificate()
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        using var own = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        // A key that lives in memory alone does not serve everywhere.
        return X509CertificateLoader.LoadPkcs12(own.Export(X509ContentType.Pkcs12), null);
    }
}
