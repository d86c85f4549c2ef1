using System.Text;

namespace MqttCheck.Protocol.Packets;

/// <summary>
/// The properties of an MQTT 5 packet (section 2.2.2.2). Absent is null, or an empty list. Which packet may carry which
/// is checked by the decoder; on the wire they are written in the order of their identifiers, which the specification
/// leaves free.
/// </summary>
public sealed record PacketProperties
{
    /// <summary>No properties.</summary>
    public static PacketProperties Empty { get; } = new();

    /// <summary>PUBLISH, will: what the payload is; absent: bytes.</summary>
    public PayloadFormat? PayloadFormatIndicator { get; init; }

    /// <summary>PUBLISH, will: lifetime of the message in seconds; absent: it never expires.</summary>
    public uint? MessageExpiryIntervalSeconds { get; init; }

    /// <summary>PUBLISH, will: the content type of the payload.</summary>
    public string? ContentType { get; init; }

    /// <summary>PUBLISH, will: the topic name for a response.</summary>
    public string? ResponseTopic { get; init; }

    /// <summary>PUBLISH, will: identifies the request that a response belongs to.</summary>
    public Bytes? CorrelationData { get; init; }

    /// <summary>
    /// SUBSCRIBE: at most one; PUBLISH from the server: one per matching subscription; 1..268435455 each.
    /// </summary>
    public ValueList<uint> SubscriptionIdentifiers { get; init; }

    /// <summary>
    /// CONNECT, CONNACK, DISCONNECT: how long the session outlives the connection, in seconds; 0xFFFFFFFF: without
    /// limit.
    /// </summary>
    public uint? SessionExpiryIntervalSeconds { get; init; }

    /// <summary>CONNACK: the client identifier that the server chose.</summary>
    public string? AssignedClientIdentifier { get; init; }

    /// <summary>CONNACK: replaces the keep alive of CONNECT, in seconds.</summary>
    public ushort? ServerKeepAliveSeconds { get; init; }

    /// <summary>CONNECT, CONNACK, AUTH: the method of enhanced authentication.</summary>
    public string? AuthenticationMethod { get; init; }

    /// <summary>CONNECT, CONNACK, AUTH: data of the method.</summary>
    public Bytes? AuthenticationData { get; init; }

    /// <summary>CONNECT: whether reason strings and user properties may come with any packet; absent: yes.</summary>
    public bool? RequestProblemInformation { get; init; }

    /// <summary>Will: how long to wait before publishing it, in seconds; absent: 0.</summary>
    public uint? WillDelayIntervalSeconds { get; init; }

    /// <summary>CONNECT: asks for response information; absent: no.</summary>
    public bool? RequestResponseInformation { get; init; }

    /// <summary>CONNACK: a basis for response topics.</summary>
    public string? ResponseInformation { get; init; }

    /// <summary>CONNACK, DISCONNECT from the server: other servers to use.</summary>
    public string? ServerReference { get; init; }

    /// <summary>Every answer, CONNACK, DISCONNECT, AUTH: for people.</summary>
    public string? ReasonString { get; init; }

    /// <summary>
    /// CONNECT, CONNACK: how many unacknowledged QoS 1 and 2 messages the sender accepts, 1..65535; absent: 65535.
    /// </summary>
    public ushort? ReceiveMaximum { get; init; }

    /// <summary>CONNECT, CONNACK: the highest topic alias the sender accepts; absent: 0.</summary>
    public ushort? TopicAliasMaximum { get; init; }

    /// <summary>PUBLISH: stands for the topic name, 1..65535.</summary>
    public ushort? TopicAlias { get; init; }

    /// <summary>CONNACK: the highest QoS served, 0 or 1; absent: 2.</summary>
    public QualityOfService? MaximumQos { get; init; }

    /// <summary>CONNACK: whether retained messages are served; absent: yes.</summary>
    public bool? RetainAvailable { get; init; }

    /// <summary>Every packet but PINGREQ and PINGRESP, and the will: name and value pairs in order.</summary>
    public ValueList<UserProperty> UserProperties { get; init; }

    /// <summary>
    /// CONNECT, CONNACK: the largest packet the sender accepts, in bytes, at least 1; absent: no limit.
    /// </summary>
    public uint? MaximumPacketSizeBytes { get; init; }

    /// <summary>CONNACK: whether wildcard filters are served; absent: yes.</summary>
    public bool? WildcardSubscriptionAvailable { get; init; }

