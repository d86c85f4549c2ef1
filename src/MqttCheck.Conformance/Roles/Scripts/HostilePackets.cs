using MqttCheck.Protocol;
using MqttCheck.Protocol.Defects;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Roles.Scripts;

/// <summary>Packets that no broker may send: a client that gets one ends the connection.</summary>
internal static class HostilePackets
{
    private const ushort UnusedIdentifier = 64999;

    // Well formed, but never from a broker, or not at this point.
    private static readonly string[] s_misplaced =
    [
        "second-connack",
        "connect-from-broker",
        "subscribe-from-broker",
        "pingreq-from-broker",
    ];

    // A client waits for the rest of a packet that announces more bytes than it has.
    private static readonly string[] s_notVisible = ["remaining-length-beyond-end"];

    private static readonly PacketType[] s_fromBrokers =
    [
        PacketType.Publish,
        PacketType.Puback,
        PacketType.Pubrel,
        PacketType.Pingresp,
        PacketType.Suback,
        PacketType.Unsuback,
        PacketType.Disconnect,
    ];

    /// <summary>All names.</summary>
    public static IReadOnlyList<string> Names =>
        field ??= [.. s_misplaced, .. PacketDefects.All.Where(IsOfBrokers).Select(defect => defect.Name)];

    /// <summary>The bytes; null where the version has no such packet.</summary>
    public static byte[]? Bytes(string name, ProtocolVersion version, string topic)
    {
        Packet? misplaced = name switch
        {
            "second-connack" => new ConnackPacket(SessionPresent: false),
            "connect-from-broker" => new ConnectPacket { ProtocolVersion = version, ClientId = "broker" },
            "subscribe-from-broker" => new SubscribePacket(
                UnusedIdentifier,
                [new SubscriptionRequest(topic, QualityOfService.AtMostOnce)]
            ),
            "pingreq-from-broker" => new PingreqPacket(),
            _ => null,
        };
        if (misplaced is not null)
            return PacketEncoder.Encode(misplaced, version);
        var defect = PacketDefects.Find(name);
        return PacketOf(defect, version) is { } type ? defect.Encode(Plain(type, topic), version) : null;
    }

    private static bool IsOfBrokers(PacketDefect defect) =>
        defect.Origin != PacketOrigin.Client
        && !s_notVisible.Contains(defect.Name)
        && (PacketOf(defect, ProtocolVersion.V311) ?? PacketOf(defect, ProtocolVersion.V5)) is not null;

    private static PacketType? PacketOf(PacketDefect defect, ProtocolVersion version)
    {
        foreach (var type in s_fromBrokers)
            if (defect.AppliesTo(type, version) && (version == ProtocolVersion.V5 || type != PacketType.Disconnect))
                return type;
        return null;
    }

    private static Packet Plain(PacketType type, string topic) =>
        type switch
        {
            PacketType.Publish => new PublishPacket { Topic = topic, Payload = new byte[] { 1 } },
            PacketType.Puback => new PubackPacket(UnusedIdentifier),
            PacketType.Pubrel => new PubrelPacket(UnusedIdentifier),
            PacketType.Pingresp => new PingrespPacket(),
            PacketType.Suback => new SubackPacket(UnusedIdentifier, [ReasonCode.Success]),
            PacketType.Unsuback => new UnsubackPacket(UnusedIdentifier, [ReasonCode.Success]),
            PacketType.Disconnect => new DisconnectPacket(),
            _ => throw new ArgumentOutOfRangeException(nameof(type), type, "no broker sends it"),
        };
}
