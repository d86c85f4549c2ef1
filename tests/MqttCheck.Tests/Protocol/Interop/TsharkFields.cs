using System.Globalization;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using Field = (string Name, string? Value);

namespace MqttCheck.Tests.Protocol.Interop;

/// <summary>
/// The fields, by the names of Wireshark 4's MQTT dissector, that a packet must show, in the order of the wire.
/// </summary>
internal static class TsharkFields
{
    /// <summary>
    /// The fields; a null value is one that the dissector cannot show faithfully (binary data as text).
    /// </summary>
    internal static List<Field> Of(Packet packet, ProtocolVersion version, Dictionary<ushort, string> aliases)
    {
        var flags = packet switch
        {
            PublishPacket p => (p.Duplicate ? 8 : 0) + (2 * (int)p.Qos) + (p.Retain ? 1 : 0),
            PubrelPacket or SubscribePacket or UnsubscribePacket => 2,
            _ => 0,
        };
        return
        [
            ("mqtt.hdrflags", $"0x{(16 * (int)packet.Type) + flags:x2}"),
            Number("mqtt.msgtype", (int)packet.Type),
            .. Fields(packet, version >= ProtocolVersion.V5, aliases),
        ];
    }

    private static IEnumerable<Field> Fields(Packet packet, bool isV5, Dictionary<ushort, string> aliases) =>
        packet switch
        {
            ConnectPacket connect => Connect(connect, isV5),
            ConnackPacket connack =>
            [
                ("mqtt.conack.flags", connack.SessionPresent ? "0x01" : "0x00"),
                Number("mqtt.conack.flags.reserved", 0),
                Flag("mqtt.conack.flags.sp", connack.SessionPresent),
                isV5
                    ? Number("mqtt.connack.reason_code", (int)connack.ReasonCode)
                    : Number("mqtt.conack.val", connack.ReasonCode == ReasonCode.NotAuthorized ? 5 : 0),
                .. Properties(connack.Properties, isV5),
            ],
            PublishPacket publish => Publish(publish, isV5, aliases),
            PubackPacket ack => Answer(ack.PacketId, "puback", ack.ReasonCode, ack.Properties),
            PubrecPacket ack => Answer(ack.PacketId, "pubrec", ack.ReasonCode, ack.Properties),
            PubrelPacket ack => Answer(ack.PacketId, "pubrel", ack.ReasonCode, ack.Properties),
            PubcompPacket ack => Answer(ack.PacketId, "pubcomp", ack.ReasonCode, ack.Properties),
            SubscribePacket subscribe =>
            [
                Number("mqtt.msgid", subscribe.PacketId),
                .. Properties(subscribe.Properties, isV5),
                .. subscribe.Subscriptions.SelectMany(request => Subscription(request, isV5)),
            ],
            SubackPacket suback =>
            [
                Number("mqtt.msgid", suback.PacketId),
                .. Properties(suback.Properties, isV5),
                .. suback.ReasonCodes.Select(code =>
                    Number(isV5 ? "mqtt.suback.reason_code" : "mqtt.suback.qos", (int)code)
                ),
            ],
            UnsubscribePacket unsubscribe =>
            [
                Number("mqtt.msgid", unsubscribe.PacketId),
                .. Properties(unsubscribe.Properties, isV5),
                .. unsubscribe.Filters.Select(filter => (Field)("mqtt.topic", filter)),
            ],
            UnsubackPacket unsuback =>
            [
                Number("mqtt.msgid", unsuback.PacketId),
                .. Properties(unsuback.Properties, isV5),
                .. unsuback.ReasonCodes.Select(code => Number("mqtt.unsuback.reason_code", (int)code)),
            ],
            DisconnectPacket disconnect => Reason("disconnect", disconnect.ReasonCode, disconnect.Properties),
            AuthPacket auth => Reason("auth", auth.ReasonCode, auth.Properties),
            _ => [],
        };

    private static IEnumerable<Field> Connect(ConnectPacket connect, bool isV5)
    {
        var flags =
            (connect.CleanStart ? 2 : 0) + (connect.UserName is null ? 0 : 128) + (connect.Password is null ? 0 : 64);
        if (connect.Will is { } w)
            flags += 4 + (8 * (int)w.Qos) + (w.Retain ? 32 : 0);
        return
        [
            ("mqtt.protoname", connect.ProtocolName),
            Number("mqtt.ver", (int)connect.ProtocolVersion),
            ("mqtt.conflags", $"0x{flags:x2}"),
            Flag("mqtt.conflag.uname", connect.UserName is not null),
            Flag("mqtt.conflag.passwd", connect.Password is not null),
            Flag("mqtt.conflag.retain", connect.Will?.Retain == true),
            Number("mqtt.conflag.qos", (int)(connect.Will?.Qos ?? 0)),
            Flag("mqtt.conflag.willflag", connect.Will is not null),
            Flag("mqtt.conflag.cleansess", connect.CleanStart),
            Number("mqtt.conflag.reserved", 0),
            Number("mqtt.kalive", connect.KeepAliveSeconds),
            .. Properties(connect.Properties, isV5),
            ("mqtt.clientid", connect.ClientId),
            .. connect.Will is { } will
                ?
                [
                    .. Properties(will.Properties, isV5),
                    ("mqtt.willtopic", will.Topic),
                    ("mqtt.willmsg", Hex(will.Payload)),
                ]
                : Array.Empty<Field>(),
            .. Present("mqtt.username", connect.UserName),
            .. Present("mqtt.passwd", connect.Password?.ToText()),
        ];
    }