    /// <summary>CONNACK: whether subscription identifiers are served; absent: yes.</summary>
    public bool? SubscriptionIdentifierAvailable { get; init; }

    /// <summary>CONNACK: whether shared subscriptions are served; absent: yes.</summary>
    public bool? SharedSubscriptionAvailable { get; init; }

    /// <summary>True if no property is present.</summary>
    public bool IsEmpty => ReferenceEquals(this, Empty) || Equals(Empty);

    // Only what is present: the other twenty-odd members would bury it.
    private bool PrintMembers(StringBuilder builder)
    {
        var start = builder.Length;
        if (PayloadFormatIndicator is not null)
            Print(builder, start, nameof(PayloadFormatIndicator), PayloadFormatIndicator);
        if (MessageExpiryIntervalSeconds is not null)
            Print(builder, start, nameof(MessageExpiryIntervalSeconds), MessageExpiryIntervalSeconds);
        if (ContentType is not null)
            Print(builder, start, nameof(ContentType), ContentType);
        if (ResponseTopic is not null)
            Print(builder, start, nameof(ResponseTopic), ResponseTopic);
        if (CorrelationData is not null)
            Print(builder, start, nameof(CorrelationData), CorrelationData);
        if (SubscriptionIdentifiers.Count > 0)
            Print(builder, start, nameof(SubscriptionIdentifiers), SubscriptionIdentifiers);
        if (SessionExpiryIntervalSeconds is not null)
            Print(builder, start, nameof(SessionExpiryIntervalSeconds), SessionExpiryIntervalSeconds);
        if (AssignedClientIdentifier is not null)
            Print(builder, start, nameof(AssignedClientIdentifier), AssignedClientIdentifier);
        if (ServerKeepAliveSeconds is not null)
            Print(builder, start, nameof(ServerKeepAliveSeconds), ServerKeepAliveSeconds);
        if (AuthenticationMethod is not null)
            Print(builder, start, nameof(AuthenticationMethod), AuthenticationMethod);
        if (AuthenticationData is not null)
            Print(builder, start, nameof(AuthenticationData), AuthenticationData);
        if (RequestProblemInformation is not null)
            Print(builder, start, nameof(RequestProblemInformation), RequestProblemInformation);
        if (WillDelayIntervalSeconds is not null)
            Print(builder, start, nameof(WillDelayIntervalSeconds), WillDelayIntervalSeconds);
        if (RequestResponseInformation is not null)
            Print(builder, start, nameof(RequestResponseInformation), RequestResponseInformation);
        if (ResponseInformation is not null)
            Print(builder, start, nameof(ResponseInformation), ResponseInformation);
        if (ServerReference is not null)
            Print(builder, start, nameof(ServerReference), ServerReference);
        if (ReasonString is not null)
            Print(builder, start, nameof(ReasonString), ReasonString);
        if (ReceiveMaximum is not null)
            Print(builder, start, nameof(ReceiveMaximum), ReceiveMaximum);
        if (TopicAliasMaximum is not null)
            Print(builder, start, nameof(TopicAliasMaximum), TopicAliasMaximum);
        if (TopicAlias is not null)
            Print(builder, start, nameof(TopicAlias), TopicAlias);
        if (MaximumQos is not null)
            Print(builder, start, nameof(MaximumQos), MaximumQos);
        if (RetainAvailable is not null)
            Print(builder, start, nameof(RetainAvailable), RetainAvailable);
        if (UserProperties.Count > 0)
            Print(builder, start, nameof(UserProperties), UserProperties);
        if (MaximumPacketSizeBytes is not null)
            Print(builder, start, nameof(MaximumPacketSizeBytes), MaximumPacketSizeBytes);
        if (WildcardSubscriptionAvailable is not null)
            Print(builder, start, nameof(WildcardSubscriptionAvailable), WildcardSubscriptionAvailable);
        if (SubscriptionIdentifierAvailable is not null)
            Print(builder, start, nameof(SubscriptionIdentifierAvailable), SubscriptionIdentifierAvailable);
        if (SharedSubscriptionAvailable is not null)
            Print(builder, start, nameof(SharedSubscriptionAvailable), SharedSubscriptionAvailable);
        return builder.Length > start;
    }

    private static void Print<T>(StringBuilder builder, int start, string name, T value) =>
        builder.Append(builder.Length > start ? ", " : "").Append(name).Append(" = ").Append(value);
}
