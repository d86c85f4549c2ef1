using System.Globalization;
using MqttCheck.Protocol;

namespace MqttCheck.Broker.Core;

/// <summary>
/// The features and limits of the broker. Its state never grows beyond these numbers, whatever its clients do. CONNACK
/// tells MQTT 5 clients the values for which the specification has a property.
/// </summary>
public sealed record BrokerLimits
{
    /// <summary>
    /// Connections at the same time. 1 .. 1 000 000, default 20 000. Further ones are closed at once.
    /// </summary>
    public int Connections { get; init; } = 20_000;

    /// <summary>
    /// Sessions, connected or not. 1 .. 10 000 000, default 100 000. A CONNECT beyond is refused with "server
    /// unavailable" (5: quota exceeded).
    /// </summary>
    public int Sessions { get; init; } = 100_000;

    /// <summary>
    /// Subscriptions of one session. 1 .. 1 000 000, default 20 000. A SUBSCRIBE beyond fails for the filters in excess
    /// (5: quota exceeded).
    /// </summary>
    public int SubscriptionsPerSession { get; init; } = 20_000;

    /// <summary>Levels of a topic or filter. 1 .. 1000, default 128. Deeper ones are refused.</summary>
    public int TopicLevels { get; init; } = 128;

    /// <summary>
    /// The largest packet taken from a client, in bytes, fixed header included. 64 .. 268 435 460, default 1 MiB.
    /// </summary>
    public int PacketBytes { get; init; } = 1024 * 1024;

    /// <summary>
    /// QoS 1 and 2 messages on their way to one client, besides the client's own Receive Maximum. 1 .. 65 535, default
    /// 1000.
    /// </summary>
    public int InFlightPerClient { get; init; } = 1000;

    /// <summary>
    /// QoS 2 messages on their way from one client: the Receive Maximum told to MQTT 5 clients. 1 .. 65 535, default
    /// 1000.
    /// </summary>
    public int ReceiveMaximum { get; init; } = 1000;

    /// <summary>
    /// QoS 1 and 2 messages that wait for one session, behind those in flight. 0 .. 100 000 000, default 100 000.
    /// Further ones are dropped for it.
    /// </summary>
    public int QueuedMessagesPerSession { get; init; } = 100_000;

    /// <summary>
    /// The payload and topic bytes of messages that wait for one session. 0 .. 2^40, default 64 MiB. Further messages
    /// are dropped for it.
    /// </summary>
    public long QueuedBytesPerSession { get; init; } = 64L * 1024 * 1024;

    /// <summary>
    /// Retained messages. 0 .. 100 000 000, default 100 000; 0 makes the broker announce that it has none.
    /// </summary>
    public int RetainedMessages { get; init; } = 100_000;

    /// <summary>The payload and topic bytes of all retained messages. 0 .. 2^40, default 256 MiB.</summary>
    public long RetainedBytes { get; init; } = 256L * 1024 * 1024;

    /// <summary>
    /// The highest topic alias a client may use towards the broker, and the broker towards it if it takes so many. 0 ..
    /// 65 535, default 100.
    /// </summary>
    public int TopicAliasMaximum { get; init; } = 100;

    /// <summary>The most bytes of a client identifier. 23 .. 65 535, default 1024.</summary>
    public int ClientIdentifierBytes { get; init; } = 1024;

    /// <summary>The highest quality of service of a publication. Default QoS 2.</summary>
    public QualityOfService MaximumQos { get; init; } = QualityOfService.ExactlyOnce;

    /// <summary>Whether filters may have wildcards. Default true.</summary>
    public bool WildcardSubscriptions { get; init; } = true;

    /// <summary>Whether subscriptions may carry identifiers (MQTT 5). Default true.</summary>
    public bool SubscriptionIdentifiers { get; init; } = true;

    /// <summary>
    /// Whether <c>$share/name/filter</c> is a shared subscription. Default true; in MQTT 3.1.1 this is an extension.
    /// </summary>
    public bool SharedSubscriptions { get; init; } = true;

    /// <summary>
    /// The longest keep alive, in seconds. 0 .. 65 535, default 0: the client's value counts. MQTT 5 clients that ask
    /// for more, or for none, are told this one.
    /// </summary>
    public int KeepAliveSeconds { get; init; }

    /// <summary>
    /// The longest life of a session without connection, in seconds. 0 .. 4 294 967 295, default that, which means no
    /// end.
    /// </summary>
    public uint SessionExpirySeconds { get; init; } = uint.MaxValue;

    /// <summary>How long a connection may be silent before its CONNECT. 1 ms .. 1 hour, default 10 s.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Every value out of its range, one sentence each: what, the value given, the allowed range. Empty when all is
    /// well.
    /// </summary>
    public IReadOnlyList<string> Validate()
    {
        (string Name, long Value, long Minimum, long Maximum)[] ranges =
        [
            (nameof(Connections), Connections, 1, 1_000_000),
            (nameof(Sessions), Sessions, 1, 10_000_000),
            (nameof(SubscriptionsPerSession), SubscriptionsPerSession, 1, 1_000_000),
            (nameof(TopicLevels), TopicLevels, 1, 1000),
            (nameof(PacketBytes), PacketBytes, 64, 268_435_460),
            (nameof(InFlightPerClient), InFlightPerClient, 1, 65_535),
            (nameof(ReceiveMaximum), ReceiveMaximum, 1, 65_535),
            (nameof(QueuedMessagesPerSession), QueuedMessagesPerSession, 0, 100_000_000),
            (nameof(QueuedBytesPerSession), QueuedBytesPerSession, 0, 1L << 40),
            (nameof(RetainedMessages), RetainedMessages, 0, 100_000_000),
            (nameof(RetainedBytes), RetainedBytes, 0, 1L << 40),
            (nameof(TopicAliasMaximum), TopicAliasMaximum, 0, 65_535),
            (nameof(ClientIdentifierBytes), ClientIdentifierBytes, 23, 65_535),
            (nameof(MaximumQos), (int)MaximumQos, 0, 2),
            (nameof(KeepAliveSeconds), KeepAliveSeconds, 0, 65_535),
            (nameof(ConnectTimeout) + " in ms", (long)ConnectTimeout.TotalMilliseconds, 1, 3_600_000),
        ];
        return
        [
            .. ranges
                .Where(range => range.Value < range.Minimum || range.Value > range.Maximum)
                .Select(range =>
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{range.Name} is {range.Value}; allowed is {range.Minimum} .. {range.Maximum}."
                    )
                ),
        ];
    }
}
