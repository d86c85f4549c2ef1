using System.Net;

namespace MqttCheck.Captures.Tests;

/// <summary>A TCP segment of a made-up capture.</summary>
internal sealed record WirePacket(
    long Nanoseconds,
    IPEndPoint From,
    IPEndPoint To,
    uint Sequence,
    uint Acknowledgement,
    byte Flags,
    byte[] Data
)
{
    public const byte Fin = 1,
        Syn = 2,
        Rst = 4,
        Ack = 16;

    /// <summary>The IP packet.</summary>
    /// <param name="hasExtensions">Whether an IPv6 packet has headers of options and of routing before TCP.</param>
    public byte[] Ip(bool hasExtensions = false)
    {
        var tcp = new ByteWriter(bigEndian: true)
            .UInt16(From.Port)
            .UInt16(To.Port)
            .UInt32(Sequence)
            .UInt32(Acknowledgement)
            .Raw([0x80, Flags])
            .UInt16(1000)
            .UInt32(0)
            // An option of twelve bytes, as most systems send with each segment.
            .Raw([1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 2])
            .Raw(Data)
            .ToArray();
        if (From.Address.GetAddressBytes().Length == 4)
            return new ByteWriter(bigEndian: true)
                .Raw([0x45, 0])
                .UInt16(20 + tcp.Length)
                .UInt32(0)
                .Raw([64, 6, 0, 0])
                .Raw(From.Address.GetAddressBytes())
                .Raw(To.Address.GetAddressBytes())
                .Raw(tcp)
                .ToArray();
        byte[] extensions = hasExtensions ? [43, 0, 1, 4, 0, 0, 0, 0, 6, 1, 0, 0, 0, 0, 0, 0, .. new byte[8]] : [];
        return new ByteWriter(bigEndian: true)
            .UInt32(0x6000_0000)
            .UInt16(extensions.Length + tcp.Length)
            .Raw([(byte)(hasExtensions ? 0 : 6), 64])
            .Raw(From.Address.GetAddressBytes())
            .Raw(To.Address.GetAddressBytes())
            .Raw(extensions)
            .Raw(tcp)
            .ToArray();
    }
}
