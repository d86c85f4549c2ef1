using System.Buffers;
using System.Collections;
using System.Globalization;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MQTTnet.Formatter;
using MQTTnet.Packets;
using MQTTnet.Protocol;

namespace MqttCheck.Tests.Protocol.Interop;

/// <summary>
/// Our packets in the terms of MQTTnet, whose packets tell no absent property from one with its default value.
/// </summary>
internal static class MqttNetPackets
{
    /// <summary>The fields that MQTTnet has to read from our bytes.</summary>
    /// <param name="packet">Our packet.</param>
    /// <param name="version">The version of the connection.</param>
    public static MqttPacket ToTheirs(Packet packet, ProtocolVersion version) =>
        packet switch
        {
            ConnectPacket connect => Connect(connect),
            ConnackPacket connack => version >= ProtocolVersion.V5 ? Connack5(connack) : Connack3(connack),
            PublishPacket publish => Publish(publish),
            PubackPacket ack => new MqttPubAckPacket
            {
                PacketIdentifier = ack.PacketId,
                ReasonCode = (MqttPubAckReasonCode)ack.ReasonCode,
                ReasonString = ack.Properties.ReasonString,
                UserProperties = User(ack.Properties),
            },
            PubrecPacket ack => new MqttPubRecPacket
            {
                PacketIdentifier = ack.PacketId,
                ReasonCode = (MqttPubRecReasonCode)ack.ReasonCode,
                ReasonString = ack.Properties.ReasonString,
                UserProperties = User(ack.Properties),
            },
            PubrelPacket ack => new MqttPubRelPacket
            {
                PacketIdentifier = ack.PacketId,
                ReasonCode = (MqttPubRelReasonCode)ack.ReasonCode,
                ReasonString = ack.Properties.ReasonString,
                UserProperties = User(ack.Properties),
            },
            PubcompPacket ack => new MqttPubCompPacket
            {
                PacketIdentifier = ack.PacketId,
                ReasonCode = (MqttPubCompReasonCode)ack.ReasonCode,
                ReasonString = ack.Properties.ReasonString,
                UserProperties = User(ack.Properties),
            },
            PingreqPacket => new MqttPingReqPacket(),
            PingrespPacket => new MqttPingRespPacket(),
            _ => SubscriptionOrEnd(packet),
        };

    /// <summary>All fields of a packet, one a line, so that two packets can be compared.</summary>
    /// <param name="packet">A packet of MQTTnet.</param>
    public static string Describe(MqttPacket packet) => $"{packet.GetType().Name}\n" + Fields(packet);

    private static MqttPacket SubscriptionOrEnd(Packet packet) =>
        packet switch
        {
            SubscribePacket subscribe => new MqttSubscribePacket
            {
                PacketIdentifier = subscribe.PacketId,
                SubscriptionIdentifier = subscribe.Properties.SubscriptionIdentifiers.SingleOrDefault(),
                TopicFilters = [.. subscribe.Subscriptions.Select(Filter)],
                UserProperties = User(subscribe.Properties),
            },
            SubackPacket suback => new MqttSubAckPacket
            {
                PacketIdentifier = suback.PacketId,
                ReasonCodes = [.. suback.ReasonCodes.Select(code => (MqttSubscribeReasonCode)code)],
                ReasonString = suback.Properties.ReasonString,
                UserProperties = User(suback.Properties),
            },
            UnsubscribePacket unsubscribe => new MqttUnsubscribePacket
            {
                PacketIdentifier = unsubscribe.PacketId,
                TopicFilters = [.. unsubscribe.Filters],
                UserProperties = User(unsubscribe.Properties),
            },
            UnsubackPacket unsuback => new MqttUnsubAckPacket
            {
                PacketIdentifier = unsuback.PacketId,
                ReasonCodes = [.. unsuback.ReasonCodes.Select(code => (MqttUnsubscribeReasonCode)code)],
                ReasonString = unsuback.Properties.ReasonString,
                UserProperties = User(unsuback.Properties),
            },
            DisconnectPacket disconnect => new MqttDisconnectPacket
            {
                ReasonCode = (MqttDisconnectReasonCode)disconnect.ReasonCode,
                ReasonString = disconnect.Properties.ReasonString,
                ServerReference = disconnect.Properties.ServerReference,
                SessionExpiryInterval = disconnect.Properties.SessionExpiryIntervalSeconds ?? 0,
                UserProperties = User(disconnect.Properties),
            },
            AuthPacket auth => new MqttAuthPacket
            {
                ReasonCode = (MqttAuthenticateReasonCode)auth.ReasonCode,
                AuthenticationMethod = auth.Properties.AuthenticationMethod,
                AuthenticationData = Array(auth.Properties.AuthenticationData),
                ReasonString = auth.Properties.ReasonString,
                UserProperties = User(auth.Properties),
            },
            _ => throw new ArgumentOutOfRangeException(nameof(packet), packet, "no packet"),
        };

