using System.Globalization;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Tests.Protocol.Interop;

/// <summary>
/// The fields, by the names of Wireshark 4's MQTT dissector, that a packet must show, in the order of the wire.
/// </summary>
internal sealed class TsharkFields
{
    private readonly List<(string Name, string? Value)> _fields = [];

    /// <summary>
    /// The fields; a null value is one that the dissector cannot show faithfully (binary data as text).
    /// </summary>
    internal static List<(string Name, string? Value)> Of(
        Packet packet,
        ProtocolVersion version,
        Dictionary<ushort, string> aliases
    )
    {
        var fields = new TsharkFields();
        fields.Add(packet, version >= ProtocolVersion.V5, aliases);
        return fields._fields;
    }

    private void Add(Packet packet, bool isV5, Dictionary<ushort, string> aliases)
    {
        var flags = packet switch
        {
            PublishPacket p => (p.Duplicate ? 8 : 0) + (2 * (int)p.Qos) + (p.Retain ? 1 : 0),
            PubrelPacket or SubscribePacket or UnsubscribePacket => 2,
            _ => 0,
        };
        Text("mqtt.hdrflags", $"0x{(16 * (int)packet.Type) + flags:x2}");
        Number("mqtt.msgtype", (int)packet.Type);
        switch (packet)
        {
            case ConnectPacket connect:
                Connect(connect, isV5);
                break;
            case ConnackPacket connack:
                Text("mqtt.conack.flags", connack.SessionPresent ? "0x01" : "0x00");
                Number("mqtt.conack.flags.reserved", 0);
                Flag("mqtt.conack.flags.sp", connack.SessionPresent);
                if (isV5)
                    Number("mqtt.connack.reason_code", (int)connack.ReasonCode);
                else
                    Number("mqtt.conack.val", connack.ReasonCode == ReasonCode.NotAuthorized ? 5 : 0);
                if (isV5)
                    Properties(connack.Properties);
                break;
            case PublishPacket publish:
                Publish(publish, isV5, aliases);
                break;
            case PubackPacket ack:
                Answer(ack.PacketId, "puback", ack.ReasonCode, ack.Properties);
                break;
            case PubrecPacket ack:
                Answer(ack.PacketId, "pubrec", ack.ReasonCode, ack.Properties);
                break;
            case PubrelPacket ack:
                Answer(ack.PacketId, "pubrel", ack.ReasonCode, ack.Properties);
                break;
            case PubcompPacket ack:
                Answer(ack.PacketId, "pubcomp", ack.ReasonCode, ack.Properties);
                break;
            case SubscribePacket subscribe:
                Number("mqtt.msgid", subscribe.PacketId);
                if (isV5)
                    Properties(subscribe.Properties);
                foreach (var request in subscribe.Subscriptions)
                    Subscription(request, isV5);
                break;
            case SubackPacket suback:
                Number("mqtt.msgid", suback.PacketId);
                if (isV5)
                    Properties(suback.Properties);
                foreach (var code in suback.ReasonCodes)
                    Number(isV5 ? "mqtt.suback.reason_code" : "mqtt.suback.qos", (int)code);
                break;
            case UnsubscribePacket unsubscribe:
                Number("mqtt.msgid", unsubscribe.PacketId);
                if (isV5)
                    Properties(unsubscribe.Properties);
                foreach (var filter in unsubscribe.Filters)
                    Text("mqtt.topic", filter);
                break;
            case UnsubackPacket unsuback:
                Number("mqtt.msgid", unsuback.PacketId);
                if (isV5)
                    Properties(unsuback.Properties);
                foreach (var code in unsuback.ReasonCodes)
                    Number("mqtt.unsuback.reason_code", (int)code);
                break;
            case DisconnectPacket disconnect:
                Reason("disconnect", disconnect.ReasonCode, disconnect.Properties);
                break;
            case AuthPacket auth:
                Reason("auth", auth.ReasonCode, auth.Properties);
                break;
        }
    }

    private void Connect(ConnectPacket connect, bool isV5)
    {
        Text("mqtt.protoname", connect.ProtocolName);
        Number("mqtt.ver", (int)connect.ProtocolVersion);
        var flags =
            (connect.CleanStart ? 2 : 0) + (connect.UserName is null ? 0 : 128) + (connect.Password is null ? 0 : 64);
        if (connect.Will is { } w)
            flags += 4 + (8 * (int)w.Qos) + (w.Retain ? 32 : 0);
        Text("mqtt.conflags", $"0x{flags:x2}");
        Flag("mqtt.conflag.uname", connect.UserName is not null);
        Flag("mqtt.conflag.passwd", connect.Password is not null);
        Flag("mqtt.conflag.retain", connect.Will?.Retain == true);
        Number("mqtt.conflag.qos", (int)(connect.Will?.Qos ?? 0));
        Flag("mqtt.conflag.willflag", connect.Will is not null);
        Flag("mqtt.conflag.cleansess", connect.CleanStart);
        Number("mqtt.conflag.reserved", 0);
        Number("mqtt.kalive", connect.KeepAliveSeconds);
        if (isV5)
            Properties(connect.Properties);
        Text("mqtt.clientid", connect.ClientId);
        if (connect.Will is { } will)
        {
            if (isV5)
                Properties(will.Properties);
            Text("mqtt.willtopic", will.Topic);
            Text("mqtt.willmsg", Hex(will.Payload));
        }
        if (connect.UserName is not null)
            Text("mqtt.username", connect.UserName);
        if (connect.Password is { } password)
            Text("mqtt.passwd", password.ToText());
    }

