using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Protocol.PacketType;

namespace MqttCheck.Protocol.Defects;

/// <summary>Defects of PUBLISH and its acknowledgements.</summary>
internal static class PublishDefects
{
    internal static ValueList<PacketDefect> All { get; } =
    [
        ByValue(
            "duplicate-at-qos-0",
            Rules.DuplicateAtQos0,
            packet => packet with { Qos = QualityOfService.AtMostOnce, Duplicate = true }
        ),
        ByValue("qos-3", Rules.Qos3, packet => packet with { Qos = (QualityOfService)3, PacketId = 1 }),
        ByValue(
            "topic-name-empty",
            Rules.TopicWithoutAlias,
            packet => packet with { Topic = "", Properties = packet.Properties with { TopicAlias = null } }
        ),
        ByValue("topic-name-with-wildcard", Rules.TopicWildcard, packet => packet with { Topic = "a/#" }),
        PacketDefect.ByValue<PubackPacket>(
            "puback-code",
            Rules.PubackCode,
            DefectVersions.V5,
            Puback,
            packet => packet with { ReasonCode = PacketDefect.UnlistedCode }
        ),
        PacketDefect.ByValue<PubrecPacket>(
            "pubrec-code",
            Rules.PubrecCode,
            DefectVersions.V5,
            Pubrec,
            packet => packet with { ReasonCode = PacketDefect.UnlistedCode }
        ),
        PacketDefect.ByValue<PubrelPacket>(
            "pubrel-code",
            Rules.PubrelCode,
            DefectVersions.V5,
            Pubrel,
            packet => packet with { ReasonCode = PacketDefect.UnlistedCode }
        ),
        PacketDefect.ByValue<PubcompPacket>(
            "pubcomp-code",
            Rules.PubcompCode,
            DefectVersions.V5,
            Pubcomp,
            packet => packet with { ReasonCode = PacketDefect.UnlistedCode }
        ),
    ];

    private static PacketDefect ByValue(string name, Rule rule, Func<PublishPacket, PublishPacket> change) =>
        PacketDefect.ByValue(name, rule, DefectVersions.Both, Publish, change);
}
