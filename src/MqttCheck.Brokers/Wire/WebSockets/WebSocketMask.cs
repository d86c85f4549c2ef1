using System.Buffers.Binary;
using System.Numerics;

namespace MqttCheck.Brokers.Wire.WebSockets;

/// <summary>The mask of client frames (RFC 6455, section 5.3).</summary>
internal static class WebSocketMask
{
    /// <summary>Masks or unmasks bytes in place.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <param name="mask">
    /// The four bytes of the mask, as they are on the wire, as a big-endian number; turned so that it fits the first of
    /// the bytes.
    /// </param>
    /// <returns>The mask turned so that it fits the byte that follows.</returns>
    public static uint Apply(Span<byte> bytes, uint mask)
    {
        var wide = ((ulong)mask << 32) | mask;
        while (bytes.Length >= sizeof(ulong))
        {
            BinaryPrimitives.WriteUInt64BigEndian(bytes, BinaryPrimitives.ReadUInt64BigEndian(bytes) ^ wide);
            bytes = bytes[sizeof(ulong)..];
        }
        foreach (ref var value in bytes)
        {
            value ^= (byte)(mask >> 24);
            mask = BitOperations.RotateLeft(mask, 8);
        }
        return mask;
    }
}
