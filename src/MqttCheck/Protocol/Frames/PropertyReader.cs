using System.Buffers.Binary;
using System.Text.Unicode;
using MqttCheck.Protocol.Decoders;

namespace MqttCheck.Protocol.Frames;

/// <summary>
/// Walks over the properties of an MQTT 5 packet in place. It checks that each value lies within the section, not what
/// the value is: <see cref="PacketDecoder"/> and <see cref="PublishView"/> do.
/// </summary>
public ref struct PropertyReader
{
    private readonly ReadOnlySpan<byte> _properties;
    private int _next;

    /// <summary>A reader before the first property.</summary>
    /// <param name="properties">The properties without their leading length.</param>
    public PropertyReader(ReadOnlySpan<byte> properties) => _properties = properties;

    /// <summary>The identifier of the current property.</summary>
    public PropertyId Id { get; private set; }

    /// <summary>Offset of the current property from the first property byte.</summary>
    public int Offset { get; private set; }

    /// <summary>The value of a property that is a number.</summary>
    public uint Number { get; private set; }

    /// <summary>The value of a string or binary property; the name of a pair.</summary>
    public ReadOnlySpan<byte> Data { get; private set; }

    /// <summary>The value of a pair.</summary>
    public ReadOnlySpan<byte> PairValue { get; private set; }

    /// <summary>
    /// True once a property is unknown or reaches beyond the end of the section; <see cref="Offset"/> says where.
    /// </summary>
    public bool IsMalformed { get; private set; }

    /// <summary>Goes to the next property; false at the end or when the rest is malformed.</summary>
    public bool MoveNext()
    {
        if (_next >= _properties.Length || IsMalformed)
            return false;
        Offset = _next;
        Id = (PropertyId)_properties[_next++];
        var rest = _properties[_next..];
        switch (PropertyTable.KindOf(Id))
        {
            case PropertyDataType.OneByte when rest.Length >= 1:
                Number = rest[0];
                _next += 1;
                return true;
            case PropertyDataType.TwoBytes when rest.Length >= 2:
                Number = BinaryPrimitives.ReadUInt16BigEndian(rest);
                _next += 2;
                return true;
            case PropertyDataType.FourBytes when rest.Length >= 4:
                Number = BinaryPrimitives.ReadUInt32BigEndian(rest);
                _next += 4;
                return true;
            case PropertyDataType.VariableByteInteger
                when VariableByteInteger.Read(rest, out var value) is > 0 and var length:
                // A longer form than necessary is malformed (MQTT-1.5.5-1).
                if (length != VariableByteInteger.Length(value))
                    break;
                Number = (uint)value;
                _next += length;
                return true;
            case PropertyDataType.Text or PropertyDataType.Binary when TryReadData(out var data):
                Data = data;
                return true;
            case PropertyDataType.Pair when TryReadData(out var name) && TryReadData(out var pairValue):
                Data = name;
                PairValue = pairValue;
                return true;
        }
        IsMalformed = true;
        return false;
    }

    /// <summary>Whether bytes are well-formed UTF-8 without U+0000.</summary>
    internal static bool IsText(ReadOnlySpan<byte> utf8) => Utf8.IsValid(utf8) && !utf8.Contains((byte)0);

    private bool TryReadData(out ReadOnlySpan<byte> data)
    {
        data = default;
        var rest = _properties[_next..];
        if (rest.Length < 2)
            return false;
        var length = BinaryPrimitives.ReadUInt16BigEndian(rest);
        if (rest.Length - 2 < length)
            return false;
        data = rest.Slice(2, length);
        _next += 2 + length;
        return true;
    }
}
