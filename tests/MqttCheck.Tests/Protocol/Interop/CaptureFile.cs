using System.Buffers.Binary;
using MqttCheck.Protocol;

namespace MqttCheck.Tests.Protocol.Interop;

/// <summary>
/// Writes packets as one TCP conversation with port 1883 into a pcap file (link type 101: raw IPv4), one segment each.
/// </summary>
internal static class CaptureFile
{
    private const int IpHeader = 20;
    private const int TcpHeader = 20;
    private const uint ClientAddress = 0x0A000001,
        ServerAddress = 0x0A000002;
    private const ushort ClientPort = 40000,
        ServerPort = 1883;

    /// <summary>Writes the file.</summary>
    /// <param name="path">Where.</param>
    /// <param name="packets">The packets in order, with their sender.</param>
    internal static void Write(string path, IEnumerable<(PacketOrigin Sender, byte[] Bytes)> packets)
    {
        using var file = File.Create(path);
        Span<byte> header = stackalloc byte[24];
        BinaryPrimitives.WriteUInt32LittleEndian(header, 0xA1B2C3D4);
        BinaryPrimitives.WriteUInt16LittleEndian(header[4..], 2);
        BinaryPrimitives.WriteUInt16LittleEndian(header[6..], 4);
        BinaryPrimitives.WriteUInt32LittleEndian(header[16..], 65535);
        BinaryPrimitives.WriteUInt32LittleEndian(header[20..], 101);
        file.Write(header);
        Span<byte> record = stackalloc byte[16];
        uint clientSequence = 1,
            serverSequence = 1,
            second = 1;
        foreach (var (sender, bytes) in packets)
        {
            var fromClient = sender == PacketOrigin.Client;
            var segment = Segment(
                fromClient,
                fromClient ? clientSequence : serverSequence,
                fromClient ? serverSequence : clientSequence,
                bytes
            );
            if (fromClient)
                clientSequence += (uint)bytes.Length;
            else
                serverSequence += (uint)bytes.Length;
            BinaryPrimitives.WriteUInt32LittleEndian(record, second++);
            BinaryPrimitives.WriteUInt32LittleEndian(record[8..], (uint)segment.Length);
            BinaryPrimitives.WriteUInt32LittleEndian(record[12..], (uint)segment.Length);
            file.Write(record);
            file.Write(segment);
        }
    }

    private static byte[] Segment(bool fromClient, uint sequence, uint acknowledged, byte[] payload)
    {
        var bytes = new byte[IpHeader + TcpHeader + payload.Length];
        var ip = bytes.AsSpan();
        ip[0] = 0x45;
        BinaryPrimitives.WriteUInt16BigEndian(ip[2..], (ushort)bytes.Length);
        ip[8] = 64;
        ip[9] = 6;
        BinaryPrimitives.WriteUInt32BigEndian(ip[12..], fromClient ? ClientAddress : ServerAddress);
        BinaryPrimitives.WriteUInt32BigEndian(ip[16..], fromClient ? ServerAddress : ClientAddress);
        var tcp = ip[IpHeader..];
        BinaryPrimitives.WriteUInt16BigEndian(tcp, fromClient ? ClientPort : ServerPort);
        BinaryPrimitives.WriteUInt16BigEndian(tcp[2..], fromClient ? ServerPort : ClientPort);
        BinaryPrimitives.WriteUInt32BigEndian(tcp[4..], sequence);
        BinaryPrimitives.WriteUInt32BigEndian(tcp[8..], acknowledged);
        tcp[12] = (TcpHeader / 4) << 4;
        tcp[13] = 0x18;
        BinaryPrimitives.WriteUInt16BigEndian(tcp[14..], 65535);
        payload.CopyTo(tcp[TcpHeader..]);
        return bytes;
    }
}
