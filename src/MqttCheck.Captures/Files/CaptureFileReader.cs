using System.Buffers.Binary;

namespace MqttCheck.Captures.Files;

/// <summary>
/// Reads the packets of a capture file one by one, in memory that does not grow with the file: pcap in microseconds and
/// nanoseconds, and pcapng, in either byte order.
/// </summary>
internal sealed class CaptureFileReader
{
    // A captured packet is at most 256 KiB; options of blocks are small.
    private const int LargestPacket = 1 << 18;
    private const int LargestBlock = 1 << 22;
    private const int LargestInterfaces = 1 << 16;

    private readonly ForwardBuffer _file;
    private readonly CaptureCounts _counts;
    private readonly List<CaptureInterface> _interfaces = [];
    private readonly bool _isBlocks;
    private readonly int _packetHeader;
    private bool _isBigEndian;
    private int _consumed;

    /// <summary>Begins to read.</summary>
    /// <param name="stream">The file from its beginning; it stays its owner's.</param>
    /// <param name="counts">Counts what cannot be used.</param>
    /// <exception cref="InvalidDataException">It is no packet capture.</exception>
    public CaptureFileReader(Stream stream, CaptureCounts counts)
    {
        _file = new(stream);
        _counts = counts;
        var start = _file.Peek(24);
        if (!CaptureFormat.IsCapture(start))
            throw new InvalidDataException("this is no packet capture");
        var magic = BinaryPrimitives.ReadUInt32LittleEndian(start);
        _isBlocks = magic == CaptureFormat.SectionHeader;
        if (_isBlocks)
            return;
        _isBigEndian = !CaptureFormat.IsPcap(magic);
        magic = UInt32(start);
        _packetHeader = magic == CaptureFormat.PcapModified ? 24 : 16;
        if (start.Length < 24)
        {
            Damage = "it ends within its header";
            return;
        }
        // The upper bits say how long the check sums of frames are.
        var link = (int)(UInt32(start[20..]) & 0xFFFF);
        _interfaces.Add(new(link, magic == CaptureFormat.PcapNanoseconds ? 1_000_000_000UL : 1_000_000UL, 0));
        _consumed = 24;
    }

    /// <summary>Says why the file could not be read to its end, or null.</summary>
    public string? Damage { get; private set; }

    /// <summary>How many bytes were read.</summary>
    public long Position => _file.Position;

    /// <summary>Reads the next packet.</summary>
    /// <param name="frame">The packet; its bytes are valid until the next call.</param>
    /// <returns>False at the end of the file, or where it is damaged.</returns>
    public bool TryRead(out CapturedFrame frame)
    {
        frame = default;
        if (Damage is not null)
            return false;
        _file.Skip(_consumed);
        _consumed = 0;
        return _isBlocks ? TryReadBlocks(out frame) : TryReadRecord(out frame);
    }

    private bool TryReadRecord(out CapturedFrame frame)
    {
        frame = default;
        var header = _file.Peek(_packetHeader);
        if (header.IsEmpty)
            return false;
        if (header.Length < _packetHeader)
            return Stop("it ends within a packet");
        var (seconds, fraction, length) = (UInt32(header), UInt32(header[4..]), UInt32(header[8..]));
        if (length > LargestPacket)
            return Stop($"a packet of {length} bytes");
        var all = _file.Peek(_packetHeader + (int)length);
        if (all.Length < _packetHeader + (int)length)
            return Stop("it ends within a packet");
        _consumed = all.Length;
        _counts.Frames++;
        var unit = 1_000_000_000L / (long)_interfaces[0].UnitsPerSecond;
        frame = new()
        {
            Nanoseconds = seconds * 1_000_000_000L + fraction * unit,
            LinkType = _interfaces[0].LinkType,
            Bytes = all[_packetHeader..],
        };
        return true;
    }

    private bool TryReadBlocks(out CapturedFrame frame)
    {
        const uint interfaceDescription = 1,
            oldPacket = 2,
            simplePacket = 3,
            enhancedPacket = 6;
        frame = default;
        while (true)
        {
            var block = Block(out var type);
            if (block.IsEmpty)
                return false;
            _consumed = block.Length;
            var body = block[8..^4];
            switch (type)
            {
                case CaptureFormat.SectionHeader:
                    _interfaces.Clear();
                    break;
                case interfaceDescription when body.Length < 8 || _interfaces.Count >= LargestInterfaces:
                    return Stop("an interface without its description");
                case interfaceDescription:
                    _interfaces.Add(CaptureInterface.Of(UInt16(body), body[8..], _isBigEndian));
                    break;
                case simplePacket:
                    _counts.Frames++;
                    _counts.Timeless++;
                    break;
                case enhancedPacket or oldPacket:
                    return TryReadPacket(body, type == oldPacket ? UInt16(body) : UInt32(body), out frame);
            }
            _file.Skip(_consumed);
            _consumed = 0;
        }
    }

    private bool TryReadPacket(ReadOnlySpan<byte> body, uint number, out CapturedFrame frame)
    {
        frame = default;
        if (number >= _interfaces.Count)
            return Stop($"a packet of the interface {number}, which is not described");
        var from = _interfaces[(int)number];
        var units = (ulong)UInt32(body[4..]) << 32 | UInt32(body[8..]);
        var captured = UInt32(body[12..]);
        if (captured > body.Length - 20)
            return Stop($"a packet of {captured} bytes in a smaller block");
        _counts.Frames++;
        frame = new()
        {
            Nanoseconds = from.Nanoseconds(units),
            LinkType = from.LinkType,
            Bytes = body.Slice(20, (int)captured),
        };
        return true;
    }

    // A whole block, or nothing at the end of the file and where it is damaged.
    private ReadOnlySpan<byte> Block(out uint type)
    {
        const uint byteOrder = 0x1A2B3C4D;
        type = 0;
        var header = _file.Peek(12);
        if (header.IsEmpty)
            return default;
        if (header.Length < 12)
            return Nothing("it ends within a block");
        if (BinaryPrimitives.ReadUInt32LittleEndian(header) == CaptureFormat.SectionHeader)
        {
            _isBigEndian = BinaryPrimitives.ReadUInt32LittleEndian(header[8..]) != byteOrder;
            if (UInt32(header[8..]) != byteOrder)
                return Nothing("a section whose byte order is not known");
        }
        type = UInt32(header);
        var length = UInt32(header[4..]);
        var least = type switch
        {
            CaptureFormat.SectionHeader => 28,
            2 or 6 => 32,
            _ => 12,
        };
        if (length < least || length > LargestBlock || length % 4 != 0)
            return Nothing($"a block of {length} bytes");
        var block = _file.Peek((int)length);
        return block.Length < length ? Nothing("it ends within a block") : block;
    }

    private ReadOnlySpan<byte> Nothing(string damage)
    {
        Stop(damage);
        return default;
    }

    private bool Stop(string damage)
    {
        Damage = damage;
        return false;
    }

    private uint UInt32(ReadOnlySpan<byte> bytes) =>
        _isBigEndian ? BinaryPrimitives.ReadUInt32BigEndian(bytes) : BinaryPrimitives.ReadUInt32LittleEndian(bytes);

    private ushort UInt16(ReadOnlySpan<byte> bytes) =>
        _isBigEndian ? BinaryPrimitives.ReadUInt16BigEndian(bytes) : BinaryPrimitives.ReadUInt16LittleEndian(bytes);
}