    private static IEnumerable<Field> Publish(PublishPacket publish, bool isV5, Dictionary<ushort, string> aliases)
    {
        if (publish.Properties.TopicAlias is { } defined && publish.Topic.Length > 0)
            aliases[defined] = publish.Topic;
        return
        [
            Flag("mqtt.dupflag", publish.Duplicate),
            Number("mqtt.qos", (int)publish.Qos),
            Flag("mqtt.retain", publish.Retain),
            .. Present("mqtt.topic", publish.Topic.Length > 0 ? publish.Topic : null),
            .. publish.Qos > 0 ? [Number("mqtt.msgid", publish.PacketId)] : Array.Empty<Field>(),
            .. Properties(publish.Properties, isV5),
            // The dissector resolves an alias behind the properties.
            .. Present(
                "mqtt.topic",
                publish is { Topic.Length: 0, Properties.TopicAlias: { } alias } ? aliases[alias] : null
            ),
            ("mqtt.msg", Hex(publish.Payload)),
        ];
    }

    private static IEnumerable<Field> Subscription(SubscriptionRequest request, bool isV5)
    {
        var options =
            (int)request.Qos
            + (request.NoLocal ? 4 : 0)
            + (request.RetainAsPublished ? 8 : 0)
            + (16 * (int)request.RetainHandling);
        return isV5
            ?
            [
                ("mqtt.topic", request.Filter),
                ("mqtt.subscription_options", $"0x{options:x2}"),
                ("mqtt.subscription_options_reserved", "0x00"),
                Number("mqtt.subscription_options_retain", (int)request.RetainHandling),
                Flag("mqtt.subscription_options_rap", request.RetainAsPublished),
                Flag("mqtt.subscription_options_nl", request.NoLocal),
                Number("mqtt.subscription_options_qos", (int)request.Qos),
            ]
            : [("mqtt.topic", request.Filter), Number("mqtt.sub.qos", (int)request.Qos)];
    }

    private static IEnumerable<Field> Answer(
        ushort packetId,
        string name,
        ReasonCode reason,
        PacketProperties properties
    ) => [Number("mqtt.msgid", packetId), .. Reason(name, reason, properties)];

    private static IEnumerable<Field> Reason(string name, ReasonCode reason, PacketProperties properties) =>
        reason == ReasonCode.Success && properties.IsEmpty
            ? []
            : [Number($"mqtt.{name}.reason_code", (int)reason), .. Properties(properties, isV5: true)];

    private static IEnumerable<Field> Properties(PacketProperties p, bool isV5) =>
        !isV5
            ? []
            :
            [
                .. Property(0x01, (uint?)p.PayloadFormatIndicator),
                .. Property(0x02, p.MessageExpiryIntervalSeconds),
                .. Property(0x03, p.ContentType, "mqtt.property.content_type"),
                .. Property(0x08, p.ResponseTopic),
                .. Property(0x09, p.CorrelationData),
                .. p.SubscriptionIdentifiers.SelectMany(identifier => Property(0x0B, identifier)),
                .. Property(0x11, p.SessionExpiryIntervalSeconds),
                .. Property(0x12, p.AssignedClientIdentifier),
                .. Property(0x13, p.ServerKeepAliveSeconds),
                .. Property(0x15, p.AuthenticationMethod),
                .. Property(0x16, p.AuthenticationData),
                .. Property(0x17, p.RequestProblemInformation),
                .. Property(0x18, p.WillDelayIntervalSeconds),
                .. Property(0x19, p.RequestResponseInformation),
                .. Property(0x1A, p.ResponseInformation),
                .. Property(0x1C, p.ServerReference),
                .. Property(0x1F, p.ReasonString),
                .. Property(0x21, p.ReceiveMaximum),
                .. Property(0x22, p.TopicAliasMaximum),
                .. Property(0x23, p.TopicAlias, "mqtt.property.topic_alias"),
                .. Property(0x24, (uint?)p.MaximumQos, "mqtt.property.max_qos"),
                .. Property(0x25, p.RetainAvailable),
                .. p.UserProperties.SelectMany(property =>
                    new Field[]
                    {
                        ("mqtt.property_id", "0x26"),
                        ("mqtt.prop_key", property.Name),
                        ("mqtt.prop_value", property.Value),
                    }
                ),
                .. Property(0x27, p.MaximumPacketSizeBytes),
                .. Property(0x28, p.WildcardSubscriptionAvailable),
                .. Property(0x29, p.SubscriptionIdentifierAvailable),
                .. Property(0x2A, p.SharedSubscriptionAvailable),
            ];

    private static IEnumerable<Field> Property(int id, bool? value) =>
        Property(id, value is { } flag ? (flag ? 1u : 0u) : null);

    private static IEnumerable<Field> Property(int id, uint? value, string name = "mqtt.prop_number") =>
        Property(id, value?.ToString(CultureInfo.InvariantCulture), name);

    private static IEnumerable<Field> Property(int id, string? value, string name = "mqtt.prop_string") =>
        value is null ? [] : [("mqtt.property_id", $"0x{id:x2}"), (name, value)];

    private static IEnumerable<Field> Property(int id, Bytes? value) =>
        value is not { } bytes ? []
        : bytes.Span.ContainsAnyExceptInRange((byte)' ', (byte)'~')
            ? [("mqtt.property_id", $"0x{id:x2}"), ("mqtt.prop_string", null)]
        : Property(id, bytes.ToText());

    private static IEnumerable<Field> Present(string name, string? value) => value is null ? [] : [(name, value)];

    private static Field Number(string name, long value) => (name, value.ToString(CultureInfo.InvariantCulture));

    private static Field Flag(string name, bool value) => Number(name, value ? 1 : 0);

    private static string Hex(Bytes bytes) =>
        string.Join(':', bytes.Span.ToArray().Select(b => b.ToString("x2", CultureInfo.InvariantCulture)));
}
