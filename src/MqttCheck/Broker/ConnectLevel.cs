using System.Buffers.Binary;
using MqttCheck.Protocol;

namespace MqttCheck.Broker;

/// <summary>The protocol level in the bytes of a CONNECT that may be malformed: it decides how the refusal is written.</summary>
internal static class ConnectLevel
{
    /// <summary>MQTT 5 if the level says so, else 3.1.1.</summary>
    public static ProtocolVersion Peek(ReadOnlySpan<byte> packet) => Of(packet) == 5 ? ProtocolVersion.V5 : ProtocolVersion.V311;

    /// <summary>Whether the name and level are those of a version that is served, or cannot be read.</summary>
    public static bool IsServed(ReadOnlySpan<byte> packet) => Of(packet) is null or 3 or 4 or 5;

    private static byte? Of(ReadOnlySpan<byte> packet)
    {
        var header = 1;
        while (header < packet.Length && (packet[header] & 0x80) != 0) header++;
        header++;
        if (packet.Length < header + 2) return null;
        var level = header + 2 + BinaryPrimitives.ReadUInt16BigEndian(packet[header..]);
        if (level >= packet.Length || !packet[(header + 2)..level].SequenceEqual("MQTT"u8)) return null;
        return packet[level];
    }
}
