using static MqttCheck.Protocol.ReasonCode;

namespace MqttCheck.Protocol.Decoders;

/// <summary>The rules of the wire format that the decoder checks.</summary>
internal static class Rules
{
    // Frame
    internal static readonly Rule PacketType = new("2.2.1", "2.1.2", MalformedPacket);
    internal static readonly Rule Direction = new("2.2.1", "2.1.2", ProtocolError);
    internal static readonly Rule Flags = new("2.2.2-2", "2.1.3-1", MalformedPacket);
    internal static readonly Rule RemainingLength = new("2.2.3", "2.1.4", MalformedPacket);
    internal static readonly Rule LongInteger = new("2.2.3", "1.5.5", MalformedPacket);
    internal static readonly Rule ShortestInteger = new("2.2.3", "1.5.5-1", MalformedPacket);
    internal static readonly Rule Truncated = new("4.8.0-1", "4.13.1-1", MalformedPacket);
    internal static readonly Rule TrailingBytes = new("4.8.0-1", "4.13.1-1", MalformedPacket);

    internal static readonly Rule MemoryLimit = new("4.8", "4.13.1", QuotaExceeded);

    // Strings
    internal static readonly Rule Utf8 = new("1.5.3-1", "1.5.4-1", MalformedPacket);
    internal static readonly Rule NullCharacter = new("1.5.3-2", "1.5.4-2", MalformedPacket);

    // Packet identifiers
    internal static readonly Rule PacketId = new("2.3.1-1", "2.2.1-3", ProtocolError);
    internal static readonly Rule PacketIdFromServer = new("2.3.1-1", "2.2.1-4", ProtocolError);
    internal static readonly Rule AnswerPacketId = new("2.3.1-6", "2.2.1-5", ProtocolError);
    internal static readonly Rule SubscriptionAnswerPacketId = new("2.3.1-7", "2.2.1-6", ProtocolError);

    // Properties
    internal static readonly Rule UnknownProperty = new("2.2.2.2", MalformedPacket);
    internal static readonly Rule MisplacedProperty = new("2.2.2.2", MalformedPacket);
    internal static readonly Rule RepeatedProperty = new("2.2.2.2", ProtocolError);
    internal static readonly Rule PropertiesLength = new("2.2.2.1", MalformedPacket);
    internal static readonly Rule SubscriptionIdentifierFromClient = new("3.3.4-6", ProtocolError);
    internal static readonly Rule SubscriptionIdentifierZero = new("3.8.2.1.2", ProtocolError);
    internal static readonly Rule TopicAliasZero = new("3.3.2-8", ReasonCode.TopicAliasInvalid);
    internal static readonly Rule ResponseTopicWildcard = new("3.3.2-14", ProtocolError);
    internal static readonly Rule PayloadFormatValue = new("3.3.2.3.2", ProtocolError);
    internal static readonly Rule RequestProblemInformationValue = new("3.1.2.11.7", ProtocolError);
    internal static readonly Rule RequestResponseInformationValue = new("3.1.2.11.6", ProtocolError);
    internal static readonly Rule ReceiveMaximumZero = new("3.1.2.11.3", ProtocolError);
    internal static readonly Rule MaximumPacketSizeZero = new("3.1.2.11.4", ProtocolError);
    internal static readonly Rule MaximumQosValue = new("3.2.2.3.4", ProtocolError);
    internal static readonly Rule RetainAvailableValue = new("3.2.2.3.5", ProtocolError);
    internal static readonly Rule WildcardAvailableValue = new("3.2.2.3.11", ProtocolError);
    internal static readonly Rule SubscriptionIdentifierAvailableValue = new("3.2.2.3.12", ProtocolError);
    internal static readonly Rule SharedSubscriptionAvailableValue = new("3.2.2.3.13", ProtocolError);
    internal static readonly Rule SessionExpiryFromServer = new("3.14.2-2", ProtocolError);
    internal static readonly Rule ServerReferenceFromClient = new("3.14.2.2.5", ProtocolError);
    internal static readonly Rule AuthenticationDataWithoutMethod = new("3.1.2.11.10", ProtocolError);
    internal static readonly Rule AuthenticationMethodMissing = new("3.15.2.2.2", ProtocolError);

