namespace MqttCheck.Protocol.Frames;

/// <summary>
/// The extent of a packet in a receive buffer: what splits a byte stream into packets without copying it.
/// </summary>
/// <param name="FirstByte">The first byte: type and flags.</param>
/// <param name="HeaderLength">Bytes of the fixed header, 2..5.</param>
/// <param name="TotalLength">Bytes of the whole packet.</param>
internal readonly record struct PacketFrame(byte FirstByte, int HeaderLength, int TotalLength)
{
    /// <summary>The packet type; <see cref="PacketType.Reserved"/> is for the decoder to reject.</summary>
    public PacketType Type => (PacketType)(FirstByte >> 4);

    /// <summary>Looks at the front of a buffer.</summary>
    /// <param name="buffer">The bytes received and not yet consumed.</param>
    /// <param name="maximumPacketBytes">The largest whole packet accepted.</param>
    /// <param name="frame">
    /// The extent of the packet, as soon as the fixed header is complete (also with <see cref="FrameStatus.NeedMore"/>
    /// and <see cref="FrameStatus.TooLarge"/>); default before that.
    /// </param>
    public static FrameStatus TryRead(ReadOnlySpan<byte> buffer, int maximumPacketBytes, out PacketFrame frame)
    {
        frame = default;
        if (buffer.Length < 2)
            return FrameStatus.NeedMore;
        var lengthBytes = VariableByteInteger.Read(buffer[1..], out var remaining);
        if (lengthBytes <= 0)
            return lengthBytes == 0 ? FrameStatus.NeedMore : FrameStatus.Malformed;
        frame = new PacketFrame(buffer[0], 1 + lengthBytes, 1 + lengthBytes + remaining);
        if (frame.TotalLength > maximumPacketBytes)
            return FrameStatus.TooLarge;
        return buffer.Length >= frame.TotalLength ? FrameStatus.Complete : FrameStatus.NeedMore;
    }
}
