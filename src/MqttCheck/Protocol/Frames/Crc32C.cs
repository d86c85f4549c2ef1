using System.Buffers.Binary;
using System.Numerics;

namespace MqttCheck.Protocol.Frames;

/// <summary>The checksum CRC-32C. It tells apart any two texts that differ in a run of 32 bits or less.</summary>
internal static class Crc32C
{
    /// <summary>The checksum of bytes that follow one another in several pieces.</summary>
    /// <param name="bytes">The next piece.</param>
    /// <param name="before">The checksum of the pieces before it; 0 without any.</param>
    public static uint Of(ReadOnlySpan<byte> bytes, uint before = 0)
    {
        var sum = ~before;
        for (; bytes.Length >= sizeof(ulong); bytes = bytes[sizeof(ulong)..])
            sum = BitOperations.Crc32C(sum, BinaryPrimitives.ReadUInt64LittleEndian(bytes));
        foreach (var value in bytes)
            sum = BitOperations.Crc32C(sum, value);
        return ~sum;
    }
}
