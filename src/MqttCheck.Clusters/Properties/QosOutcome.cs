using MqttCheck.Clusters.Monitors;
using static System.FormattableString;

namespace MqttCheck.Clusters.Properties;

/// <summary>The fates of the acknowledged messages of one quality of service.</summary>
/// <param name="Qos">The lower quality of service of publication and subscription: 1 or 2.</param>
/// <param name="Owed">How many deliveries were owed: to subscriptions that stood long enough.</param>
/// <param name="Lost">How many of them never came.</param>
/// <param name="LostOfForgotten">How many of those were for sessions that the broker forgot.</param>
/// <param name="Repeated">How many came once more; at QoS 1 that is allowed.</param>
/// <param name="Example">The first one that was lost, or else repeated, in words; empty for none.</param>
internal readonly record struct QosOutcome(
    int Qos,
    long Owed,
    long Lost,
    long LostOfForgotten,
    long Repeated,
    string Example
)
{
    /// <summary>Counts them.</summary>
    /// <param name="pairs">Publications with those who subscribed, in the order of publication.</param>
    internal static IReadOnlyList<QosOutcome> Of(IReadOnlyList<DeliveryPair> pairs) =>
        [
            .. pairs
                .Where(pair => pair is { Qos: > 0, State: not PairState.Racing })
                .GroupBy(pair => pair.Qos)
                .OrderBy(level => level.Key)
                .Select(level => new QosOutcome(
                    level.Key,
                    level.LongCount(pair => pair.IsAcknowledged),
                    level.LongCount(pair => pair.IsLost),
                    level.LongCount(pair => pair is { IsLost: true, IsForgotten: true }),
                    level.Sum(pair => Math.Max(0L, pair.Deliveries - 1)),
                    ExampleOf(level, pairs)
                )),
        ];

    private static string ExampleOf(IEnumerable<DeliveryPair> level, IReadOnlyList<DeliveryPair> all)
    {
        // Publishers have the numbers before those of subscribers.
        var readers = all.Min(pair => pair.Subscriber);
        var start = all[0].PublishedNanoseconds;
        var shown = level.Where(pair => pair.IsLost || pair is { Qos: 2, Deliveries: > 1 }).ToList();
        if (shown.Count == 0)
            return "";
        var pair = shown.Find(pair => pair.IsLost) is { IsLost: true } lost ? lost : shown[0];
        var number =
            1
            + all.Where(other => other.Publisher == pair.Publisher)
                .Select(other => other.Message)
                .Distinct()
                .Count(message => message < pair.Message);
        var words =
            Invariant($"message #{number} of publisher {pair.Publisher + 1}, QoS {pair.Qos}, was published ")
            + Invariant($"{(pair.PublishedNanoseconds - start) / 1e9:0.000} s after the first one");
        var reader = Invariant($"reader {pair.Subscriber - readers + 1}");
        return pair.IsLost
            ? $"{words} and acknowledged, and never came to {reader}"
                + (pair.IsForgotten ? ", whose session the broker had forgotten" : "")
            : Invariant($"{words} and came to {reader} {pair.Deliveries} times");
    }
}
