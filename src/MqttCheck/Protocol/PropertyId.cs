namespace MqttCheck.Protocol;

/// <summary>The property identifiers of MQTT 5 (table 2-4).</summary>
public enum PropertyId : byte
{
    /// <summary>PUBLISH, will: what the payload is; absent: bytes.</summary>
    PayloadFormatIndicator = 0x01,

    /// <summary>PUBLISH, will: lifetime of the message in seconds; absent: it never expires.</summary>
    MessageExpiryInterval = 0x02,

    /// <summary>PUBLISH, will: the content type of the payload.</summary>
    ContentType = 0x03,

    /// <summary>PUBLISH, will: the topic name for a response.</summary>
    ResponseTopic = 0x08,

    /// <summary>PUBLISH, will: identifies the request that a response belongs to.</summary>
    CorrelationData = 0x09,

    /// <summary>
    /// SUBSCRIBE: at most one; PUBLISH from the server: one per matching subscription; 1..268435455 each.
    /// </summary>
    SubscriptionIdentifier = 0x0B,

    /// <summary>
    /// CONNECT, CONNACK, DISCONNECT: how long the session outlives the connection, in seconds; 0xFFFFFFFF: without
    /// limit.
    /// </summary>
    SessionExpiryInterval = 0x11,

    /// <summary>CONNACK: the client identifier that the server chose.</summary>
    AssignedClientIdentifier = 0x12,

    /// <summary>CONNACK: replaces the keep alive of CONNECT, in seconds.</summary>
    ServerKeepAlive = 0x13,

    /// <summary>CONNECT, CONNACK, AUTH: the method of enhanced authentication.</summary>
    AuthenticationMethod = 0x15,

    /// <summary>CONNECT, CONNACK, AUTH: data of the method.</summary>
    AuthenticationData = 0x16,

    /// <summary>CONNECT: whether reason strings and user properties may come with any packet; absent: yes.</summary>
    RequestProblemInformation = 0x17,

    /// <summary>Will: how long to wait before publishing it, in seconds; absent: 0.</summary>
    WillDelayInterval = 0x18,

    /// <summary>CONNECT: asks for response information; absent: no.</summary>
    RequestResponseInformation = 0x19,

    /// <summary>CONNACK: a basis for response topics.</summary>
    ResponseInformation = 0x1A,

    /// <summary>CONNACK, DISCONNECT from the server: other servers to use.</summary>
    ServerReference = 0x1C,

    /// <summary>Every answer, CONNACK, DISCONNECT, AUTH: for people.</summary>
    ReasonString = 0x1F,

    /// <summary>
    /// CONNECT, CONNACK: how many unacknowledged QoS 1 and 2 messages the sender accepts, 1..65535; absent: 65535.
    /// </summary>
    ReceiveMaximum = 0x21,

    /// <summary>CONNECT, CONNACK: the highest topic alias the sender accepts; absent: 0.</summary>
    TopicAliasMaximum = 0x22,

    /// <summary>PUBLISH: stands for the topic name, 1..65535.</summary>
    TopicAlias = 0x23,

    /// <summary>CONNACK: the highest QoS served, 0 or 1; absent: 2.</summary>
    MaximumQos = 0x24,

    /// <summary>CONNACK: whether retained messages are served; absent: yes.</summary>
    RetainAvailable = 0x25,

    /// <summary>Every packet but PINGREQ and PINGRESP, and the will: name and value pairs in order.</summary>
    UserProperty = 0x26,

    /// <summary>
    /// CONNECT, CONNACK: the largest packet the sender accepts, in bytes, at least 1; absent: no limit.
    /// </summary>
    MaximumPacketSize = 0x27,

    /// <summary>CONNACK: whether wildcard filters are served; absent: yes.</summary>
    WildcardSubscriptionAvailable = 0x28,

    /// <summary>CONNACK: whether subscription identifiers are served; absent: yes.</summary>
    SubscriptionIdentifierAvailable = 0x29,

    /// <summary>CONNACK: whether shared subscriptions are served; absent: yes.</summary>
    SharedSubscriptionAvailable = 0x2A,
}