    // CONNECT, CONNACK
    internal static readonly Rule ProtocolName = new("3.1.2-1", UnsupportedProtocolVersion);
    internal static readonly Rule ProtocolLevel = new("3.1.2-2", UnsupportedProtocolVersion);
    internal static readonly Rule ConnectReservedFlag = new("3.1.2-3", MalformedPacket);
    internal static readonly Rule WillQosWithoutWill = new("3.1.2-13", "3.1.2-11", MalformedPacket);
    internal static readonly Rule WillQos = new("3.1.2-14", "3.1.2-12", MalformedPacket);
    internal static readonly Rule WillRetainWithoutWill = new("3.1.2-15", "3.1.2-13", MalformedPacket);
    internal static readonly Rule PasswordWithoutUserName = new("3.1.2-22", ProtocolError);
    internal static readonly Rule EmptyClientId = new("3.1.3-7", ClientIdentifierNotValid);
    internal static readonly Rule ConnackFlags = new("3.2.2.1", "3.2.2-1", MalformedPacket);
    internal static readonly Rule SessionPresentWithFailure = new("3.2.2-4", "3.2.2-6", ProtocolError);
    internal static readonly Rule ConnackCode = new("3.2.2.3", "3.2.2-8", ProtocolError);

    // PUBLISH and its acknowledgements
    internal static readonly Rule DuplicateAtQos0 = new("3.3.1-2", ProtocolError);
    internal static readonly Rule Qos3 = new("3.3.1-4", MalformedPacket);
    internal static readonly Rule TopicWithoutAlias = new("4.7.3-1", "3.3.2.1", ProtocolError);
    internal static readonly Rule TopicWildcard = new("3.3.2-2", TopicNameInvalid);
    internal static readonly Rule EmptyTopic = new("4.7.3-1", TopicNameInvalid);
    internal static readonly Rule PubrelFlags = new("3.6.1-1", MalformedPacket);
    internal static readonly Rule PubackCode = new("3.4.2-1", ProtocolError);
    internal static readonly Rule PubrecCode = new("3.5.2-1", ProtocolError);
    internal static readonly Rule PubrelCode = new("3.6.2-1", ProtocolError);
    internal static readonly Rule PubcompCode = new("3.7.2-1", ProtocolError);

    // Subscriptions
    internal static readonly Rule SubscribeFlags = new("3.8.1-1", MalformedPacket);
    internal static readonly Rule NoFilter = new("3.8.3-3", "3.8.3-2", ProtocolError);
    internal static readonly Rule SubscriptionReservedBits = new("3.8.3-4", "3.8.3-5", MalformedPacket);
    internal static readonly Rule SubscriptionQos = new("3.8.3-4", "3.8.3.1", ProtocolError);
    internal static readonly Rule SubscriptionRetainHandling = new("3.8.3-4", "3.8.3.1", ProtocolError);
    internal static readonly Rule NoLocalOnShared = new("3.8.3-4", ProtocolError);
    internal static readonly Rule SubackCode = new("3.9.3-2", ProtocolError);
    internal static readonly Rule SubackWithoutCode = new("3.8.4-5", "3.8.4-6", ProtocolError);
    internal static readonly Rule UnsubscribeFlags = new("3.10.1-1", MalformedPacket);
    internal static readonly Rule NothingToUnsubscribe = new("3.10.3-2", ProtocolError);
    internal static readonly Rule UnsubackCode = new("3.11.3-2", ProtocolError);
    internal static readonly Rule UnsubackWithoutCode = new("3.11.3-1", ProtocolError);

    // Topic filters
    internal static readonly Rule EmptyFilter = new("4.7.3-1", TopicFilterInvalid);
    internal static readonly Rule MultiLevelWildcard = new("4.7.1-2", "4.7.1-1", TopicFilterInvalid);
    internal static readonly Rule SingleLevelWildcard = new("4.7.1-3", "4.7.1-2", TopicFilterInvalid);
    internal static readonly Rule ShareName = new("4.8.2-1", TopicFilterInvalid);
    internal static readonly Rule SharedFilter = new("4.8.2-2", TopicFilterInvalid);

    // DISCONNECT, AUTH
    internal static readonly Rule DisconnectFlags = new("3.14.1-1", MalformedPacket);
    internal static readonly Rule DisconnectCode = new("3.14.2-1", ProtocolError);
    internal static readonly Rule AuthFlags = new("3.15.1-1", MalformedPacket);
    internal static readonly Rule AuthCode = new("3.15.2-1", ProtocolError);
}
