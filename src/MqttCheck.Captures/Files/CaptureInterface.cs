using System.Buffers.Binary;

namespace MqttCheck.Captures.Files;

/// <summary>An interface that packets were captured from.</summary>
/// <param name="LinkType">The number of its link type.</param>
/// <param name="UnitsPerSecond">How many units of its times make a second.</param>
/// <param name="OffsetSeconds">The seconds that are to be added to its times.</param>
internal readonly record struct CaptureInterface(int LinkType, ulong UnitsPerSecond, long OffsetSeconds)
{
    /// <summary>The interface of a description in pcapng.</summary>
    /// <param name="linkType">The number of its link type.</param>
    /// <param name="options">The options of the description.</param>
    /// <param name="isBigEndian">The byte order.</param>
    public static CaptureInterface Of(int linkType, ReadOnlySpan<byte> options, bool isBigEndian)
    {
        const int resolution = 9,
            offset = 14;
        var (units, seconds) = (1_000_000UL, 0L);
        while (options.Length >= 4)
        {
            var (code, length) = (UInt16(options, isBigEndian), UInt16(options[2..], isBigEndian));
            var next = 4 + (length + 3) / 4 * 4;
            if (code == 0 || next > options.Length)
                break;
            if (code == resolution && length >= 1)
                units = UnitsOf(options[4]);
            else if (code == offset && length >= 8)
                seconds = isBigEndian
                    ? BinaryPrimitives.ReadInt64BigEndian(options[4..])
                    : BinaryPrimitives.ReadInt64LittleEndian(options[4..]);
            options = options[next..];
        }
        return new(linkType, units, seconds);
    }

    /// <summary>A time of this interface in nanoseconds.</summary>
    /// <param name="units">The time in its units.</param>
    public long Nanoseconds(ulong units)
    {
        var (whole, rest) = Math.DivRem(units, UnitsPerSecond);
        var fraction =
            UnitsPerSecond <= 1_000_000_000
                ? rest * 1_000_000_000 / UnitsPerSecond
                : (ulong)((UInt128)rest * 1_000_000_000 / UnitsPerSecond);
        return unchecked(((long)whole + OffsetSeconds) * 1_000_000_000 + (long)fraction);
    }

    // A power of ten, or of two where the first bit is set.
    private static ulong UnitsOf(byte resolution)
    {
        const int largestTen = 18;
        if ((resolution & 0x80) != 0)
            return 1UL << Math.Min(resolution & 0x7F, 62);
        var units = 1UL;
        for (var power = 0; power < Math.Min((int)resolution, largestTen); power++)
            units *= 10;
        return units;
    }

    private static int UInt16(ReadOnlySpan<byte> bytes, bool isBigEndian) =>
        isBigEndian ? BinaryPrimitives.ReadUInt16BigEndian(bytes) : BinaryPrimitives.ReadUInt16LittleEndian(bytes);
}
