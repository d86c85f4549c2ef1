using System.Buffers.Binary;

namespace MqttCheck.Broker.Core;

/// <summary>
/// The protocol level in the bytes of a CONNECT that may be malformed: it decides how a refusal is written.
/// </summary>
internal static class ConnectLevel
{
    /// <summary>The top bit of the level: bridges of brokers set it to be told from clients.</summary>
    public const byte BrokerBit = 0x80;

    /// <summary>Sets <see cref="BrokerBit"/>.</summary>
    /// <param name="packet">A CONNECT that is well formed.</param>
    public static void Mark(Span<byte> packet) => packet[PlaceOf(packet)] |= BrokerBit;

    /// <summary>The same CONNECT without <see cref="BrokerBit"/>; null if it has no such bit.</summary>
    /// <param name="packet">The bytes of a CONNECT that may be malformed.</param>
    public static byte[]? Unmarked(ReadOnlySpan<byte> packet)
    {
        if (Peek(packet) is not { } level || (level & BrokerBit) == 0)
            return null;
        var unmarked = packet.ToArray();
        unmarked[PlaceOf(packet)] &= 0x7F;
        return unmarked;
    }

    private static int PlaceOf(ReadOnlySpan<byte> packet)
    {
        var header = 1;
        while ((packet[header] & 0x80) != 0)
            header++;
        return header + 3 + BinaryPrimitives.ReadUInt16BigEndian(packet[(header + 1)..]);
    }

    /// <summary>The level, if the protocol is "MQTT" and the bytes reach that far.</summary>
    public static byte? Peek(ReadOnlySpan<byte> packet)
    {
        var header = 1;
        while (header < packet.Length && (packet[header] & 0x80) != 0)
            header++;
        header++;
        if (packet.Length < header + 2)
            return null;
        var level = header + 2 + BinaryPrimitives.ReadUInt16BigEndian(packet[header..]);
        return level < packet.Length && packet[(header + 2)..level].SequenceEqual("MQTT"u8) ? packet[level] : null;
    }
}
