using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Profiles;

/// <summary>Who sends what, how often: the behaviour of one kind of client. Read from a JSON file by <see cref="ProfileFile"/>.</summary>
public sealed record UsageProfile
{
    /// <summary>The name in tables and file names, for example <c>up1</c>.</summary>
    public required string Name { get; init; }

    /// <summary>One sentence for people.</summary>
    public string Description { get; init; } = "";

    /// <summary>The waiting time before a message, in milliseconds.</summary>
    public required Law WaitMilliseconds { get; init; }

    /// <summary>How likely each kind of message is among those enabled.</summary>
    public required MessageWeights Weights { get; init; }

    /// <summary>How many topics the clients share; each message takes one of them with equal probability. 1 .. 65536, default 100.</summary>
    public int Topics { get; init; } = 100;

    /// <summary>The smallest payload, in bytes; at least <see cref="SmallestPayloadBytes"/>. Default 12.</summary>
    public int MinimumPayloadBytes { get; init; } = 12;

    /// <summary>The largest payload, in bytes; sizes are uniform between the two. Default 80.</summary>
    public int MaximumPayloadBytes { get; init; } = 80;

    /// <summary>The quality of service of publications and subscriptions. Default 1.</summary>
    public QualityOfService Qos { get; init; } = QualityOfService.AtLeastOnce;

    /// <summary>How many messages make a sequence, whose outcome is "all in time". Default 10.</summary>
    public int SequenceLength { get; init; } = 10;

    /// <summary>The bytes a payload needs to carry its message number, by which a delivery is matched to its publication.</summary>
    public const int SmallestPayloadBytes = 12;
}
