using Google.Protobuf;

namespace MqttCheck.Telemetry.Tests;

/// <summary>A message of protobuf without its schema: fields by their numbers.</summary>
internal sealed class ProtobufMessage
{
    private readonly List<(int Field, ByteString? Bytes, ulong Number)> _fields = [];

    private ProtobufMessage() { }

    /// <summary>Reads a message.</summary>
    public static ProtobufMessage Parse(byte[] bytes)
    {
        var message = new ProtobufMessage();
        using var input = new CodedInputStream(bytes);
        while (input.ReadTag() is var tag and not 0)
        {
            var field = WireFormat.GetTagFieldNumber(tag);
            message._fields.Add(
                WireFormat.GetTagWireType(tag) switch
                {
                    WireFormat.WireType.LengthDelimited => (field, input.ReadBytes(), 0),
                    WireFormat.WireType.Fixed64 => (field, null, input.ReadFixed64()),
                    WireFormat.WireType.Fixed32 => (field, null, input.ReadFixed32()),
                    WireFormat.WireType.Varint => (field, null, input.ReadUInt64()),
                    var other => throw new InvalidDataException($"field {field} is of type {other}"),
                }
            );
        }
        return message;
    }

    /// <summary>The messages in a field, or in fields of fields.</summary>
    public IEnumerable<ProtobufMessage> All(params int[] path)
    {
        var inner = Bytes(path[0]).Select(bytes => Parse(bytes.ToByteArray()));
        return path.Length == 1 ? inner : inner.SelectMany(message => message.All(path[1..]));
    }

    /// <summary>The text in a field; empty where there is none.</summary>
    public string Text(int field) => Bytes(field).FirstOrDefault()?.ToStringUtf8() ?? "";

    /// <summary>The bytes in a field as hexadecimal digits; empty where there are none.</summary>
    public string Hex(int field) => Convert.ToHexString((Bytes(field).FirstOrDefault() ?? ByteString.Empty).Span);

    /// <summary>The whole number in a field; 0 where there is none.</summary>
    public long Integer(int field) => (long)_fields.Find(one => one.Field == field).Number;

    /// <summary>The number with a point in a field; 0 where there is none.</summary>
    public double Number(int field) => BitConverter.UInt64BitsToDouble(_fields.Find(one => one.Field == field).Number);

    /// <summary>Whether a field is there.</summary>
    public bool Has(int field) => _fields.Exists(one => one.Field == field);

    private IEnumerable<ByteString> Bytes(int field) =>
        _fields.Where(one => one.Field == field).Select(one => one.Bytes).OfType<ByteString>();
}
