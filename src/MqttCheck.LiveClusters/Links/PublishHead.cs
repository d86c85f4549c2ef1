using System.Buffers.Binary;
using MqttCheck.Protocol;

namespace MqttCheck.LiveClusters.Links;

/// <summary>Reads fields at the beginnings of packets, without validating them.</summary>
internal static class PublishHead
{
    // Mosquitto marks its bridges by this bit of the protocol version.
    private const int BridgeBit = 0x80;

    /// <summary>The protocol version of a CONNECT, or null when it is none.</summary>
    /// <param name="first">The packet's first byte.</param>
    /// <param name="head">The beginning of its body.</param>
    public static int? Version(byte first, ReadOnlySpan<byte> head)
    {
        if (first != (int)PacketType.Connect << 4 || head.Length < 2)
            return null;
        var name = head[2..];
        var length = BinaryPrimitives.ReadUInt16BigEndian(head);
        if (
            name.Length <= length
            || !(name[..length].SequenceEqual("MQTT"u8) || name[..length].SequenceEqual("MQIsdp"u8))
        )
            return null;
        return name[length] & ~BridgeBit;
    }

    /// <summary>Topic and payload of a PUBLISH; empty where the head does not hold them.</summary>
    /// <param name="version">The protocol version of the connection.</param>
    /// <param name="first">The packet's first byte.</param>
    /// <param name="head">The beginning of its body.</param>
    /// <param name="topic">The topic.</param>
    /// <param name="payload">The part of the payload that the head holds.</param>
    public static void Read(
        int version,
        byte first,
        ReadOnlySpan<byte> head,
        out ReadOnlySpan<byte> topic,
        out ReadOnlySpan<byte> payload
    )
    {
        topic = payload = [];
        if (head.Length < 2)
            return;
        var length = BinaryPrimitives.ReadUInt16BigEndian(head);
        var rest = head[2..];
        if (rest.Length < length)
            return;
        topic = rest[..length];
        rest = rest[length..];
        if ((first & 6) != 0)
            rest = rest.Length < 2 ? [] : rest[2..];
        if (version >= (int)ProtocolVersion.V5)
        {
            var prefix = VariableByteInteger.Read(rest, out var properties);
            rest = prefix <= 0 || rest.Length - prefix < properties ? [] : rest[(prefix + properties)..];
        }
        payload = rest;
    }
}
