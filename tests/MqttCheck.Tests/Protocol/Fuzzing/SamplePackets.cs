using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Tests.Protocol.Fuzzing;

/// <summary>
/// Legal packets of every kind, from the smallest to one with every field and property: seeds for the fuzzer and
/// material for the comparison with other implementations.
/// </summary>
internal static class SamplePackets
{
    private static readonly ValueList<UserProperty> UserProperties =
    [
        new("name", "value"),
        new("name", "ü"),
        new("", ""),
    ];

    /// <summary>The packets of a version; all of them can be told apart by their first two fields.</summary>
    /// <param name="version">3.1.1 or 5.</param>
    internal static IReadOnlyList<Packet> For(ProtocolVersion version) => version >= ProtocolVersion.V5 ? V5() : V311();

    private static Packet[] V311() =>
        [
            new ConnectPacket
            {
                ProtocolVersion = ProtocolVersion.V311,
                ClientId = "c",
                KeepAliveSeconds = 60,
            },
            new ConnectPacket
            {
                ProtocolVersion = ProtocolVersion.V311,
                CleanStart = false,
                ClientId = "client-1",
                KeepAliveSeconds = 65535,
                Will = new WillMessage(
                    "will/topic",
                    Bytes.FromText("gone"),
                    QualityOfService.ExactlyOnce,
                    Retain: true
                ),
                UserName = "user",
                Password = Bytes.FromText("secret"),
            },
            new ConnackPacket(SessionPresent: true),
            new ConnackPacket(SessionPresent: false, ReasonCode.NotAuthorized),
            new PublishPacket { Topic = "a/b", Payload = Bytes.FromText("at most once") },
            new PublishPacket
            {
                Topic = "a/b/ü",
                Qos = QualityOfService.AtLeastOnce,
                PacketId = 10,
                Payload = new byte[200],
            },
            new PublishPacket
            {
                Topic = "a",
                Qos = QualityOfService.ExactlyOnce,
                PacketId = 65535,
                Retain = true,
                Duplicate = true,
            },
            new PubackPacket(1),
            new PubrecPacket(2),
            new PubrelPacket(3),
            new PubcompPacket(4),
            new SubscribePacket(5, [new("a/+/b", QualityOfService.AtMostOnce), new("#", QualityOfService.ExactlyOnce)]),
            new SubackPacket(
                5,
                [ReasonCode.Success, ReasonCode.GrantedQos1, ReasonCode.GrantedQos2, ReasonCode.UnspecifiedError]
            ),
            new UnsubscribePacket(6, ["a/+/b", "#"]),
            new UnsubackPacket(6),
            new PingreqPacket(),
            new PingrespPacket(),
            new DisconnectPacket(),
        ];

    private static Packet[] V5() => [.. Connects(), .. Connacks(), .. Publications(), .. Subscriptions(), .. Endings()];

    private static Packet[] Connects() =>
        [
            new ConnectPacket { ClientId = "c", KeepAliveSeconds = 60 },
            new ConnectPacket { Password = Bytes.FromText("no user") },
            new ConnectPacket
            {
                CleanStart = false,
                ClientId = "client-1",
                KeepAliveSeconds = 65535,
                Will = new WillMessage("will/topic", Bytes.FromText("gone"), QualityOfService.AtLeastOnce, Retain: true)
                {
                    Properties = new PacketProperties
                    {
                        PayloadFormatIndicator = PayloadFormat.Utf8,
                        MessageExpiryIntervalSeconds = 3600,
                        ContentType = "text/plain",
                        ResponseTopic = "response/topic",
                        CorrelationData = new byte[] { 0, 1, 255 },
                        WillDelayIntervalSeconds = 30,
                        UserProperties = UserProperties,
                    },
                },
                UserName = "user",
                Password = Bytes.FromText("secret"),
                Properties = new PacketProperties
                {
                    SessionExpiryIntervalSeconds = uint.MaxValue,
                    ReceiveMaximum = 20,
                    MaximumPacketSizeBytes = 1_000_000,
                    TopicAliasMaximum = 10,
                    RequestResponseInformation = true,
                    RequestProblemInformation = false,
                    AuthenticationMethod = "SCRAM-SHA-1",
                    AuthenticationData = Bytes.FromText("client-first"),
                    UserProperties = UserProperties,
                },
            },
        ];

