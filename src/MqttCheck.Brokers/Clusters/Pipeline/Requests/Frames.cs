using System.Buffers.Binary;
using System.Net.Sockets;

namespace MqttCheck.Brokers.Clusters.Pipeline.Requests;

/// <summary>Frames on a stream: their length in four bytes, then their content.</summary>
internal static class Frames
{
    /// <summary>How much is read from a stream at a time.</summary>
    public const int BufferBytes = 64 << 10;

    private const int Longest = 1 << 28;

    /// <summary>The next frame; null where the stream ends.</summary>
    public static async Task<byte[]?> ReadAsync(Stream stream, CancellationToken cancellation)
    {
        try
        {
            var head = new byte[4];
            await stream.ReadExactlyAsync(head, cancellation);
            var length = BinaryPrimitives.ReadInt32BigEndian(head);
            if (length is <= 0 or > Longest)
                return null;
            var content = new byte[length];
            await stream.ReadExactlyAsync(content, cancellation);
            return content;
        }
        catch (Exception end) when (end is IOException or SocketException or ObjectDisposedException)
        {
            return null;
        }
    }

    /// <summary>A content with its length before it.</summary>
    public static byte[] Of(ReadOnlySpan<byte> content)
    {
        var frame = new byte[4 + content.Length];
        BinaryPrimitives.WriteInt32BigEndian(frame, content.Length);
        content.CopyTo(frame.AsSpan(4));
        return frame;
    }
}
