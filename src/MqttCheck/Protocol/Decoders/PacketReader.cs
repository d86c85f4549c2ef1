using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Unicode;

namespace MqttCheck.Protocol.Decoders;

/// <summary>
/// Reads the elements of one packet. Without a list of violations it is strict: the first broken rule is thrown. With a
/// list it observes: broken rules are listed and reading goes on, until a field cannot be found at all. Memory that
/// grows with the packet is taken from the memory limit before it is allocated.
/// </summary>
internal ref struct PacketReader(
    ReadOnlySpan<byte> packet,
    ProtocolVersion version,
    PacketOrigin origin,
    int memoryLimit,
    List<Violation>? violations
)
{
    private const int MaximumViolations = 64;

    // The packet's own object, the list of violations as it grows, and an exception with its message and stack trace.
    private const int FixedBytes = 6144;
    private const int ArrayBytes = 24;
    private const int TextBytes = 22;
    private const int ViolationBytes = 128;

    private readonly ReadOnlySpan<byte> _packet = packet;
    private readonly List<Violation>? _violations = violations;
    private readonly int _memoryLimit = Math.Max(memoryLimit, PacketDecoder.LeastMemoryLimitBytes);
    private long _memoryLeft = Math.Max(memoryLimit, PacketDecoder.LeastMemoryLimitBytes) - FixedBytes;

    /// <summary>The version whose rules count.</summary>
    internal ProtocolVersion Version { get; set; } = version;

    /// <summary>Who sent the packet.</summary>
    internal PacketOrigin Origin { get; } = origin;

    /// <summary>Offset of the next byte.</summary>
    internal int Position { get; set; }

    /// <summary>Offset behind the last byte.</summary>
    internal int End { get; set; } = packet.Length;

    internal readonly bool IsV5 => Version >= ProtocolVersion.V5;

    internal readonly int Remaining => End - Position;

    /// <summary>Whether the words of a violation would be kept.</summary>
    internal readonly bool KeepsViolations =>
        _violations is null
        || (_violations.Count < MaximumViolations && _memoryLeft >= ViolationBytes + ViolationText.MaximumBytes);

    /// <summary>A broken rule; reading can go on.</summary>
    internal void Report(Rule rule, int offset, [InterpolatedStringHandlerArgument("")] scoped ref ViolationText text)
    {
        if (KeepsViolations)
            Report(rule, offset, text.ToStringAndClear());
    }

    /// <inheritdoc cref="Report(Rule, int, ref ViolationText)"/>
    internal void Report(Rule rule, int offset, string message)
    {
        if (_violations is null)
            throw new ProtocolException(rule.Statement(Version), offset, rule.ReasonCode, message);
        if (!KeepsViolations)
            return;
        _memoryLeft -= ViolationBytes + (sizeof(char) * message.Length);
        _violations.Add(new Violation(rule.Statement(Version), offset, message, rule.ReasonCode));
    }

    /// <summary>A broken rule; nothing behind it can be understood.</summary>
    [DoesNotReturn]
    internal readonly void Fail(Rule rule, int offset, string message) =>
        throw new ProtocolException(rule.Statement(Version), offset, rule.ReasonCode, message);

    /// <summary>Takes the memory of an object from the limit.</summary>
    /// <param name="bytes">Its size; it is rounded up as the runtime does.</param>
    internal void Take(long bytes)
    {
        _memoryLeft -= (bytes + 7) & ~7L;
        if (_memoryLeft < 0)
            Fail(
                Rules.MemoryLimit,
                Position,
                $"the content of the packet takes more memory than the limit of {_memoryLimit} bytes"
            );
    }

    /// <summary>An array within the limit.</summary>
    /// <param name="length">Its length.</param>
    /// <typeparam name="T">Its elements.</typeparam>
    internal T[] NewArray<T>(int length)
    {
        Take(ArrayBytes + ((long)length * Unsafe.SizeOf<T>()));
        return new T[length];
    }

    /// <summary>How many fields of a text and some more bytes lie whole in the rest of the packet.</summary>
    /// <param name="bytesBehindEach">How many more bytes.</param>
    internal readonly int CountTexts(int bytesBehindEach)
    {
        var count = 0;
        var rest = _packet[Position..End];
        while (rest.Length >= sizeof(ushort))
        {
            var length = sizeof(ushort) + BinaryPrimitives.ReadUInt16BigEndian(rest) + bytesBehindEach;
            if (length > rest.Length)
                break;
            rest = rest[length..];
            count++;
        }
        return count;
    }

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
        if (length < 0)
            Fail(Rules.LongInteger, Position, $"{field} is longer than four bytes");
        if (length == 0)
            Fail(Rules.Truncated, End, $"the packet ends within {field}");
        if (IsV5 && length != VariableByteInteger.Length(value))
            Report(
                Rules.ShortestInteger,
                Position,
                $"{field} {value} takes {length} bytes, {VariableByteInteger.Length(value)} suffice"
            );
        Position += length;
        return value;
    }

    /// <summary>
    /// The protocol level of a CONNECT, looked at before anything is checked: it decides which version's rules count.
    /// </summary>
    internal readonly ProtocolVersion PeekLevel()
    {
        var header = 1 + VariableByteInteger.Read(_packet[1..], out _);
        if (header < 2 || _packet.Length < header + 2)
            return ProtocolVersion.V311;
        var place = header + 2 + BinaryPrimitives.ReadUInt16BigEndian(_packet[header..]);
        return place < _packet.Length && _packet[place] >= (byte)ProtocolVersion.V5
            ? ProtocolVersion.V5
            : ProtocolVersion.V311;
    }

    internal ReadOnlySpan<byte> ReadBinary(string field)
    {
        var length = ReadUInt16(field);
        if (length > Remaining)
            Fail(Rules.Truncated, Position - 2, $"{field} of {length} bytes reaches beyond the end of the packet");
        return ReadRaw(length);
    }

    internal ReadOnlySpan<byte> ReadRaw(int length)
    {
        Position += length;
        return _packet.Slice(Position - length, length);
    }

    /// <summary>A copy of bytes of the packet.</summary>
    internal Bytes Copy(ReadOnlySpan<byte> bytes)
    {
        Take(ArrayBytes + bytes.Length);
        return Bytes.Copy(bytes);
    }

    internal string ReadText(string field)
    {
        var bytes = ReadBinary(field);
        return Text(bytes, Position - bytes.Length, field);
    }

    /// <summary>
    /// The text of a field that was found at an offset; ill-formed sequences are reported and become U+FFFD.
    /// </summary>
    internal string Text(ReadOnlySpan<byte> utf8, int offset, string field)
    {
        var isValid = Utf8.IsValid(utf8);
        if (!isValid)
            Report(Rules.Utf8, offset, $"{field} is not well-formed UTF-8");
        var nullAt = utf8.IndexOf((byte)0);
        if (nullAt >= 0)
            Report(Rules.NullCharacter, offset + nullAt, $"{field} contains U+0000");
        Take(TextBytes + (sizeof(char) * (long)utf8.Length));
        return isValid ? Encoding.UTF8.GetString(utf8) : Mend(utf8);
    }

    /// <summary>A topic name that must not be empty.</summary>
    internal string ReadTopicName(string field)
    {
        var topic = ReadText(field);
        CheckTopicName(topic, Position - Encoding.UTF8.GetByteCount(topic), field);
        return topic;
    }

    internal void CheckTopicName(string topic, int offset, string field)
    {
        if (topic.Length == 0)
            Report(Rules.EmptyTopic, offset, $"{field} is empty");
        if (topic.AsSpan().IndexOfAny('+', '#') >= 0)
            Report(Rules.TopicWildcard, offset, $"{field} \"{topic}\" contains a wildcard");
    }

    internal ushort ReadPacketId(Rule rule)
    {
        var packetId = ReadUInt16("the packet identifier");
        if (packetId == 0)
            Report(rule, Position - 2, "the packet identifier is 0");
        return packetId;
    }

    // Unlike Encoding it allocates nothing but the result.
    private static string Mend(ReadOnlySpan<byte> utf8)
    {
        Span<char> piece = stackalloc char[256];
        var length = 0;
        for (var rest = utf8; !rest.IsEmpty; )
        {
            Utf8.ToUtf16(rest, piece, out var read, out var written);
            length += written;
            rest = rest[read..];
        }
        return string.Create(length, utf8, static (text, bytes) => Utf8.ToUtf16(bytes, text, out _, out _));
    }

    private readonly void Require(int bytes, string field)
    {
        if (Remaining < bytes)
            Fail(Rules.Truncated, End, $"the packet ends before {field}");
    }
}
