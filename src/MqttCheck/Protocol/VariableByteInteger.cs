using System.Runtime.CompilerServices;

namespace MqttCheck.Protocol;

/// <summary>
/// The variable byte integer (section 2.2.3 of 3.1.1, 1.5.5 of 5): seven bits per byte, lowest first, bit 7 says that
/// more follow.
/// </summary>
internal static class VariableByteInteger
{
    /// <summary>The largest value that four bytes hold.</summary>
    public const int MaxValue = 268_435_455;

    /// <summary>Number of bytes of the shortest form, 1..4.</summary>
    /// <param name="value">0 .. <see cref="MaxValue"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Length(int value) =>
        value < 0x80 ? 1
        : value < 0x4000 ? 2
        : value < 0x20_0000 ? 3
        : 4;

    /// <summary>Writes the shortest form and returns its length.</summary>
    /// <param name="destination">At least <see cref="Length"/> bytes.</param>
    /// <param name="value">0 .. <see cref="MaxValue"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Write(Span<byte> destination, int value)
    {
        var length = 0;
        var rest = (uint)value;
        while (rest >= 0x80)
        {
            destination[length++] = (byte)(rest | 0x80);
            rest >>= 7;
        }
        destination[length++] = (byte)rest;
        return length;
    }

    /// <summary>
    /// Reads a value. Returns its length in bytes, 0 if the span ends within it, -1 if it is longer than four bytes.
    /// Longer forms than necessary are accepted; compare with <see cref="Length"/> to find them.
    /// </summary>
    /// <param name="source">The bytes, the first of the value first.</param>
    /// <param name="value">The value, if the result is positive.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Read(ReadOnlySpan<byte> source, out int value)
    {
        if (source.Length > 0 && source[0] < 0x80)
        {
            value = source[0];
            return 1;
        }
        return ReadLong(source, out value);
    }

    private static int ReadLong(ReadOnlySpan<byte> source, out int value)
    {
        value = 0;
        for (var i = 0; i < 4; i++)
        {
            if (i >= source.Length)
                return 0;
            value |= (source[i] & 0x7F) << (7 * i);
            if (source[i] < 0x80)
                return i + 1;
        }
        return -1;
    }
}
