using System.Diagnostics;
using System.IO.Pipelines;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using StackExchange.Redis;

namespace MqttCheck.Workers.Joining;

/// <summary>
/// Finds out whether a worker can be reached, and the reason if not. It connects, and both sides prove that they know
/// the key. Orleans retries instead, and does not report the reason.
/// </summary>
internal static class WorkerProbe
{
    /// <summary>The refusal for an address without a listener, where the worker may still be starting.</summary>
    public const string NobodyAnswers = "no worker answers there";

    /// <summary>Says that Redis does not serve; the advice of its library is for programmers.</summary>
    /// <param name="address">The address given.</param>
    /// <param name="cause">The failure of the library.</param>
    public static string NoRedis(WorkerAddress address, RedisException cause) =>
        $"Redis at {address.Text} does not serve: "
        + (cause is RedisConnectionException ? "nothing answers there as Redis does" : cause.Message)
        + "; allowed: redis://HOST:PORT of a Redis server that runs";

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5),
        s_start = TimeSpan.FromSeconds(10),
        s_pause = TimeSpan.FromMilliseconds(100);

    /// <summary>Connects and disconnects; a worker that has just been started gets ten seconds to answer.</summary>
    /// <returns>Why the worker cannot be used; null if it can.</returns>
    public static async Task<string?> PatientRefusalAsync(
        IPEndPoint endpoint,
        WorkerSecurity security,
        CancellationToken cancellation
    )
    {
        var started = Stopwatch.GetTimestamp();
        while (true)
        {
            var refusal = await RefusalAsync(endpoint, security, cancellation);
            if (refusal != NobodyAnswers || Stopwatch.GetElapsedTime(started) > s_start)
                return refusal;
            await Task.Delay(s_pause, cancellation);
        }
    }

    /// <summary>Connects and disconnects.</summary>
    /// <returns>Why the worker cannot be used; null if it can.</returns>
    public static async Task<string?> RefusalAsync(
        IPEndPoint endpoint,
        WorkerSecurity security,
        CancellationToken cancellation
    )
    {
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        patience.CancelAfter(s_patience);
        try
        {
            using var socket = new Socket(endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            await socket.ConnectAsync(endpoint, patience.Token);
            await using var stream = new NetworkStream(socket);
            if (security.Certificate is null)
                return await RefusalAsync(stream, security, patience.Token);
            await using var tls = new SslStream(stream);
            await tls.AuthenticateAsClientAsync(
                new SslClientAuthenticationOptions
                {
                    TargetHost = Cluster.ServerName,
                    ClientCertificates = [security.Certificate],
                    RemoteCertificateValidationCallback = (_, certificate, _, _) => security.Trusts(certificate),
                },
                patience.Token
            );
            return await RefusalAsync(tls, security, patience.Token);
        }
        catch (SocketException)
        {
            return NobodyAnswers;
        }
        catch (Exception failure) when (failure is AuthenticationException or IOException)
        {
            return "it speaks no TLS, or its certificate is not in the file given with --certificate";
        }
        catch (OperationCanceledException) when (!cancellation.IsCancellationRequested)
        {
            return "what answers there is no worker, or it is frozen";
        }
    }

    private static Task<string?> RefusalAsync(Stream stream, WorkerSecurity security, CancellationToken cancellation) =>
        new KeyHandshake(security.Key).RefusalAsync(
            PipeReader.Create(stream),
            PipeWriter.Create(stream),
            isServer: false,
            cancellation
        );
}