    private void Publish(PublishPacket publish, bool isV5, Dictionary<ushort, string> aliases)
    {
        Flag("mqtt.dupflag", publish.Duplicate);
        Number("mqtt.qos", (int)publish.Qos);
        Flag("mqtt.retain", publish.Retain);
        if (publish.Topic.Length > 0)
            Text("mqtt.topic", publish.Topic);
        if (publish.Qos > 0)
            Number("mqtt.msgid", publish.PacketId);
        if (isV5)
            Properties(publish.Properties);
        // The dissector resolves an alias behind the properties.
        if (publish.Properties.TopicAlias is { } alias)
        {
            if (publish.Topic.Length > 0)
                aliases[alias] = publish.Topic;
            else
                Text("mqtt.topic", aliases[alias]);
        }
        Text("mqtt.msg", Hex(publish.Payload));
    }

    private void Subscription(SubscriptionRequest request, bool isV5)
    {
        Text("mqtt.topic", request.Filter);
        if (!isV5)
        {
            Number("mqtt.sub.qos", (int)request.Qos);
            return;
        }
        var options =
            (int)request.Qos
            + (request.NoLocal ? 4 : 0)
            + (request.RetainAsPublished ? 8 : 0)
            + (16 * (int)request.RetainHandling);
        Text("mqtt.subscription_options", $"0x{options:x2}");
        Text("mqtt.subscription_options_reserved", "0x00");
        Number("mqtt.subscription_options_retain", (int)request.RetainHandling);
        Flag("mqtt.subscription_options_rap", request.RetainAsPublished);
        Flag("mqtt.subscription_options_nl", request.NoLocal);
        Number("mqtt.subscription_options_qos", (int)request.Qos);
    }

    private void Answer(ushort packetId, string name, ReasonCode reason, PacketProperties properties)
    {
        Number("mqtt.msgid", packetId);
        Reason(name, reason, properties);
    }

    private void Reason(string name, ReasonCode reason, PacketProperties properties)
    {
        if (reason == ReasonCode.Success && properties.IsEmpty)
            return;
        Number($"mqtt.{name}.reason_code", (int)reason);
        Properties(properties);
    }

    private void Properties(PacketProperties p)
    {
        Property(0x01, (uint?)p.PayloadFormatIndicator);
        Property(0x02, p.MessageExpiryIntervalSeconds);
        Property(0x03, p.ContentType, "mqtt.property.content_type");
        Property(0x08, p.ResponseTopic);
        Property(0x09, p.CorrelationData);
        foreach (var identifier in p.SubscriptionIdentifiers)
            Property(0x0B, identifier);
        Property(0x11, p.SessionExpiryIntervalSeconds);
        Property(0x12, p.AssignedClientIdentifier);
        Property(0x13, p.ServerKeepAliveSeconds);
        Property(0x15, p.AuthenticationMethod);
        Property(0x16, p.AuthenticationData);
        Property(0x17, p.RequestProblemInformation);
        Property(0x18, p.WillDelayIntervalSeconds);
        Property(0x19, p.RequestResponseInformation);
        Property(0x1A, p.ResponseInformation);
        Property(0x1C, p.ServerReference);
        Property(0x1F, p.ReasonString);
        Property(0x21, p.ReceiveMaximum);
        Property(0x22, p.TopicAliasMaximum);
        Property(0x23, p.TopicAlias, "mqtt.property.topic_alias");
        Property(0x24, (uint?)p.MaximumQos, "mqtt.property.max_qos");
        Property(0x25, p.RetainAvailable);
        foreach (var property in p.UserProperties)
        {
            Text("mqtt.property_id", "0x26");
            Text("mqtt.prop_key", property.Name);
            Text("mqtt.prop_value", property.Value);
        }
        Property(0x27, p.MaximumPacketSizeBytes);
        Property(0x28, p.WildcardSubscriptionAvailable);
        Property(0x29, p.SubscriptionIdentifierAvailable);
        Property(0x2A, p.SharedSubscriptionAvailable);
    }

    private void Property(int id, bool? value) => Property(id, value is { } flag ? (flag ? 1u : 0u) : null);

    private void Property(int id, uint? value, string name = "mqtt.prop_number")
    {
        if (value is not { } number)
            return;
        Text("mqtt.property_id", $"0x{id:x2}");
        Number(name, number);
    }

    private void Property(int id, string? value, string name = "mqtt.prop_string")
    {
        if (value is null)
            return;
        Text("mqtt.property_id", $"0x{id:x2}");
        Text(name, value);
    }

    private void Property(int id, Bytes? value)
    {
        if (value is not { } bytes)
            return;
        Text("mqtt.property_id", $"0x{id:x2}");
        _fields.Add(
            ("mqtt.prop_string", bytes.Span.ContainsAnyExceptInRange((byte)' ', (byte)'~') ? null : bytes.ToText())
        );
    }

    private void Text(string name, string value) => _fields.Add((name, value));

    private void Number(string name, long value) => _fields.Add((name, value.ToString(CultureInfo.InvariantCulture)));

    private void Flag(string name, bool value) => Number(name, value ? 1 : 0);

    private static string Hex(Bytes bytes) =>
        string.Join(':', bytes.Span.ToArray().Select(b => b.ToString("x2", CultureInfo.InvariantCulture)));
}
