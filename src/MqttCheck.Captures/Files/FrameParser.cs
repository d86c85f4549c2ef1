using System.Buffers.Binary;

namespace MqttCheck.Captures.Files;

/// <summary>
/// Finds the TCP segment in a captured packet: Ethernet with VLAN tags, Linux cooked captures of both versions, raw IP
/// and BSD loopback; IPv4, and IPv6 with its extension headers.
/// </summary>
/// <param name="counts">Counts what holds no segment, by reason.</param>
internal sealed class FrameParser(CaptureCounts counts)
{
    private const int Tcp = 6;
    private const ushort IPv4 = 0x0800,
        IPv6 = 0x86DD;

    /// <summary>Finds the segment of a packet.</summary>
    /// <param name="frame">The packet.</param>
    /// <param name="segment">The segment.</param>
    /// <returns>Whether there is one.</returns>
    public bool TryParse(in CapturedFrame frame, out TcpSegment segment)
    {
        segment = default;
        var start = IpStart(frame.LinkType, frame.Bytes);
        if (start < 0)
            return false;
        var packet = frame.Bytes[start..];
        if (packet.Length < 20)
            return Bad();
        return (packet[0] >> 4) switch
        {
            4 => TryParseIPv4(packet, frame.Nanoseconds, out segment),
            6 => TryParseIPv6(packet, frame.Nanoseconds, out segment),
            _ => NoTcp(),
        };
    }

    // The beginning of the IP packet; negative where there is none.
    private int IpStart(int linkType, ReadOnlySpan<byte> frame)
    {
        switch (linkType)
        {
            case 1:
                return AfterTags(frame, 12);
            case 113:
                return AfterTags(frame, 14);
            case 276:
                return AfterTags(frame, 0, 20);
            case 0 or 108:
                return frame.Length < 4 ? Short() : 4;
            case 12 or 14 or 101 or 228 or 229:
                return 0;
            default:
                counts.UnknownLinks++;
                return -1;
        }
    }

    // Behind the type of the payload, and the VLAN tags that stand before it.
    private int AfterTags(ReadOnlySpan<byte> frame, int at, int header = 0)
    {
        if (frame.Length < Math.Max(at + 2, header))
            return Short();
        var type = BinaryPrimitives.ReadUInt16BigEndian(frame[at..]);
        at = header > 0 ? header : at + 2;
        while (type is 0x8100 or 0x88A8 or 0x9100)
        {
            if (frame.Length < at + 4)
                return Short();
            type = BinaryPrimitives.ReadUInt16BigEndian(frame[(at + 2)..]);
            at += 4;
        }
        if (type is IPv4 or IPv6)
            return at;
        counts.NotTcp++;
        return -1;
    }

    private bool TryParseIPv4(ReadOnlySpan<byte> packet, long nanoseconds, out TcpSegment segment)
    {
        segment = default;
        var header = (packet[0] & 0xF) * 4;
        int total = BinaryPrimitives.ReadUInt16BigEndian(packet[2..]);
        // A packet that the network card is to split has no length yet.
        if (total == 0)
            total = packet.Length;
        if (header < 20 || total < header || packet.Length < header)
            return Bad();
        const int moreOrOffset = 0x3FFF;
        if ((BinaryPrimitives.ReadUInt16BigEndian(packet[6..]) & moreOrOffset) != 0)
            return Fragment();
        if (packet[9] != Tcp)
            return NoTcp();
        return TcpSegment.TryParse(
                packet[header..],
                total - header,
                nanoseconds,
                SocketKey.OfIPv4(BinaryPrimitives.ReadUInt32BigEndian(packet[12..]), 0).Address,
                SocketKey.OfIPv4(BinaryPrimitives.ReadUInt32BigEndian(packet[16..]), 0).Address,
                out segment
            ) || Bad();
    }

    private bool TryParseIPv6(ReadOnlySpan<byte> packet, long nanoseconds, out TcpSegment segment)
    {
        const int header = 40;
        segment = default;
        if (packet.Length < header)
            return Bad();
        int length = BinaryPrimitives.ReadUInt16BigEndian(packet[4..]);
        if (length == 0)
            length = packet.Length - header;
        var (at, next, end) = (header, (int)packet[6], header + length);
        while (next is 0 or 43 or 44 or 51 or 60)
        {
            if (packet.Length < at + 8)
                return Bad();
            // A fragment that is alone is whole.
            if (next == 44 && (BinaryPrimitives.ReadUInt16BigEndian(packet[(at + 2)..]) & 0xFFF9) != 0)
                return Fragment();
            var extension = next switch
            {
                44 => 8,
                51 => (packet[at + 1] + 2) * 4,
                _ => (packet[at + 1] + 1) * 8,
            };
            next = packet[at];
            at += extension;
        }
        if (next != Tcp)
            return NoTcp();
        if (at > packet.Length || at > end)
            return Bad();
        return TcpSegment.TryParse(
                packet[at..],
                end - at,
                nanoseconds,
                BinaryPrimitives.ReadUInt128BigEndian(packet[8..]),
                BinaryPrimitives.ReadUInt128BigEndian(packet[24..]),
                out segment
            ) || Bad();
    }

    private int Short()
    {
        Bad();
        return -1;
    }

    private bool Bad()
    {
        counts.BadHeaders++;
        return false;
    }

    private bool NoTcp()
    {
        counts.NotTcp++;
        return false;
    }

    private bool Fragment()
    {
        counts.Fragments++;
        return false;
    }
}
