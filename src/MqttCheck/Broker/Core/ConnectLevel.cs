using System.Buffers.Binary;

namespace MqttCheck.Broker.Core;

/// <summary>
/// The protocol level in the bytes of a CONNECT that may be malformed: it decides how a refusal is written.
/// </summary>
internal static class ConnectLevel
{
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
