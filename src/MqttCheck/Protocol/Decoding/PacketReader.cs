using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace MqttCheck.Protocol;

/// <summary>
/// Reads the elements of one packet. Without a list of violations it is strict: the first broken rule is thrown. With one it observes: broken rules
/// are listed and reading goes on, until a field cannot be found at all.
/// </summary>
internal ref struct PacketReader
{
    /// <summary>Violations listed per packet; a hostile packet of many tiny faults must not cost more memory than that.</summary>
    private const int MaximumViolations = 64;

    private readonly ReadOnlySpan<byte> _packet;
    private readonly List<Violation>? _violations;

    internal PacketReader(ReadOnlySpan<byte> packet, ProtocolVersion version, PacketOrigin origin, List<Violation>? violations)
    {
        _packet = packet;
        _violations = violations;
        Version = version;
        Origin = origin;
        End = packet.Length;
    }

    /// <summary>The version whose rules count.</summary>
    internal ProtocolVersion Version { get; set; }

    /// <summary>Who sent the packet.</summary>
    internal PacketOrigin Origin { get; }

    /// <summary>Offset of the next byte.</summary>
    internal int Position { get; set; }

    /// <summary>Offset behind the last byte.</summary>
    internal int End { get; set; }

    internal readonly bool IsV5 => Version >= ProtocolVersion.V5;

    internal readonly int Remaining => End - Position;

    /// <summary>A broken rule; reading can go on.</summary>
    internal readonly void Report(Rule rule, int offset, string message)
    {
        if (_violations is null) throw new ProtocolException(rule.Statement(Version), offset, rule.ReasonCode, message);
        if (_violations.Count < MaximumViolations) _violations.Add(new Violation(rule.Statement(Version), offset, message, rule.ReasonCode));
    }

    /// <summary>A broken rule; nothing behind it can be understood.</summary>
    [DoesNotReturn]
    internal readonly void Fail(Rule rule, int offset, string message) =>
        throw new ProtocolException(rule.Statement(Version), offset, rule.ReasonCode, message);

    internal byte ReadByte(string field)
    {
        Require(1, field);
        return _packet[Position++];
    }

    internal ushort ReadUInt16(string field)
    {
        Require(2, field);
        Position += 2;
        return BinaryPrimitives.ReadUInt16BigEndian(_packet[(Position - 2)..]);
    }

    internal int ReadVariableByteInteger(string field)
    {
        var length = VariableByteInteger.Read(_packet[Position..End], out var value);
        if (length < 0) Fail(Rules.LongInteger, Position, $"{field} is longer than four bytes");
        if (length == 0) Fail(Rules.Truncated, End, $"the packet ends within {field}");
        if (IsV5 && length != VariableByteInteger.Length(value))
            Report(Rules.ShortestInteger, Position, $"{field} {value} takes {length} bytes, {VariableByteInteger.Length(value)} suffice");
        Position += length;
        return value;
    }

    /// <summary>The protocol level of a CONNECT, looked at before anything is checked: it decides which version's rules count.</summary>
    internal readonly ProtocolVersion PeekLevel()
    {
        var header = 1 + VariableByteInteger.Read(_packet[1..], out _);
        if (header < 2 || _packet.Length < header + 2) return ProtocolVersion.V311;
        var place = header + 2 + BinaryPrimitives.ReadUInt16BigEndian(_packet[header..]);
        return place < _packet.Length && _packet[place] >= (byte)ProtocolVersion.V5 ? ProtocolVersion.V5 : ProtocolVersion.V311;
    }

    internal ReadOnlySpan<byte> ReadBinary(string field)
    {
        var length = ReadUInt16(field);
        if (length > Remaining) Fail(Rules.Truncated, Position - 2, $"{field} of {length} bytes reaches beyond the end of the packet");
        return ReadRaw(length);
    }

    internal ReadOnlySpan<byte> ReadRaw(int length)
    {
        Position += length;
        return _packet.Slice(Position - length, length);
    }

    internal string ReadText(string field)
    {
        var bytes = ReadBinary(field);
        return Text(bytes, Position - bytes.Length, field);
    }

    /// <summary>The text of a field that was found at an offset; ill-formed sequences are reported and become U+FFFD.</summary>
    internal readonly string Text(ReadOnlySpan<byte> utf8, int offset, string field)
    {
        if (!System.Text.Unicode.Utf8.IsValid(utf8)) Report(Rules.Utf8, offset, $"{field} is not well-formed UTF-8");
        var nullAt = utf8.IndexOf((byte)0);
        if (nullAt >= 0) Report(Rules.NullCharacter, offset + nullAt, $"{field} contains U+0000");
        return Encoding.UTF8.GetString(utf8);
    }

    /// <summary>A topic name that must not be empty.</summary>
    internal string ReadTopicName(string field)
    {
        var topic = ReadText(field);
        CheckTopicName(topic, Position - System.Text.Encoding.UTF8.GetByteCount(topic), field);
        return topic;
    }

    internal readonly void CheckTopicName(string topic, int offset, string field)
    {
        if (topic.Length == 0) Report(Rules.EmptyTopic, offset, $"{field} is empty");
        if (topic.AsSpan().IndexOfAny('+', '#') >= 0) Report(Rules.TopicWildcard, offset, $"{field} \"{topic}\" contains a wildcard");
    }

    internal ushort ReadPacketId(Rule rule)
    {
        var packetId = ReadUInt16("the packet identifier");
        if (packetId == 0) Report(rule, Position - 2, "the packet identifier is 0");
        return packetId;
    }

    private readonly void Require(int bytes, string field)
    {
        if (Remaining < bytes) Fail(Rules.Truncated, End, $"the packet ends before {field}");
    }
}
