using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
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
    /// How many topics the clients share; each message takes one of them with equal probability. 1 .. 65536, default
    /// 100.
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
    /// The name of a topic, below the prefix of the run: <see cref="TopicField"/> stands for its index. Default: the
    /// index alone.
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

    /// <summary>The highest quality of service of any message.</summary>
    public QualityOfService HighestQos =>
        (QualityOfService)Math.Max((int)(PublishQos?.Highest ?? Qos), (int)(SubscriptionQos ?? Qos));

    /// <summary>What stands for the index of a topic in <see cref="TopicName"/>.</summary>
    public const string TopicField = "{topic}";

    /// <summary>How many messages make a sequence, whose outcome is "all in time". Default 10.</summary>
    public int SequenceLength { get; init; } = 10;

    /// <summary>
    /// The bytes a payload needs to carry its message number, by which a delivery is matched to its publication.
    /// </summary>
    public const int SmallestPayloadBytes = 12;
}
