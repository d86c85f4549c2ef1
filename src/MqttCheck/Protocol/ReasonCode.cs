namespace MqttCheck.Protocol;

/// <summary>
/// The reason codes of MQTT 5 (section 2.4); 0x80 and above are failures. Packets of 3.1.1 use them too where they
/// carry a code: SUBACK has the same numbers, CONNACK is translated by <see cref="ConnectReturnCodes"/>.
/// </summary>
public enum ReasonCode : byte
{
    /// <summary>Success; in DISCONNECT: normal disconnection; in SUBACK: granted QoS 0.</summary>
    Success = 0x00,

    /// <summary>SUBACK: granted QoS 1.</summary>
    GrantedQos1 = 0x01,

    /// <summary>SUBACK: granted QoS 2.</summary>
    GrantedQos2 = 0x02,

    /// <summary>DISCONNECT from the client: publish the will all the same.</summary>
    DisconnectWithWill = 0x04,

    /// <summary>PUBACK, PUBREC from the server: accepted, nobody subscribes to it.</summary>
    NoMatchingSubscribers = 0x10,

    /// <summary>UNSUBACK: there was nothing to remove.</summary>
    NoSubscriptionExisted = 0x11,

    /// <summary>AUTH: another step follows.</summary>
    ContinueAuthentication = 0x18,

    /// <summary>AUTH from the client: start again.</summary>
    Reauthenticate = 0x19,

    /// <summary>An error without a better code; the one failure code of SUBACK in 3.1.1.</summary>
    UnspecifiedError = 0x80,

    /// <summary>The bytes do not form a packet.</summary>
    MalformedPacket = 0x81,

    /// <summary>A packet that is not allowed here, or contradicts itself.</summary>
    ProtocolError = 0x82,

    /// <summary>Valid, but refused by this implementation.</summary>
    ImplementationSpecificError = 0x83,

    /// <summary>CONNACK: this protocol level is not served.</summary>
    UnsupportedProtocolVersion = 0x84,

    /// <summary>CONNACK: valid string, not accepted as a client identifier.</summary>
    ClientIdentifierNotValid = 0x85,

    /// <summary>CONNACK: credentials refused.</summary>
    BadUserNameOrPassword = 0x86,

    /// <summary>The client may not do this.</summary>
    NotAuthorized = 0x87,

    /// <summary>CONNACK: the server is not available.</summary>
    ServerUnavailable = 0x88,

    /// <summary>Try again later.</summary>
    ServerBusy = 0x89,

    /// <summary>CONNACK: this client is banned.</summary>
    Banned = 0x8A,

    /// <summary>DISCONNECT from the server.</summary>
    ServerShuttingDown = 0x8B,

    /// <summary>The authentication method is unknown, or not that of the session.</summary>
    BadAuthenticationMethod = 0x8C,

    /// <summary>DISCONNECT from the server: silent for 1.5 keep alive intervals.</summary>
    KeepAliveTimeout = 0x8D,

    /// <summary>DISCONNECT from the server: another connection uses this client identifier.</summary>
    SessionTakenOver = 0x8E,

    /// <summary>The topic filter is not accepted.</summary>
    TopicFilterInvalid = 0x8F,

    /// <summary>The topic name is not accepted.</summary>
    TopicNameInvalid = 0x90,

    /// <summary>The packet identifier belongs to an open exchange.</summary>
    PacketIdentifierInUse = 0x91,

    /// <summary>PUBREL, PUBCOMP: no exchange has this packet identifier.</summary>
    PacketIdentifierNotFound = 0x92,

    /// <summary>More unacknowledged QoS 1 and 2 messages than announced.</summary>
    ReceiveMaximumExceeded = 0x93,

    /// <summary>The topic alias is 0 or above the announced maximum.</summary>
    TopicAliasInvalid = 0x94,

    /// <summary>Larger than the announced maximum packet size.</summary>
    PacketTooLarge = 0x95,

    /// <summary>Too many messages.</summary>
    MessageRateTooHigh = 0x96,

    /// <summary>A limit of the implementation or an administrator.</summary>
    QuotaExceeded = 0x97,

    /// <summary>Closed by an administrator.</summary>
    AdministrativeAction = 0x98,

    /// <summary>The payload is not what its format indicator says.</summary>
    PayloadFormatInvalid = 0x99,

    /// <summary>The server keeps no retained messages.</summary>
    RetainNotSupported = 0x9A,

    /// <summary>Above the maximum QoS of the server.</summary>
    QosNotSupported = 0x9B,

    /// <summary>Use another server for now.</summary>
    UseAnotherServer = 0x9C,

    /// <summary>Use another server from now on.</summary>
    ServerMoved = 0x9D,

    /// <summary>The server has no shared subscriptions.</summary>
    SharedSubscriptionsNotSupported = 0x9E,

    /// <summary>Too many connections per time.</summary>
    ConnectionRateExceeded = 0x9F,

    /// <summary>DISCONNECT from the server: connected for as long as is allowed.</summary>
    MaximumConnectTime = 0xA0,

    /// <summary>The server has no subscription identifiers.</summary>
    SubscriptionIdentifiersNotSupported = 0xA1,

    /// <summary>The server has no wildcard subscriptions.</summary>
    WildcardSubscriptionsNotSupported = 0xA2,
}
