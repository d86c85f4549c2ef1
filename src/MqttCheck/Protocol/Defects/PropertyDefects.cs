using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Protocol.PacketType;

namespace MqttCheck.Protocol.Defects;

/// <summary>Defects of the properties of MQTT 5.</summary>
internal static class PropertyDefects
{
    internal static ValueList<PacketDefect> All { get; } =
    [
        Connect("unknown-property", Rules.UnknownProperty, p => p, 0x7F, 0x00),
        Connect("misplaced-property", Rules.MisplacedProperty, p => p, (byte)PropertyId.TopicAlias, 0x00, 0x01),
        Connect(
            "repeated-property",
            Rules.RepeatedProperty,
            p => p with { ReceiveMaximum = 1 },
            (byte)PropertyId.ReceiveMaximum,
            0x00,
            0x01
        ),
        Connect("property-beyond-section", Rules.PropertiesLength, p => p, (byte)PropertyId.UserProperty, 0xFF, 0xFF),
        Connect("receive-maximum-0", Rules.ReceiveMaximumZero, p => p with { ReceiveMaximum = 0 }),
        Connect("maximum-packet-size-0", Rules.MaximumPacketSizeZero, p => p with { MaximumPacketSizeBytes = 0 }),
        Connect(
            "request-problem-information-2",
            Rules.RequestProblemInformationValue,
            p => p with { RequestProblemInformation = null },
            (byte)PropertyId.RequestProblemInformation,
            2
        ),
        Connect(
            "request-response-information-2",
            Rules.RequestResponseInformationValue,
            p => p with { RequestResponseInformation = null },
            (byte)PropertyId.RequestResponseInformation,
            2
        ),
        Connect(
            "authentication-data-without-method",
            Rules.AuthenticationDataWithoutMethod,
            p => p with { AuthenticationMethod = null, AuthenticationData = Bytes.Empty }
        ),
        Connack("maximum-qos-2", Rules.MaximumQosValue, p => p with { MaximumQos = null }, PropertyId.MaximumQos),
        Connack(
            "retain-available-2",
            Rules.RetainAvailableValue,
            p => p with { RetainAvailable = null },
            PropertyId.RetainAvailable
        ),
        Connack(
            "wildcard-available-2",
            Rules.WildcardAvailableValue,
            p => p with { WildcardSubscriptionAvailable = null },
            PropertyId.WildcardSubscriptionAvailable
        ),
        Connack(
            "subscription-identifier-available-2",
            Rules.SubscriptionIdentifierAvailableValue,
            p => p with { SubscriptionIdentifierAvailable = null },
            PropertyId.SubscriptionIdentifierAvailable
        ),
        Connack(
            "shared-available-2",
            Rules.SharedSubscriptionAvailableValue,
            p => p with { SharedSubscriptionAvailable = null },
            PropertyId.SharedSubscriptionAvailable
        ),
        Publish(
            "payload-format-2",
            Rules.PayloadFormatValue,
            p => p with { PayloadFormatIndicator = (PayloadFormat)2 }
        ),
        Publish("topic-alias-0", Rules.TopicAliasZero, p => p with { TopicAlias = 0 }),
        Publish("response-topic-with-wildcard", Rules.ResponseTopicWildcard, p => p with { ResponseTopic = "a/+" }),
        Publish(
            "subscription-identifier-from-client",
            Rules.SubscriptionIdentifierFromClient,
            p => p with { SubscriptionIdentifiers = [1] },
            PacketOrigin.Client
        ),
        Publish(
            "subscription-identifier-0-from-server",
            Rules.SubscriptionIdentifierZero,
            p => p with { SubscriptionIdentifiers = [0] },
            PacketOrigin.Server
        ),
        PacketDefect.ByValue<SubscribePacket>(
            "subscription-identifier-0",
            Rules.SubscriptionIdentifierZero,
            DefectVersions.V5,
            Subscribe,
            packet => packet with { Properties = packet.Properties with { SubscriptionIdentifiers = [0] } }
        ),
        PacketDefect.ByValue<DisconnectPacket>(
            "session-expiry-from-server",
            Rules.SessionExpiryFromServer,
            DefectVersions.V5,
            Disconnect,
            packet => new DisconnectPacket { Properties = packet.Properties with { SessionExpiryIntervalSeconds = 0 } },
            PacketOrigin.Server
        ),
        PacketDefect.ByValue<DisconnectPacket>(
            "server-reference-from-client",
            Rules.ServerReferenceFromClient,
            DefectVersions.V5,
            Disconnect,
            packet => new DisconnectPacket { Properties = packet.Properties with { ServerReference = "a" } },
            PacketOrigin.Client
        ),
        PacketDefect.ByValue<AuthPacket>(
            "authentication-method-missing",
            Rules.AuthenticationMethodMissing,
            DefectVersions.V5,
            Auth,
            packet => packet with { Properties = packet.Properties with { AuthenticationMethod = null } }
        ),
    ];

    private static PacketDefect Connect(
        string name,
        Rule rule,
        Func<PacketProperties, PacketProperties> change,
        params byte[] extra
    ) =>
        new(
            name,
            rule,
            DefectVersions.V5,
            [PacketType.Connect],
            (packet, version) =>
                PacketEncoder.EncodeWith(
                    (ConnectPacket)packet with
                    {
                        Properties = change(((ConnectPacket)packet).Properties),
                    },
                    version,
                    extra
                )
        );

    private static PacketDefect Connack(
        string name,
        Rule rule,
        Func<PacketProperties, PacketProperties> change,
        PropertyId id
    ) =>
        new(
            name,
            rule,
            DefectVersions.V5,
            [PacketType.Connack],
            (packet, version) =>
                PacketEncoder.EncodeWith(
                    (ConnackPacket)packet with
                    {
                        Properties = change(((ConnackPacket)packet).Properties),
                    },
                    version,
                    [(byte)id, 2]
                )
        );

    private static PacketDefect Publish(
        string name,
        Rule rule,
        Func<PacketProperties, PacketProperties> change,
        PacketOrigin origin = PacketOrigin.Unknown
    ) =>
        PacketDefect.ByValue<PublishPacket>(
            name,
            rule,
            DefectVersions.V5,
            PacketType.Publish,
            packet => packet with { Properties = change(packet.Properties) },
            origin
        );
}
