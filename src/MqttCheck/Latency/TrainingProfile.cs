using MqttCheck.Clients;
using MqttCheck.Statistics;

namespace MqttCheck.Latency;

/// <summary>
/// The behaviour of the clients in training: each quantity from the least to the greatest of all cases.
/// </summary>
/// <param name="Names">
/// The usage profiles that the cases were derived from, in alphabetical order; none where what the clients did is not
/// known (a log from elsewhere).
/// </param>
/// <param name="MeanWaitMilliseconds">
/// The mean wait between the exchanges of a client; null where it is not known.
/// </param>
/// <param name="SequenceLength">The messages of a sequence; null where it is not known.</param>
/// <param name="Shares">The share of the exchanges by <see cref="MessageKind"/>, as they happened, 0 .. 1.</param>
public sealed record TrainingProfile(
    IReadOnlyList<string> Names,
    Interval? MeanWaitMilliseconds,
    Interval? SequenceLength,
    IReadOnlyList<Interval> Shares
)
{
    /// <summary>
    /// The profile keys that decide what packets carry: one set, with its values as JSON, for each kind of client.
    /// Empty if it is not known, or if no client had such a key.
    /// </summary>
    public IReadOnlyList<IReadOnlyDictionary<string, string>> Packets { get; init; } = [];

    /// <summary>The behaviour of the clients by feature; null in a model file that does not say it.</summary>
    internal TrainingSeen? Seen { get; init; }
}
