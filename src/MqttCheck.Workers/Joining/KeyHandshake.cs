using System.Buffers;
using System.IO.Pipelines;
using System.Security.Cryptography;
using Microsoft.AspNetCore.Connections;

namespace MqttCheck.Workers.Joining;

/// <summary>
/// The first bytes of each connection: each side sends a nonce, and then the HMAC-SHA256 of both nonces under the
/// shared key, with the role of the sender so that a proof cannot be sent back (challenge and response, ISO/IEC
/// 9798-4). A side that cannot prove that it knows the key gets nothing else. Without a key both prove the empty one.
/// </summary>
internal sealed class KeyHandshake(byte[] key)
{
    private const int NonceBytes = 32,
        ProofBytes = HMACSHA256.HashSizeInBytes;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);

    // The first bytes name the protocol, so that another one is told from a wrong key.
    private static ReadOnlySpan<byte> Magic => "MQTTCHECK/1 "u8;

    /// <summary>Why the last connection was refused; null if none was.</summary>
    public string? Refusal { get; private set; }

    /// <summary>A step of a connection's set-up.</summary>
    /// <param name="isServer">Whether this side was called.</param>
    public Func<ConnectionDelegate, ConnectionDelegate> Step(bool isServer) =>
        next =>
            async connection =>
            {
                await ProveAsync(connection, isServer);
                await next(connection);
            };

    private async Task ProveAsync(ConnectionContext connection, bool isServer)
    {
        using var patience = new CancellationTokenSource(s_patience);
        var pipe = connection.Transport;
        var own = RandomNumberGenerator.GetBytes(NonceBytes);
        try
        {
            await SendAsync(pipe.Output, [.. Magic, .. own], patience.Token);
            var hello = await ReceiveAsync(pipe.Input, Magic.Length + NonceBytes, patience.Token);
            if (!hello.AsSpan(0, Magic.Length).SequenceEqual(Magic))
                throw new InvalidDataException("it speaks another protocol, or TLS where this side does not");
            var other = hello[Magic.Length..];
            await SendAsync(pipe.Output, Proof(isServer, own, other), patience.Token);
            var shown = await ReceiveAsync(pipe.Input, ProofBytes, patience.Token);
            if (!CryptographicOperations.FixedTimeEquals(shown, Proof(!isServer, own, other)))
                throw new InvalidDataException(
                    $"the shared key does not fit; allowed: the same {WorkerSecurity.KeyVariable} on both sides"
                );
            Refusal = null;
        }
        catch (Exception failure)
        {
            var isSilent = failure is OperationCanceledException or EndOfStreamException;
            Refusal = isSilent
                ? "it closed the connection or kept silent: it speaks another protocol, or TLS where this side does not"
                : failure.Message;
            connection.Abort(new ConnectionAbortedException(Refusal));
            throw;
        }
    }

    private byte[] Proof(bool ofServer, byte[] own, byte[] other)
    {
        // Sorted, the order of the nonces is the same on both sides whoever called.
        var (first, second) = own.AsSpan().SequenceCompareTo(other) < 0 ? (own, other) : (other, own);
        byte[] message = [ofServer ? (byte)1 : (byte)0, .. first, .. second];
        return HMACSHA256.HashData(key, message);
    }

    private static async Task SendAsync(PipeWriter writer, byte[] bytes, CancellationToken cancellation) =>
        await writer.WriteAsync(bytes, cancellation);

    private static async Task<byte[]> ReceiveAsync(PipeReader reader, int count, CancellationToken cancellation)
    {
        var read = await reader.ReadAtLeastAsync(count, cancellation);
        if (read.Buffer.Length < count)
            throw new EndOfStreamException("the connection was closed");
        var bytes = read.Buffer.Slice(0, count).ToArray();
        reader.AdvanceTo(read.Buffer.GetPosition(count));
        return bytes;
    }
}