    private static Packet[] Connacks() =>
        [
            new ConnackPacket(SessionPresent: false),
            new ConnackPacket(SessionPresent: true)
            {
                Properties = new PacketProperties
                {
                    SessionExpiryIntervalSeconds = 10,
                    ReceiveMaximum = 65535,
                    MaximumQos = QualityOfService.AtLeastOnce,
                    RetainAvailable = true,
                    MaximumPacketSizeBytes = 268_435_460,
                    AssignedClientIdentifier = "assigned",
                    TopicAliasMaximum = 65535,
                    ReasonString = "welcome",
                    UserProperties = UserProperties,
                    WildcardSubscriptionAvailable = true,
                    SubscriptionIdentifierAvailable = true,
                    SharedSubscriptionAvailable = false,
                    ServerKeepAliveSeconds = 120,
                    ResponseInformation = "responses/",
                    ServerReference = "other:1883",
                    AuthenticationMethod = "SCRAM-SHA-1",
                    AuthenticationData = Bytes.FromText("server-final"),
                },
            },
            new ConnackPacket(SessionPresent: false, ReasonCode.BadUserNameOrPassword),
        ];

    private static Packet[] Publications() =>
        [
            new PublishPacket { Topic = "a/b", Payload = Bytes.FromText("at most once") },
            new PublishPacket
            {
                Topic = "a/b/ü",
                Qos = QualityOfService.AtLeastOnce,
                PacketId = 10,
                Payload = new byte[200],
            },
            new PublishPacket
            {
                Topic = "a",
                Qos = QualityOfService.ExactlyOnce,
                PacketId = 65535,
                Retain = true,
                Duplicate = true,
                Payload = Bytes.FromText("{}"),
                Properties = new PacketProperties
                {
                    PayloadFormatIndicator = PayloadFormat.Utf8,
                    MessageExpiryIntervalSeconds = 60,
                    ContentType = "application/json",
                    ResponseTopic = "response/topic",
                    CorrelationData = new byte[] { 1, 2, 3 },
                    SubscriptionIdentifiers = [1, 128, 268_435_455],
                    TopicAlias = 7,
                    UserProperties = UserProperties,
                },
            },
            new PublishPacket
            {
                Topic = "",
                Properties = new PacketProperties { TopicAlias = 7 },
            },
            new PubackPacket(1),
            new PubackPacket(2, ReasonCode.NoMatchingSubscribers),
            new PubrecPacket(3),
            new PubrecPacket(4, ReasonCode.QuotaExceeded) { Properties = Explained("quota") },
            new PubrelPacket(5),
            new PubrelPacket(6, ReasonCode.PacketIdentifierNotFound) { Properties = Explained("unknown") },
            new PubcompPacket(7),
            new PubcompPacket(8) { Properties = Explained("done") },
        ];

    private static Packet[] Subscriptions() =>
        [
            new SubscribePacket(9, [new("a/+/b", QualityOfService.AtMostOnce)]),
            new SubscribePacket(
                10,
                [
                    new(
                        "#",
                        QualityOfService.ExactlyOnce,
                        NoLocal: true,
                        RetainAsPublished: true,
                        RetainHandling.DoNotSend
                    ),
                    new("$share/group/a/#", QualityOfService.AtLeastOnce, RetainHandling: RetainHandling.SendIfNew),
                ]
            )
            {
                Properties = new PacketProperties { SubscriptionIdentifiers = [300], UserProperties = UserProperties },
            },
            new SubackPacket(9, [ReasonCode.Success]),
            new SubackPacket(10, [ReasonCode.GrantedQos2, ReasonCode.SharedSubscriptionsNotSupported])
            {
                Properties = Explained("not shared"),
            },
            new UnsubscribePacket(11, ["a/+/b", "#"])
            {
                Properties = new PacketProperties { UserProperties = UserProperties },
            },
            new UnsubackPacket(11, [ReasonCode.Success, ReasonCode.NoSubscriptionExisted])
            {
                Properties = Explained("no such filter"),
            },
        ];

    private static Packet[] Endings() =>
        [
            new PingreqPacket(),
            new PingrespPacket(),
            new DisconnectPacket(),
            new DisconnectPacket(ReasonCode.DisconnectWithWill)
            {
                Properties = new PacketProperties { SessionExpiryIntervalSeconds = 5 },
            },
            new DisconnectPacket(ReasonCode.ServerMoved)
            {
                Properties = new PacketProperties
                {
                    ServerReference = "other:1883",
                    ReasonString = "moved",
                    UserProperties = UserProperties,
                },
            },
            new AuthPacket(ReasonCode.ContinueAuthentication)
            {
                Properties = new PacketProperties
                {
                    AuthenticationMethod = "SCRAM-SHA-1",
                    AuthenticationData = Bytes.FromText("client-final"),
                    ReasonString = "next step",
                    UserProperties = UserProperties,
                },
            },
        ];

    private static PacketProperties Explained(string reason) =>
        new() { ReasonString = reason, UserProperties = UserProperties };
}
