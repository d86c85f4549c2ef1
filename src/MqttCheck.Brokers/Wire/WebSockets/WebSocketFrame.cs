using System.Buffers.Binary;

namespace MqttCheck.Brokers.Wire.WebSockets;

/// <summary>Writes the head of a frame.</summary>
internal static class WebSocketFrame
{
    /// <summary>The longest head.</summary>
    public const int MaximumHead = 14;

    /// <summary>Writes the head of a frame that is a message of its own.</summary>
    /// <param name="target">At least <see cref="MaximumHead"/> bytes.</param>
    /// <param name="opcode">Its kind.</param>
    /// <param name="length">The length of the payload.</param>
    /// <param name="mask">The mask, or null for none.</param>
    /// <returns>How many bytes were written.</returns>
    public static int WriteHead(Span<byte> target, WebSocketOpcode opcode, int length, uint? mask)
    {
        target[0] = (byte)(0x80 | (byte)opcode);
        var maskBit = mask is null ? 0 : 0x80;
        int count;
        if (length <= 125)
        {
            target[1] = (byte)(maskBit | length);
            count = 2;
        }
        else if (length <= ushort.MaxValue)
        {
            target[1] = (byte)(maskBit | 126);
            BinaryPrimitives.WriteUInt16BigEndian(target[2..], (ushort)length);
            count = 4;
        }
        else
        {
            target[1] = (byte)(maskBit | 127);
            BinaryPrimitives.WriteUInt64BigEndian(target[2..], (ulong)length);
            count = 10;
        }
        if (mask is not { } value)
            return count;
        BinaryPrimitives.WriteUInt32BigEndian(target[count..], value);
        return count + sizeof(uint);
    }
}
