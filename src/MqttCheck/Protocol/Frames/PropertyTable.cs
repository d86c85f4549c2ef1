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

    /// <summary>How the value of a property is written.</summary>
    internal static PropertyDataType KindOf(PropertyId id) =>
        id switch
        {
            PropertyId.PayloadFormatIndicator
            or PropertyId.RequestProblemInformation
            or PropertyId.RequestResponseInformation
            or PropertyId.MaximumQos
            or PropertyId.RetainAvailable
            or PropertyId.WildcardSubscriptionAvailable
            or PropertyId.SubscriptionIdentifierAvailable
            or PropertyId.SharedSubscriptionAvailable => PropertyDataType.OneByte,
            PropertyId.ServerKeepAlive
            or PropertyId.ReceiveMaximum
            or PropertyId.TopicAliasMaximum
            or PropertyId.TopicAlias => PropertyDataType.TwoBytes,
            PropertyId.MessageExpiryInterval
            or PropertyId.SessionExpiryInterval
            or PropertyId.WillDelayInterval
            or PropertyId.MaximumPacketSize => PropertyDataType.FourBytes,
            PropertyId.SubscriptionIdentifier => PropertyDataType.VariableByteInteger,
            PropertyId.ContentType
            or PropertyId.ResponseTopic
            or PropertyId.AssignedClientIdentifier
            or PropertyId.AuthenticationMethod
            or PropertyId.ResponseInformation
            or PropertyId.ServerReference
            or PropertyId.ReasonString => PropertyDataType.Text,
            PropertyId.CorrelationData or PropertyId.AuthenticationData => PropertyDataType.Binary,
            PropertyId.UserProperty => PropertyDataType.Pair,
            _ => PropertyDataType.Unknown,
        };

    /// <summary>The places of a property: bit 0 for the will, bit n for packet type n.</summary>
    internal static int PlacesOf(PropertyId id) =>
        id switch
        {
            PropertyId.PayloadFormatIndicator
            or PropertyId.MessageExpiryInterval
            or PropertyId.ContentType
            or PropertyId.ResponseTopic
            or PropertyId.CorrelationData => Publish | Will,
            PropertyId.SubscriptionIdentifier => Publish | Subscribe,
            PropertyId.SessionExpiryInterval => Connect | Connack | Disconnect,
            PropertyId.AuthenticationMethod or PropertyId.AuthenticationData => Connect | Connack | Auth,
            PropertyId.RequestProblemInformation or PropertyId.RequestResponseInformation => Connect,
            PropertyId.WillDelayInterval => Will,
            PropertyId.ServerReference => Connack | Disconnect,
            PropertyId.ReasonString => Connack | PublishAcks | Suback | Unsuback | Disconnect | Auth,
            PropertyId.ReceiveMaximum or PropertyId.TopicAliasMaximum or PropertyId.MaximumPacketSize => Connect
                | Connack,
            PropertyId.TopicAlias => Publish,
            PropertyId.UserProperty => Will
                | Connect
                | Connack
                | Publish
                | PublishAcks
                | Subscribe
                | Suback
                | Unsubscribe
                | Unsuback
                | Disconnect
                | Auth,
            PropertyId.AssignedClientIdentifier
            or PropertyId.ServerKeepAlive
            or PropertyId.ResponseInformation
            or PropertyId.MaximumQos
            or PropertyId.RetainAvailable
            or PropertyId.WildcardSubscriptionAvailable
            or PropertyId.SubscriptionIdentifierAvailable
            or PropertyId.SharedSubscriptionAvailable => Connack,
            _ => 0,
        };
}
