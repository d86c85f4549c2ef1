using System.Buffers.Binary;

namespace MqttCheck.Captures.Tests;

/// <summary>Writes numbers in either byte order.</summary>
internal sealed class ByteWriter(bool bigEndian)
{
    private readonly List<byte> _bytes = [];

    public ByteWriter UInt16(int value)
    {
        var bytes = new byte[2];
        if (bigEndian)
            BinaryPrimitives.WriteUInt16BigEndian(bytes, (ushort)value);
        else
            BinaryPrimitives.WriteUInt16LittleEndian(bytes, (ushort)value);
        return Raw(bytes);
    }

    public ByteWriter UInt32(long value)
    {
        var bytes = new byte[4];
        if (bigEndian)
            BinaryPrimitives.WriteUInt32BigEndian(bytes, (uint)value);
        else
            BinaryPrimitives.WriteUInt32LittleEndian(bytes, (uint)value);
        return Raw(bytes);
    }

    public ByteWriter Raw(ReadOnlySpan<byte> bytes)
    {
        _bytes.AddRange(bytes);
        return this;
    }

    public byte[] ToArray() => [.. _bytes];
}