    private static MqttConnectPacket Connect(ConnectPacket packet)
    {
        var properties = packet.Properties;
        var isV5 = packet.ProtocolVersion >= ProtocolVersion.V5;
        var will = packet.Will;
        return new MqttConnectPacket
        {
            ClientId = packet.ClientId,
            CleanSession = packet.CleanStart,
            KeepAlivePeriod = packet.KeepAliveSeconds,
            Username = packet.UserName,
            Password = Array(packet.Password),
            AuthenticationMethod = properties.AuthenticationMethod,
            AuthenticationData = Array(properties.AuthenticationData),
            MaximumPacketSize = properties.MaximumPacketSizeBytes ?? 0,
            ReceiveMaximum = properties.ReceiveMaximum ?? 0,
            RequestProblemInformation = isV5 && (properties.RequestProblemInformation ?? true),
            RequestResponseInformation = properties.RequestResponseInformation ?? false,
            SessionExpiryInterval = properties.SessionExpiryIntervalSeconds ?? 0,
            TopicAliasMaximum = properties.TopicAliasMaximum ?? 0,
            UserProperties = User(properties),
            WillFlag = will is not null,
            WillTopic = will?.Topic,
            WillMessage = will?.Payload.Span.ToArray(),
            WillQoS = (MqttQualityOfServiceLevel)(will?.Qos ?? 0),
            WillRetain = will?.Retain ?? false,
            WillPayloadFormatIndicator = (MqttPayloadFormatIndicator)(will?.Properties.PayloadFormatIndicator ?? 0),
            WillMessageExpiryInterval = will?.Properties.MessageExpiryIntervalSeconds ?? 0,
            WillContentType = will?.Properties.ContentType,
            WillResponseTopic = will?.Properties.ResponseTopic,
            WillCorrelationData = Array(will?.Properties.CorrelationData),
            WillDelayInterval = will?.Properties.WillDelayIntervalSeconds ?? 0,
            WillUserProperties = will is null ? null : User(will.Properties),
        };
    }

    private static MqttConnAckPacket Connack3(ConnackPacket packet)
    {
        ConnectReturnCodes.TryFromReasonCode(packet.ReasonCode, out var code);
        return new() { IsSessionPresent = packet.SessionPresent, ReturnCode = (MqttConnectReturnCode)code };
    }

