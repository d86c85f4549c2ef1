using System.Buffers;
using System.IO.Pipelines;
using System.Security.Cryptography;
using Microsoft.AspNetCore.Connections;

namespace MqttCheck.Workers.Joining;

/// <summary>
/// The first bytes of each connection. Each side sends a nonce, and then the HMAC-SHA256 of both nonces under the
/// shared key. The sender's role is included, so that a proof cannot be reflected (challenge and response, ISO/IEC
/// 9798-4). A side that cannot prove that it knows the key gets nothing else. Without a key both prove the empty one.
/// </summary>
internal sealed class KeyHandshake(byte[] key)
{
    private const int NonceBytes = 32,
        ProofBytes = HMACSHA256.HashSizeInBytes;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);

    // The first bytes name the protocol, so that another protocol is not taken for a wrong key.
    private static ReadOnlySpan<byte> Magic => "MQTTCHECK/1 "u8;

    /// <summary>A step of a connection's set-up.</summary>
    /// <param name="isServer">Whether this side was called.</param>
    public Func<ConnectionDelegate, ConnectionDelegate> Step(bool isServer) =>
        next =>
            async connection =>
            {
                using var patience = new CancellationTokenSource(s_patience);
                var pipe = connection.Transport;
                if (await RefusalAsync(pipe.Input, pipe.Output, isServer, patience.Token) is not { } refusal)
                {
                    await next(connection);
                    return;
                }
                // The other side has to read this side's proof before the connection is cut, so that it knows the
                // reason.
                await pipe.Input.ReadAsync(patience.Token);
                throw new ConnectionAbortedException(refusal);
            };

    /// <summary>Exchanges proofs that both sides know the key.</summary>
    /// <returns>Why the connection is refused; null if it is not.</returns>
    public async Task<string?> RefusalAsync(
        PipeReader reader,
        PipeWriter writer,
        bool isServer,
        CancellationToken cancellation
    )
    {
        var own = RandomNumberGenerator.GetBytes(NonceBytes);
        try
        {
            await writer.WriteAsync((byte[])[.. Magic, .. own], cancellation);
            var hello = await ReceiveAsync(reader, Magic.Length + NonceBytes, cancellation);
            if (!hello.AsSpan(0, Magic.Length).SequenceEqual(Magic))
                return "it speaks another protocol, or TLS where this side does not";
            var other = hello[Magic.Length..];
            await writer.WriteAsync(Proof(isServer, own, other), cancellation);
            var shown = await ReceiveAsync(reader, ProofBytes, cancellation);
            return CryptographicOperations.FixedTimeEquals(shown, Proof(!isServer, own, other))
                ? null
                : $"the shared key does not fit; allowed: the same {WorkerSecurity.KeyVariable} on both sides";
        }
        catch (Exception failure)
            when (failure is IOException or OperationCanceledException or InvalidOperationException)
        {
            return "it closed the connection or kept silent: it speaks another protocol, TLS where this side does not, "
                + "or refuses this side";
        }
    }

    private byte[] Proof(bool ofServer, byte[] own, byte[] other)
    {
        // The nonces are sorted, so that their order is the same on both sides.
        var (first, second) = own.AsSpan().SequenceCompareTo(other) < 0 ? (own, other) : (other, own);
        byte[] message = [ofServer ? (byte)1 : (byte)0, .. first, .. second];
        return HMACSHA256.HashData(key, message);
    }

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
