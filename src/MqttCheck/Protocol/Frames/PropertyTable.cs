using MqttCheck.Protocol.Decoders;

namespace MqttCheck.Protocol.Frames;

/// <summary>Table 2-4 of MQTT 5: the kind of each property and where it may stand.</summary>
internal static class PropertyTable
{
    /// <summary>The place of will properties; every other place is the bit of its packet type.</summary>
    internal const int Will = 1 << 0;

    private const int Connect = 1 << (int)PacketType.Connect;
    private const int Connack = 1 << (int)PacketType.Connack;
    private const int Publish = 1 << (int)PacketType.Publish;
    private const int PublishAcks = 0xF << (int)PacketType.Puback;
    private const int Subscribe = 1 << (int)PacketType.Subscribe;
    private const int Suback = 1 << (int)PacketType.Suback;
    private const int Unsubscribe = 1 << (int)PacketType.Unsubscribe;
    private const int Unsuback = 1 << (int)PacketType.Unsuback;
    private const int Disconnect = 1 << (int)PacketType.Disconnect;
    private const int Auth = 1 << (int)PacketType.Auth;
    private const int Everywhere =
        Will
        | Connect
        | Connack
        | Publish
        | PublishAcks
        | Subscribe
        | Suback
        | Unsubscribe
        | Unsuback
        | Disconnect
        | Auth;

    // By identifier; one without a property has an unknown kind and no place.
    private static readonly Row[] s_rows = ById([
        new(PropertyId.PayloadFormatIndicator, PropertyDataType.OneByte, Publish | Will, Rules.PayloadFormatValue),
        new(PropertyId.MessageExpiryInterval, PropertyDataType.FourBytes, Publish | Will),
        new(PropertyId.ContentType, PropertyDataType.Text, Publish | Will),
        new(PropertyId.ResponseTopic, PropertyDataType.Text, Publish | Will),
        new(PropertyId.CorrelationData, PropertyDataType.Binary, Publish | Will),
        new(PropertyId.SubscriptionIdentifier, PropertyDataType.VariableByteInteger, Publish | Subscribe),
        new(PropertyId.SessionExpiryInterval, PropertyDataType.FourBytes, Connect | Connack | Disconnect),
        new(PropertyId.AssignedClientIdentifier, PropertyDataType.Text, Connack),
        new(PropertyId.ServerKeepAlive, PropertyDataType.TwoBytes, Connack),
        new(PropertyId.AuthenticationMethod, PropertyDataType.Text, Connect | Connack | Auth),
        new(PropertyId.AuthenticationData, PropertyDataType.Binary, Connect | Connack | Auth),
        new(
            PropertyId.RequestProblemInformation,
            PropertyDataType.OneByte,
            Connect,
            Rules.RequestProblemInformationValue
        ),
        new(PropertyId.WillDelayInterval, PropertyDataType.FourBytes, Will),
        new(
            PropertyId.RequestResponseInformation,
            PropertyDataType.OneByte,
            Connect,
            Rules.RequestResponseInformationValue
        ),
        new(PropertyId.ResponseInformation, PropertyDataType.Text, Connack),
        new(PropertyId.ServerReference, PropertyDataType.Text, Connack | Disconnect),
        new(
            PropertyId.ReasonString,
            PropertyDataType.Text,
            Connack | PublishAcks | Suback | Unsuback | Disconnect | Auth
        ),
        new(PropertyId.ReceiveMaximum, PropertyDataType.TwoBytes, Connect | Connack, Rules.ReceiveMaximumZero),
        new(PropertyId.TopicAliasMaximum, PropertyDataType.TwoBytes, Connect | Connack),
        new(PropertyId.TopicAlias, PropertyDataType.TwoBytes, Publish, Rules.TopicAliasZero),
        new(PropertyId.MaximumQos, PropertyDataType.OneByte, Connack, Rules.MaximumQosValue),
        new(PropertyId.RetainAvailable, PropertyDataType.OneByte, Connack, Rules.RetainAvailableValue),
        new(PropertyId.UserProperty, PropertyDataType.Pair, Everywhere),
        new(PropertyId.MaximumPacketSize, PropertyDataType.FourBytes, Connect | Connack, Rules.MaximumPacketSizeZero),
        new(PropertyId.WildcardSubscriptionAvailable, PropertyDataType.OneByte, Connack, Rules.WildcardAvailableValue),
        new(
            PropertyId.SubscriptionIdentifierAvailable,
            PropertyDataType.OneByte,
            Connack,
            Rules.SubscriptionIdentifierAvailableValue
        ),
        new(
            PropertyId.SharedSubscriptionAvailable,
            PropertyDataType.OneByte,
            Connack,
            Rules.SharedSubscriptionAvailableValue
        ),
    ]);

    /// <summary>How the value of a property is written.</summary>
    internal static PropertyDataType KindOf(PropertyId id) => s_rows[(byte)id].Kind;

    /// <summary>The places of a property: bit 0 for the will, bit n for packet type n.</summary>
    internal static int PlacesOf(PropertyId id) => s_rows[(byte)id].Places;

    /// <summary>The rule that says which values of a property are illegal, where some numbers are.</summary>
    internal static Rule ValueRuleOf(PropertyId id) => s_rows[(byte)id].ValueRule!;

    private static Row[] ById(ReadOnlySpan<Row> rows)
    {
        var byId = new Row[byte.MaxValue + 1];
        foreach (var row in rows)
            byId[(byte)row.Id] = row;
        return byId;
    }

    private readonly record struct Row(PropertyId Id, PropertyDataType Kind, int Places, Rule? ValueRule = null);
}
