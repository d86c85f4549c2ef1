using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Protocol.Fuzzing;

/// <summary>
/// Makes byte strings that are almost packets: what finds more faults in a decoder than random bytes do.
/// </summary>
public static class PacketMutator
{
    private static readonly byte[][] Seeds =
    [
        .. new[] { ProtocolVersion.V311, ProtocolVersion.V5 }.SelectMany(version =>
            SamplePackets.For(version).Select(packet => PacketEncoder.Encode(packet, version))
        ),
    ];

    private static ReadOnlySpan<byte> TellingBytes =>
        [0x00, 0x01, 0x02, 0x7F, 0x80, 0xC0, 0xED, 0xFE, 0xFF, (byte)'+', (byte)'#', (byte)'/', (byte)'$', 0x23, 0x26];

    /// <summary>The next byte string: random bytes, or a legal packet with one to four changes.</summary>
    /// <param name="random">Where the randomness comes from.</param>
    public static byte[] Next(ref RandomStream random)
    {
        if (random.NextInt(16) == 0)
            return RandomBytes(ref random, random.NextInt(64));
        var bytes = Seeds[random.NextInt(Seeds.Length)].ToList();
        for (var changes = 1 + random.NextInt(4); changes > 0 && bytes.Count > 0; changes--)
            Change(bytes, ref random);
        // Half of the cases get a fitting remaining length, so that the change reaches the fields behind it.
        if (random.NextInt(2) == 0)
            FitLength(bytes);
        return [.. bytes];
    }

    private static void Change(List<byte> bytes, ref RandomStream random)
    {
        var place = random.NextInt(bytes.Count);
        switch (random.NextInt(7))
        {
            case 0:
                bytes[place] ^= (byte)(1 << random.NextInt(8));
                break;
            case 1:
                bytes[place] = TellingBytes[random.NextInt(TellingBytes.Length)];
                break;
            case 2:
                bytes.Insert(place, TellingBytes[random.NextInt(TellingBytes.Length)]);
                break;
            case 3:
                bytes.RemoveAt(place);
                break;
            case 4:
                bytes.RemoveRange(place, bytes.Count - place);
                break;
            case 5:
                // A repeated piece: a property or a filter that occurs twice.
                bytes.InsertRange(place, bytes.GetRange(place, Math.Min(bytes.Count - place, 1 + random.NextInt(16))));
                break;
            default:
                // The tail of another packet.
                var other = Seeds[random.NextInt(Seeds.Length)];
                bytes.RemoveRange(place, bytes.Count - place);
                bytes.AddRange(other.AsSpan(random.NextInt(other.Length)));
                break;
        }
    }

    private static byte[] RandomBytes(ref RandomStream random, int length)
    {
        var bytes = new byte[length];
        for (var i = 0; i < length; i++)
            bytes[i] = (byte)random.NextUInt64();
        return bytes;
    }

    private static void FitLength(List<byte> bytes)
    {
        if (bytes.Count < 2)
            return;
        var old = 1;
        while (old < Math.Min(5, bytes.Count) && bytes[old] >= 0x80)
            old++;
        var header = Math.Min(bytes.Count, old + 1);
        var length = bytes.Count - header;
        Span<byte> encoded = stackalloc byte[4];
        var written = VariableByteInteger.Write(encoded, length);
        bytes.RemoveRange(1, header - 1);
        bytes.InsertRange(1, encoded[..written]);
    }
}
