using System.Buffers.Binary;

namespace MqttCheck.Protocol;

/// <summary>
/// Writes the elements of a packet into a span, or only counts their bytes: one description of a packet serves for its length and for its bytes.
/// </summary>
internal ref struct PacketBuffer
{
    private readonly Span<byte> _destination;
    private readonly bool _counting;

    private PacketBuffer(Span<byte> destination, bool counting)
    {
        _destination = destination;
        _counting = counting;
    }

    /// <summary>Number of bytes written or counted so far.</summary>
    internal int Length { get; private set; }

    /// <summary>A buffer that only counts.</summary>
    internal static PacketBuffer Counting() => new(default, counting: true);

    /// <summary>A buffer that writes; the span must hold what is written.</summary>
    internal static PacketBuffer Writing(Span<byte> destination) => new(destination, counting: false);

    internal void Byte(int value)
    {
        if (!_counting) _destination[Length] = (byte)value;
        Length++;
    }

    internal void UInt16(int value)
    {
        if (!_counting) BinaryPrimitives.WriteUInt16BigEndian(_destination[Length..], (ushort)value);
        Length += 2;
    }

    internal void UInt32(uint value)
    {
        if (!_counting) BinaryPrimitives.WriteUInt32BigEndian(_destination[Length..], value);
        Length += 4;
    }

    internal void VariableByteInteger(uint value)
    {
        if (value > Protocol.VariableByteInteger.MaxValue)
            throw new ArgumentException($"{value} exceeds {Protocol.VariableByteInteger.MaxValue}, the largest variable byte integer.");
        Length += _counting ? Protocol.VariableByteInteger.Length((int)value) : Protocol.VariableByteInteger.Write(_destination[Length..], (int)value);
    }

    internal void Raw(ReadOnlySpan<byte> bytes)
    {
        if (!_counting) bytes.CopyTo(_destination[Length..]);
        Length = checked(Length + bytes.Length);
    }

    internal void Binary(ReadOnlySpan<byte> bytes)
    {
        LengthPrefix(bytes.Length);
        Raw(bytes);
    }

    internal void Text(string text)
    {
        var bytes = System.Text.Encoding.UTF8.GetByteCount(text);
        LengthPrefix(bytes);
        if (!_counting) System.Text.Encoding.UTF8.GetBytes(text, _destination[Length..]);
        Length = checked(Length + bytes);
    }

    private void LengthPrefix(int bytes)
    {
        if (bytes > ushort.MaxValue) throw new ArgumentException($"A field of {bytes} bytes does not fit its two-byte length.");
        UInt16(bytes);
    }
}
