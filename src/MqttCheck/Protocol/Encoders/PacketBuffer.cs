using System.Buffers.Binary;

namespace MqttCheck.Protocol.Encoders;

/// <summary>
/// Writes the elements of a packet into a span, or only counts their bytes: one description of a packet serves for its
/// length and for its bytes.
/// </summary>
internal ref struct PacketBuffer
{
    private readonly Span<byte> _destination;
    private readonly bool _counting;

    private ReadOnlySpan<byte> _extraProperties;

    private PacketBuffer(Span<byte> destination, bool counting, ReadOnlySpan<byte> extraProperties)
    {
        _destination = destination;
        _counting = counting;
        _extraProperties = extraProperties;
    }

    /// <summary>Number of bytes written or counted so far.</summary>
    internal int Length { get; private set; }

    /// <summary>A buffer that only counts.</summary>
    /// <param name="extraProperties">
    /// Bytes to append to the first property section: how an illegal property gets into a packet.
    /// </param>
    internal static PacketBuffer Counting(ReadOnlySpan<byte> extraProperties = default) =>
        new(default, counting: true, extraProperties);

    /// <summary>A buffer that writes; the span must hold what is written.</summary>
    /// <param name="destination">Receives the bytes.</param>
    /// <param name="extraProperties">Bytes to append to the first property section.</param>
    internal static PacketBuffer Writing(Span<byte> destination, ReadOnlySpan<byte> extraProperties = default) =>
        new(destination, counting: false, extraProperties);

    /// <summary>True if the packet must have a property section, even an empty one.</summary>
    internal readonly bool HasExtraProperties => !_extraProperties.IsEmpty;

    /// <summary>The extra properties, once.</summary>
    internal ReadOnlySpan<byte> TakeExtraProperties()
    {
        var extra = _extraProperties;
        _extraProperties = default;
        return extra;
    }

    internal void Byte(int value)
    {
        if (!_counting)
            _destination[Length] = (byte)value;
        Length++;
    }

    internal void UInt16(int value)
    {
        if (!_counting)
            BinaryPrimitives.WriteUInt16BigEndian(_destination[Length..], (ushort)value);
        Length += 2;
    }

    internal void UInt32(uint value)
    {
        if (!_counting)
            BinaryPrimitives.WriteUInt32BigEndian(_destination[Length..], value);
        Length += 4;
    }

    internal void VariableByteInteger(uint value)
    {
        if (value > Protocol.VariableByteInteger.MaxValue)
            throw new ArgumentException(
                $"{value} exceeds {Protocol.VariableByteInteger.MaxValue}, the largest variable byte integer."
            );
        Length += _counting
            ? Protocol.VariableByteInteger.Length((int)value)
            : Protocol.VariableByteInteger.Write(_destination[Length..], (int)value);
    }

    internal void Raw(ReadOnlySpan<byte> bytes)
    {
        if (!_counting)
            bytes.CopyTo(_destination[Length..]);
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
        if (!_counting)
            System.Text.Encoding.UTF8.GetBytes(text, _destination[Length..]);
        Length = checked(Length + bytes);
    }

    private void LengthPrefix(int bytes)
    {
        if (bytes > ushort.MaxValue)
            throw new ArgumentException($"A field of {bytes} bytes does not fit its two-byte length.");
        UInt16(bytes);
    }
}
