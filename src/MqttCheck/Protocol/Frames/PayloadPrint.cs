namespace MqttCheck.Protocol.Frames;

/// <summary>
/// A payload in eight bytes, by which two payloads are compared long after they are gone: its length and a checksum.
/// No print is 0, which stands for a payload that nobody saw.
/// </summary>
internal static class PayloadPrint
{
    /// <summary>The print of a payload.</summary>
    public static long Of(ReadOnlySpan<byte> payload) => ((payload.Length + 1L) << 32) | Crc32C.Of(payload);

    /// <summary>The length that a print tells, in bytes.</summary>
    public static int LengthOf(long print) => (int)(print >> 32) - 1;
}