    private static MqttConnAckPacket Connack5(ConnackPacket packet)
    {
        var properties = packet.Properties;
        return new()
        {
            IsSessionPresent = packet.SessionPresent,
            ReasonCode = (MqttConnectReasonCode)packet.ReasonCode,
            ReturnCode = MqttConnectReasonCodeConverter.ToConnectReturnCode((MqttConnectReasonCode)packet.ReasonCode),
            AssignedClientIdentifier = properties.AssignedClientIdentifier,
            AuthenticationMethod = properties.AuthenticationMethod,
            AuthenticationData = Array(properties.AuthenticationData),
            MaximumPacketSize = properties.MaximumPacketSizeBytes ?? 0,
            MaximumQoS = (MqttQualityOfServiceLevel)(properties.MaximumQos ?? QualityOfService.ExactlyOnce),
            ReasonString = properties.ReasonString,
            ReceiveMaximum = properties.ReceiveMaximum ?? 0,
            ResponseInformation = properties.ResponseInformation,
            RetainAvailable = properties.RetainAvailable ?? true,
            ServerKeepAlive = properties.ServerKeepAliveSeconds ?? 0,
            ServerReference = properties.ServerReference,
            SessionExpiryInterval = properties.SessionExpiryIntervalSeconds ?? 0,
            SharedSubscriptionAvailable = properties.SharedSubscriptionAvailable ?? true,
            SubscriptionIdentifiersAvailable = properties.SubscriptionIdentifierAvailable ?? true,
            TopicAliasMaximum = properties.TopicAliasMaximum ?? 0,
            WildcardSubscriptionAvailable = properties.WildcardSubscriptionAvailable ?? true,
            UserProperties = User(properties),
        };
    }

    private static MqttPublishPacket Publish(PublishPacket packet) =>
        new()
        {
            Topic = packet.Topic,
            PayloadSegment = packet.Payload.Span.ToArray(),
            QualityOfServiceLevel = (MqttQualityOfServiceLevel)packet.Qos,
            Retain = packet.Retain,
            Dup = packet.Duplicate,
            PacketIdentifier = packet.PacketId,
            PayloadFormatIndicator = (MqttPayloadFormatIndicator)(packet.Properties.PayloadFormatIndicator ?? 0),
            MessageExpiryInterval = packet.Properties.MessageExpiryIntervalSeconds ?? 0,
            ContentType = packet.Properties.ContentType,
            ResponseTopic = packet.Properties.ResponseTopic,
            CorrelationData = Array(packet.Properties.CorrelationData),
            SubscriptionIdentifiers = [.. packet.Properties.SubscriptionIdentifiers],
            TopicAlias = packet.Properties.TopicAlias ?? 0,
            UserProperties = User(packet.Properties),
        };

    private static MqttTopicFilter Filter(SubscriptionRequest request) =>
        new()
        {
            Topic = request.Filter,
            QualityOfServiceLevel = (MqttQualityOfServiceLevel)request.Qos,
            NoLocal = request.NoLocal,
            RetainAsPublished = request.RetainAsPublished,
            RetainHandling = (MqttRetainHandling)request.RetainHandling,
        };

    private static byte[]? Array(Bytes? bytes) => bytes?.Span.ToArray();

    private static List<MqttUserProperty> User(PacketProperties properties) =>
        [
            .. properties.UserProperties.Select(property => new MqttUserProperty(
                property.Name,
                System.Text.Encoding.UTF8.GetBytes(property.Value).AsMemory()
            )),
        ];

    private static string Fields(object value) =>
        string.Join(
            '\n',
            value
                .GetType()
                .GetProperties()
                .Where(property => property.CanRead && property.Name is not "PayloadSegment")
                .OrderBy(property => property.Name, StringComparer.Ordinal)
                .Select(property => $"{property.Name} = {Text(property.GetValue(value))}")
        );

    // Absent lists are empty lists; absent texts and bytes are none.
    private static string Text(object? value) =>
        value switch
        {
            null => "none",
            string text => $"'{text}'",
            byte[] bytes => $"0x{Convert.ToHexStringLower(bytes)}",
            ReadOnlySequence<byte> bytes => $"0x{Convert.ToHexStringLower(bytes.ToArray())}",
            MqttUserProperty user => $"{user.Name}: 0x{Convert.ToHexStringLower(user.ValueBuffer.Span)}",
            MqttTopicFilter filter => Fields(filter).Replace('\n', ' '),
            ICollection { Count: 0 } => "none",
            ICollection list => string.Join(" | ", list.Cast<object>().Select(Text)),
            IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
            _ => value.ToString() ?? "",
        };
}
