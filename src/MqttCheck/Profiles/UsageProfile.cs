using MqttCheck.Profiles.Behaviours;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Profiles;

/// <summary>
/// Who sends what, how often: the behaviour of one kind of client. Read from a JSON file by <see cref="ProfileFile"/>.
/// </summary>
public sealed record UsageProfile
{
    /// <summary>The name in tables and file names, for example <c>up1</c>.</summary>
    public required string Name { get; init; }

    /// <summary>One sentence for people.</summary>
    public string Description { get; init; } = "";

    /// <summary>The waiting time before a message, in milliseconds.</summary>
    public required Law WaitMilliseconds { get; init; }

    /// <summary>
    /// The waiting time before some kinds of message, where it differs from <see cref="WaitMilliseconds"/>; null where
    /// none does.
    /// </summary>
    public MessageWaits? Waits { get; init; }

    /// <summary>How likely each kind of message is among those enabled.</summary>
    public required MessageWeights Weights { get; init; }

    /// <summary>
    /// How many topics the clients share, or each has where <see cref="TopicName"/> names the client; each message
    /// takes one of them with equal probability. 1 .. 65536, default 100.
    /// </summary>
    public int Topics { get; init; } = 100;

    /// <summary>The smallest payload, in bytes; at least <see cref="SmallestPayloadBytes"/>. Default 12.</summary>
    public int MinimumPayloadBytes { get; init; } = 12;

    /// <summary>The largest payload, in bytes; sizes are uniform between the two. Default 80.</summary>
    public int MaximumPayloadBytes { get; init; } = 80;

    /// <summary>
    /// The law of payload sizes, in bytes, rounded and kept between the smallest and the largest; null for a uniform
    /// one.
    /// </summary>
    public Law? PayloadLaw { get; init; }

    /// <summary>The text of payloads, of one size; null for the number of the message and filler.</summary>
    public PayloadTemplate? Payload { get; init; }

    /// <summary>
    /// The name of a topic, used as written: <see cref="TopicField"/> stands for its index, and
    /// <see cref="ClientWill.ClientField"/> for the number of the client, which then has topics of its own. Default:
    /// the index alone, below the prefix of the run.
    /// </summary>
    public string TopicName { get; init; } = TopicField;

    /// <summary>
    /// The quality of service of publications, and of subscriptions unless they have their own. Default 1.
    /// </summary>
    public QualityOfService Qos { get; init; } = QualityOfService.AtLeastOnce;

    /// <summary>How often publications have which quality of service; null where all have <see cref="Qos"/>.</summary>
    public QosWeights? PublishQos { get; init; }

    /// <summary>The quality of service of subscriptions; null for <see cref="Qos"/>.</summary>
    public QualityOfService? SubscriptionQos { get; init; }

    /// <summary>
    /// Whether each connection starts a new session; otherwise one lasts through a sequence, so that subscriptions
    /// survive a disconnect. Default no.
    /// </summary>
    public bool CleanSessions { get; init; }

    /// <summary>
    /// Over how many seconds the clients of the group connect for the first time, evenly; 0 (the default) where each
    /// waits before its first message, as before any other.
    /// </summary>
    public double RampUpSeconds { get; init; }

    /// <summary>
    /// How many clients of the group connect for the first time in a second; null (the default) where
    /// <see cref="RampUpSeconds"/> says it.
    /// </summary>
    public double? ConnectsPerSecond { get; init; }

    /// <summary>How the load changes after the ramp-up, over and over; empty (the default) where it does not.</summary>
    public ValueList<LoadStage> Stages { get; init; }

    /// <summary>
    /// How often the broker wants to hear from a client, in seconds: a client that has nothing to send sends a ping. 0
    /// (the default) for never.
    /// </summary>
    public int KeepAliveSeconds { get; init; }

    /// <summary>Whether the broker keeps the last publication of a topic for later subscribers. Default no.</summary>
    public bool Retain { get; init; }

    /// <summary>
    /// The name of the share that the clients of the group subscribe in: each message goes to one of them. Null (the
    /// default) where each has every message.
    /// </summary>
    public string? ShareName { get; init; }

    /// <summary>After how many seconds a publication that waits is worthless; null (the default) for never.</summary>
    public int? MessageExpirySeconds { get; init; }

    /// <summary>The user properties of every publication, each name once; none by default.</summary>
    public ValueList<UserProperty> UserProperties { get; init; }

    /// <summary>
    /// For how many topics a connection sends a number in place of the name, as far as the broker allows. Default 0.
    /// </summary>
    public int TopicAliases { get; init; }

    /// <summary>The will of every client; null (the default) for none.</summary>
    public ClientWill? Will { get; init; }

    /// <summary>
    /// The messages of a connection in their order, from CONNECT on; empty (the default) where
    /// <see cref="Weights"/> decide. Behind the last one they decide, or the order begins again after a DISCONNECT.
    /// </summary>
    public ValueList<OrderStep> Order { get; init; }

    /// <summary>The message that each client publishes once it is connected; null (the default) for none.</summary>
    public FirstMessage? AfterConnect { get; init; }

    /// <summary>
    /// The instants at which all clients send the same kind of message; null (the default) where each waits for itself.
    /// </summary>
    public Instants? Simultaneous { get; init; }

    /// <summary>
    /// The topic filters that clients subscribe to; empty (the default) where they subscribe to their topics.
    /// <see cref="ClientWill.ClientField"/> stands for the number of the client.
    /// </summary>
    public ValueList<string> Filters { get; init; }

    /// <summary>Whether each client has topics of its own.</summary>
    internal bool HasOwnTopics => TopicName.Contains(ClientWill.ClientField, StringComparison.Ordinal);

    /// <summary>Whether clients publish to their topics.</summary>
    internal bool SendsPublications => Weights.Publish > 0 || Order.Contains(OrderStep.Publish);

    /// <summary>Whether more than weights and waits decides what a client sends, and when.</summary>
    internal bool IsScripted => Order.Count > 0 || AfterConnect is not null || Simultaneous is not null;

    /// <summary>Whether clients connect for the first time at a rate.</summary>
    internal bool HasRampUp => RampUpSeconds > 0 || ConnectsPerSecond is not null;

    /// <summary>How long all stages take together, in seconds; 0 without stages.</summary>
    internal double RoundSeconds => Stages.Sum(stage => stage.Seconds);

    /// <summary>The largest load of a stage, at least 1 where there is none.</summary>
    internal double LargestLoad => Stages.Count == 0 ? 1 : Stages.Max(stage => stage.Load);

    /// <summary>The mean wait of a client over all stages, in milliseconds.</summary>
    public double MeanWaitMilliseconds =>
        Stages.Count == 0
            ? WaitMilliseconds.Mean
            : WaitMilliseconds.Mean * RoundSeconds / Stages.Sum(stage => stage.Seconds * stage.Load);

    /// <summary>The highest quality of service of any message.</summary>
    public QualityOfService HighestQos =>
        (QualityOfService)
            Math.Max(
                Math.Max((int)(PublishQos?.Highest ?? Qos), (int)(SubscriptionQos ?? Qos)),
                (int)(AfterConnect?.Qos ?? QualityOfService.AtMostOnce)
            );

    /// <summary>The placeholder for the index of a topic in <see cref="TopicName"/>.</summary>
    public const string TopicField = "{topic}";

    /// <summary>How many messages make a sequence, whose outcome is "all in time". Default 10.</summary>
    public int SequenceLength { get; init; } = 10;

    /// <summary>
    /// The bytes a payload needs to carry its message number, by which a delivery is matched to its publication.
    /// </summary>
    public const int SmallestPayloadBytes = 12;
}
