using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Protocol.PacketType;

namespace MqttCheck.Protocol.Defects;

/// <summary>Defects of SUBSCRIBE, SUBACK, UNSUBSCRIBE and UNSUBACK.</summary>
internal static class SubscriptionDefects
{
    internal static ValueList<PacketDefect> All { get; } =
    [
        PacketDefect.ByValue<SubscribePacket>(
            "subscribe-without-filter",
            Rules.NoFilter,
            DefectVersions.Both,
            Subscribe,
            packet => packet with { Subscriptions = [] }
        ),
        ByOptions("subscription-reserved-bits", Rules.SubscriptionReservedBits, DefectVersions.Both, 0x80),
        ByOptions("subscription-qos-3", Rules.SubscriptionQos, DefectVersions.Both, 0x03),
        ByOptions("subscription-retain-handling-3", Rules.SubscriptionRetainHandling, DefectVersions.V5, 0x30),
        PacketDefect.ByValue<SubscribePacket>(
            "no-local-on-shared-subscription",
            Rules.NoLocalOnShared,
            DefectVersions.V5,
            Subscribe,
            packet =>
                packet with
                {
                    Subscriptions = [new SubscriptionRequest("$share/g/a", QualityOfService.AtMostOnce, NoLocal: true)],
                }
        ),
        ByFilter("filter-empty", Rules.EmptyFilter, DefectVersions.Both, ""),
        ByFilter("multi-level-wildcard-in-level", Rules.MultiLevelWildcard, DefectVersions.Both, "a#"),
        ByFilter("multi-level-wildcard-not-last", Rules.MultiLevelWildcard, DefectVersions.Both, "a/#/b"),
        ByFilter("single-level-wildcard-in-level", Rules.SingleLevelWildcard, DefectVersions.Both, "a+/b"),
        ByFilter("share-name-empty", Rules.ShareName, DefectVersions.V5, "$share//a"),
        ByFilter("share-name-with-wildcard", Rules.ShareName, DefectVersions.V5, "$share/+/a"),
        ByFilter("share-without-filter", Rules.SharedFilter, DefectVersions.V5, "$share/g"),
        PacketDefect.ByValue<SubackPacket>(
            "suback-code",
            Rules.SubackCode,
            DefectVersions.Both,
            Suback,
            packet => packet with { ReasonCodes = [PacketDefect.UnlistedCode] }
        ),
        PacketDefect.ByValue<SubackPacket>(
            "suback-without-code",
            Rules.SubackWithoutCode,
            DefectVersions.Both,
            Suback,
            packet => packet with { ReasonCodes = [] }
        ),
        PacketDefect.ByValue<UnsubscribePacket>(
            "unsubscribe-without-filter",
            Rules.NothingToUnsubscribe,
            DefectVersions.Both,
            Unsubscribe,
            packet => packet with { Filters = [] }
        ),
        PacketDefect.ByValue<UnsubackPacket>(
            "unsuback-code",
            Rules.UnsubackCode,
            DefectVersions.V5,
            Unsuback,
            packet => packet with { ReasonCodes = [PacketDefect.UnlistedCode] }
        ),
        PacketDefect.ByValue<UnsubackPacket>(
            "unsuback-without-code",
            Rules.UnsubackWithoutCode,
            DefectVersions.V5,
            Unsuback,
            packet => packet with { ReasonCodes = [] }
        ),
    ];

    // The options of the last filter are the packet's last byte.
    private static PacketDefect ByOptions(string name, Rule rule, DefectVersions versions, byte bits) =>
        PacketDefect.ByBytes(
            name,
            rule,
            versions,
            [Subscribe],
            bytes =>
            {
                bytes[^1] |= bits;
                return bytes;
            }
        );

    private static PacketDefect ByFilter(string name, Rule rule, DefectVersions versions, string filter) =>
        new(
            name,
            rule,
            versions,
            [Subscribe, Unsubscribe],
            (packet, version) =>
                PacketEncoder.Encode(
                    packet is SubscribePacket subscribe
                        ? subscribe with
                        {
                            Subscriptions = [new SubscriptionRequest(filter, QualityOfService.AtMostOnce)],
                        }
                        : ((UnsubscribePacket)packet) with
                        {
                            Filters = [filter],
                        },
                    version
                )
        );
}
