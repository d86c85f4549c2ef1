using System.Buffers.Binary;

namespace MqttCheck.Brokers.Fleets.Captures;

/// <summary>
/// Reads the TCP segments of a packet capture: the formats pcap and pcapng, in either byte order, of Ethernet (the
/// loopback interface of Linux counts as one), raw IP and Linux cooked captures, IPv4 and IPv6 without extension
/// headers.
/// </summary>
internal static class CaptureReader
{
    private const uint Pcap = 0xA1B2C3D4,
        PcapNanoseconds = 0xA1B23C4D,
        SectionHeader = 0x0A0D0D0A,
        ByteOrder = 0x1A2B3C4D;
    private const int Ethernet = 1,
        Raw = 101,
        Cooked = 113;

    /// <summary>Reads the segments that carry data.</summary>
    /// <param name="file">The whole file.</param>
    /// <returns>The segments in the order of the file; a packet that was cut at its end is left out.</returns>
    /// <exception cref="InvalidDataException">It is no packet capture.</exception>
    public static IReadOnlyList<CapturedSegment> Read(ReadOnlyMemory<byte> file)
    {
        if (file.Length < 24)
            throw new InvalidDataException("The capture is empty.");
        var magic = BinaryPrimitives.ReadUInt32LittleEndian(file.Span);
        if (magic == SectionHeader)
            return ReadBlocks(file);
        var swapped = BinaryPrimitives.ReverseEndianness(magic);
        if (magic is Pcap or PcapNanoseconds)
            return ReadPcap(file, bigEndian: false, magic == PcapNanoseconds ? 1 : 1000);
        if (swapped is Pcap or PcapNanoseconds)
            return ReadPcap(file, bigEndian: true, swapped == PcapNanoseconds ? 1 : 1000);
        throw new InvalidDataException("The file is no packet capture.");
    }

    private static List<CapturedSegment> ReadPcap(ReadOnlyMemory<byte> file, bool bigEndian, long unit)
    {
        var segments = new List<CapturedSegment>();
        var link = (int)UInt32(file.Span[20..], bigEndian);
        for (var at = 24; at + 16 <= file.Length; )
        {
            var header = file.Span[at..];
            var (seconds, fraction, length) = (
                UInt32(header, bigEndian),
                UInt32(header[4..], bigEndian),
                (int)UInt32(header[8..], bigEndian)
            );
            at += 16;
            if (length < 0 || at + length > file.Length)
                break;
            Add(segments, seconds * 1_000_000_000L + fraction * unit, link, file.Slice(at, length));
            at += length;
        }
        return segments;
    }

    private static List<CapturedSegment> ReadBlocks(ReadOnlyMemory<byte> file)
    {
        const uint interfaceDescription = 1,
            enhancedPacket = 6;
        var segments = new List<CapturedSegment>();
        var interfaces = new List<(int Link, long PerSecond)>();
        var bigEndian = false;
        for (var at = 0; at + 12 <= file.Length; )
        {
            var block = file.Span[at..];
            if (BinaryPrimitives.ReadUInt32LittleEndian(block) == SectionHeader)
            {
                bigEndian = BinaryPrimitives.ReadUInt32LittleEndian(block[8..]) != ByteOrder;
                interfaces.Clear();
            }
            var (type, length) = (UInt32(block, bigEndian), (int)UInt32(block[4..], bigEndian));
            if (length < 12 || at + length > file.Length)
                break;
            var body = file.Slice(at + 8, length - 12);
            if (type == interfaceDescription)
            {
                interfaces.Add((UInt16(body.Span, bigEndian), UnitsPerSecond(body.Span[8..], bigEndian)));
            }
            else if (
                type == enhancedPacket
                && (int)UInt32(body.Span, bigEndian) is var index
                && index < interfaces.Count
            )
            {
                var units = (long)UInt32(body.Span[4..], bigEndian) << 32 | UInt32(body.Span[8..], bigEndian);
                var captured = (int)UInt32(body.Span[12..], bigEndian);
                var (link, perSecond) = interfaces[index];
                var nanoseconds = units / perSecond * 1_000_000_000 + units % perSecond * 1_000_000_000 / perSecond;
                if (20 + captured <= body.Length)
                    Add(segments, nanoseconds, link, body.Slice(20, captured));
            }
            at += length;
        }
        return segments;
    }

    // Option 9 of an interface: a power of ten, or of two if its first bit is set. Microseconds without it.
    private static long UnitsPerSecond(ReadOnlySpan<byte> options, bool bigEndian)
    {
        const int resolution = 9;
        while (options.Length >= 4 && UInt16(options, bigEndian) is > 0 and var code)
        {
            var length = UInt16(options[2..], bigEndian);
            if (code == resolution && options.Length > 4)
                return (options[4] & 0x80) != 0 ? 1L << (options[4] & 0x3F) : (long)Math.Pow(10, options[4]);
            var next = 4 + (length + 3) / 4 * 4;
            if (next > options.Length)
                break;
            options = options[next..];
        }
        return 1_000_000;
    }

    private static void Add(List<CapturedSegment> segments, long nanoseconds, int link, ReadOnlyMemory<byte> frame)
    {
        var header = link switch
        {
            Ethernet => 14,
            Raw => 0,
            Cooked => 16,
            _ => -1,
        };
        if (header < 0 || frame.Length < header + 20)
            return;
        var packet = frame[header..];
        var ip = packet.Span;
        int start,
            end;
        const int tcp = 6;
        if (ip[0] >> 4 == 4 && ip[9] == tcp)
            (start, end) = ((ip[0] & 0xF) * 4, BinaryPrimitives.ReadUInt16BigEndian(ip[2..]));
        else if (ip[0] >> 4 == 6 && ip.Length >= 40 && ip[6] == tcp)
            (start, end) = (40, 40 + BinaryPrimitives.ReadUInt16BigEndian(ip[4..]));
        else
            return;
        if (end > packet.Length || end < start + 20)
            return;
        var segment = packet[start..end];
        var data = segment.Span[12] >> 4 << 2;
        if (data < 20 || data >= segment.Length)
            return;
        segments.Add(
            new(
                nanoseconds,
                BinaryPrimitives.ReadUInt16BigEndian(segment.Span),
                BinaryPrimitives.ReadUInt16BigEndian(segment.Span[2..]),
                BinaryPrimitives.ReadUInt32BigEndian(segment.Span[4..]),
                segment[data..]
            )
        );
    }

    private static uint UInt32(ReadOnlySpan<byte> bytes, bool bigEndian) =>
        bigEndian ? BinaryPrimitives.ReadUInt32BigEndian(bytes) : BinaryPrimitives.ReadUInt32LittleEndian(bytes);

    private static ushort UInt16(ReadOnlySpan<byte> bytes, bool bigEndian) =>
        bigEndian ? BinaryPrimitives.ReadUInt16BigEndian(bytes) : BinaryPrimitives.ReadUInt16LittleEndian(bytes);
}
