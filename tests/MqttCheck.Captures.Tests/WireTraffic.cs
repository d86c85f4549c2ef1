using System.Net;

namespace MqttCheck.Captures.Tests;

/// <summary>The packets of a made-up capture, and the files that hold them.</summary>
internal sealed class WireTraffic
{
    /// <summary>The time of the first packet.</summary>
    public const long Start = 1_700_000_000_000_000_000;

    private const long StepMicroseconds = 100;

    public List<WirePacket> Packets { get; init; } = [];

    public long Now { get; private set; } = Start;

    public void Add(WirePacket packet)
    {
        Packets.Add(packet);
        Wait(StepMicroseconds);
    }

    public void Wait(long microseconds) => Now += microseconds * 1000;

    public TalkConnection Connection(
        int clientPort,
        int brokerPort = 1883,
        string client = "192.0.2.7",
        string broker = "192.0.2.1"
    ) => new(this, new(IPAddress.Parse(client), clientPort), new(IPAddress.Parse(broker), brokerPort));

    /// <summary>The same traffic with other packets.</summary>
    public WireTraffic With(IEnumerable<WirePacket> packets) => new() { Packets = [.. packets] };

    /// <summary>A file in the format pcap.</summary>
    /// <param name="unit">Nanoseconds of its unit of time: 1 or 1000.</param>
    /// <param name="snap">How many bytes of each packet are kept.</param>
    public byte[] Pcap(bool bigEndian = false, int unit = 1000, int link = 1, int snap = 1 << 18)
    {
        var file = new ByteWriter(bigEndian)
            .UInt32(unit == 1 ? 0xA1B23C4D : 0xA1B2C3D4)
            .UInt16(2)
            .UInt16(4)
            .UInt32(0)
            .UInt32(0)
            .UInt32(snap)
            .UInt32(link % 1000);
        foreach (var packet in Packets)
        {
            var frame = Frame(packet, link);
            var kept = Math.Min(frame.Length, snap);
            file.UInt32(packet.Nanoseconds / 1_000_000_000)
                .UInt32(packet.Nanoseconds % 1_000_000_000 / unit)
                .UInt32(kept)
                .UInt32(frame.Length)
                .Raw(frame.AsSpan(0, kept));
        }
        return file.ToArray();
    }

    /// <summary>The packets as records of a file in the format pcap; they are forgotten.</summary>
    public byte[] TakeRecords()
    {
        const int header = 24;
        var records = Pcap()[header..];
        Packets.Clear();
        return records;
    }

    /// <summary>A file in the format pcapng, whose interfaces are used in turns.</summary>
    /// <param name="links">The link type of each interface.</param>
    /// <param name="resolutions">The byte that says the resolution of each interface's times.</param>
    public byte[] PcapNg(bool bigEndian = false, int[]? links = null, byte[]? resolutions = null)
    {
        links ??= [1];
        resolutions ??= [9];
        var file = new ByteWriter(bigEndian);
        Block(
            0x0A0D0D0A,
            body => body.UInt32(0x1A2B3C4D).UInt16(1).UInt16(0).UInt32(uint.MaxValue).UInt32(uint.MaxValue)
        );
        for (var i = 0; i < links.Length; i++)
        {
            var (link, resolution) = (links[i], resolutions[i % resolutions.Length]);
            Block(
                1,
                body =>
                    body.UInt16(link)
                        .UInt16(0)
                        .UInt32(0)
                        .UInt16(2)
                        .UInt16(2)
                        .Raw("lo\0\0"u8)
                        .UInt16(9)
                        .UInt16(1)
                        .Raw([resolution, 0, 0, 0])
                        .UInt32(0)
            );
        }
        for (var i = 0; i < Packets.Count; i++)
        {
            var at = i % links.Length;
            var frame = Frame(Packets[i], links[at]);
            var units = Units(Packets[i].Nanoseconds, resolutions[at % resolutions.Length]);
            // Statistics of an interface and blocks of other programs say nothing of packets.
            if (i % 7 == 3)
                Block(5, body => body.UInt32(0).UInt32(0).UInt32(0));
            Block(
                6,
                body =>
                    body.UInt32(at)
                        .UInt32((long)(units >> 32))
                        .UInt32((long)(units & uint.MaxValue))
                        .UInt32(frame.Length)
                        .UInt32(frame.Length)
                        .Raw(frame)
                        .Raw(new byte[(4 - frame.Length % 4) % 4])
            );
        }
        return file.ToArray();

        void Block(uint type, Action<ByteWriter> write)
        {
            var body = new ByteWriter(bigEndian);
            write(body);
            var bytes = body.ToArray();
            file.UInt32(type).UInt32(bytes.Length + 12).Raw(bytes).UInt32(bytes.Length + 12);
        }
    }

    private static ulong Units(long nanoseconds, byte resolution) =>
        (resolution & 0x80) != 0
            ? (ulong)(((UInt128)nanoseconds << (resolution & 0x7F)) / 1_000_000_000)
            : (ulong)((UInt128)nanoseconds * (UInt128)Math.Pow(10, resolution) / 1_000_000_000);

    private static byte[] Frame(WirePacket packet, int link)
    {
        var isIPv4 = packet.From.Address.GetAddressBytes().Length == 4;
        var type = isIPv4 ? 0x0800 : 0x86DD;
        var ip = packet.Ip(hasExtensions: !isIPv4);
        var frame = new ByteWriter(bigEndian: true);
        return link switch
        {
            0 => [(byte)(isIPv4 ? 2 : 30), 0, 0, 0, .. ip],
            1 => frame.Raw(new byte[12]).UInt16(type).Raw(ip).ToArray(),
            // Not a link type of its own: Ethernet with two VLAN tags.
            1001 => frame
                .Raw(new byte[12])
                .UInt16(0x88A8)
                .UInt16(7)
                .UInt16(0x8100)
                .UInt16(8)
                .UInt16(type)
                .Raw(ip)
                .ToArray(),
            101 => ip,
            108 => [0, 0, 0, (byte)(isIPv4 ? 2 : 30), .. ip],
            113 => frame.Raw(new byte[14]).UInt16(type).Raw(ip).ToArray(),
            276 => frame.UInt16(type).Raw(new byte[18]).Raw(ip).ToArray(),
            _ => throw new ArgumentOutOfRangeException(nameof(link), link, "no link type"),
        };
    }
}
