using System.Buffers.Binary;

namespace MqttCheck.LiveClusters.Nodes.Pipeline.Requests;

/// <summary>
/// Frames on a stream: their length in four bytes, then their content, which begins with the number of a request.
/// </summary>
internal static class Frames
{
    /// <summary>The bytes before the content.</summary>
    public const int HeadBytes = 4;

    private const int Longest = 1 << 28;

    /// <summary>Finds the first frame among the received bytes.</summary>
    /// <param name="bytes">The received bytes.</param>
    /// <param name="content">Its content; empty while it is not whole.</param>
    /// <returns>False if the bytes do not begin with a frame.</returns>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out ReadOnlySpan<byte> content)
    {
        content = default;
        if (bytes.Length < HeadBytes)
            return true;
        var length = BinaryPrimitives.ReadInt32BigEndian(bytes);
        if (length is < sizeof(long) or > Longest)
            return false;
        if (bytes.Length - HeadBytes >= length)
            content = bytes.Slice(HeadBytes, length);
        return true;
    }

    /// <summary>A content with its length before it.</summary>
    public static byte[] Of(ReadOnlySpan<byte> content)
    {
        var frame = new byte[HeadBytes + content.Length];
        BinaryPrimitives.WriteInt32BigEndian(frame, content.Length);
        content.CopyTo(frame.AsSpan(HeadBytes));
        return frame;
    }

    /// <summary>A frame with a number and the content that follows it.</summary>
    public static byte[] Of(long number, ReadOnlySpan<byte> content)
    {
        var frame = new byte[HeadBytes + sizeof(long) + content.Length];
        BinaryPrimitives.WriteInt32BigEndian(frame, sizeof(long) + content.Length);
        BinaryPrimitives.WriteInt64BigEndian(frame.AsSpan(HeadBytes), number);
        content.CopyTo(frame.AsSpan(HeadBytes + sizeof(long)));
        return frame;
    }
}
