using System.Text;

namespace MqttCheck.Protocol.Packets;

/// <summary>
/// The properties of an MQTT 5 packet (section 2.2.2.2). Absent is null, or an empty list. Which packet may carry which
/// is checked by the decoder; on the wire they are written in the order of their identifiers, which the specification
/// leaves free.
/// </summary>
internal sealed record PacketProperties
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
        (string Name, object? Value)[] members =
        [
            (nameof(PayloadFormatIndicator), PayloadFormatIndicator),
            (nameof(MessageExpiryIntervalSeconds), MessageExpiryIntervalSeconds),
            (nameof(ContentType), ContentType),
            (nameof(ResponseTopic), ResponseTopic),
            (nameof(CorrelationData), CorrelationData),
            (nameof(SubscriptionIdentifiers), SubscriptionIdentifiers.Count > 0 ? SubscriptionIdentifiers : null),
            (nameof(SessionExpiryIntervalSeconds), SessionExpiryIntervalSeconds),
            (nameof(AssignedClientIdentifier), AssignedClientIdentifier),
            (nameof(ServerKeepAliveSeconds), ServerKeepAliveSeconds),
            (nameof(AuthenticationMethod), AuthenticationMethod),
            (nameof(AuthenticationData), AuthenticationData),
            (nameof(RequestProblemInformation), RequestProblemInformation),
            (nameof(WillDelayIntervalSeconds), WillDelayIntervalSeconds),
            (nameof(RequestResponseInformation), RequestResponseInformation),
            (nameof(ResponseInformation), ResponseInformation),
            (nameof(ServerReference), ServerReference),
            (nameof(ReasonString), ReasonString),
            (nameof(ReceiveMaximum), ReceiveMaximum),
            (nameof(TopicAliasMaximum), TopicAliasMaximum),
            (nameof(TopicAlias), TopicAlias),
            (nameof(MaximumQos), MaximumQos),
            (nameof(RetainAvailable), RetainAvailable),
            (nameof(UserProperties), UserProperties.Count > 0 ? UserProperties : null),
            (nameof(MaximumPacketSizeBytes), MaximumPacketSizeBytes),
            (nameof(WildcardSubscriptionAvailable), WildcardSubscriptionAvailable),
            (nameof(SubscriptionIdentifierAvailable), SubscriptionIdentifierAvailable),
            (nameof(SharedSubscriptionAvailable), SharedSubscriptionAvailable),
        ];
        var present = members
            .Where(member => member.Value is not null)
            .Select(member => $"{member.Name} = {member.Value}");
        var text = string.Join(", ", present);
        builder.Append(text);
        return text.Length > 0;
    }
}
