using System.Buffers.Binary;

namespace MqttCheck.Captures.Files;

/// <summary>Recognises the files of packet captures.</summary>
internal static class CaptureFormat
{
    internal const uint Pcap = 0xA1B2C3D4;
    internal const uint PcapNanoseconds = 0xA1B23C4D;
    internal const uint SectionHeader = 0x0A0D0D0A;

    // The variant with 8 more bytes for each packet.
    internal const uint PcapModified = 0xA1B2CD34;

    /// <summary>Whether a file is a packet capture, by how it begins.</summary>
    /// <param name="start">At least its first four bytes.</param>
    public static bool IsCapture(ReadOnlySpan<byte> start)
    {
        if (start.Length < 4)
            return false;
        var magic = BinaryPrimitives.ReadUInt32LittleEndian(start);
        return magic == SectionHeader || IsPcap(magic) || IsPcap(BinaryPrimitives.ReverseEndianness(magic));
    }

    /// <summary>Whether a file is a packet capture, by how it begins.</summary>
    /// <param name="path">Its path; a file that cannot be read is none.</param>
    public static bool IsCapture(string path)
    {
        try
        {
            // A pipe could be read only once.
            if (!File.Exists(path))
                return false;
            using var file = File.OpenRead(path);
            if (!file.CanSeek)
                return false;
            Span<byte> start = stackalloc byte[4];
            return IsCapture(start[..file.ReadAtLeast(start, start.Length, throwOnEndOfStream: false)]);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    internal static bool IsPcap(uint magic) => magic is Pcap or PcapNanoseconds or PcapModified;
}
