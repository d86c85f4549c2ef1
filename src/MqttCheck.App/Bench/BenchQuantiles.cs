using MqttCheck.Statistics;

namespace MqttCheck.App.Bench;

/// <summary>Durations in short, in milliseconds.</summary>
/// <param name="Mean">The mean, or null where it is not known.</param>
/// <param name="P90">The value that 90 % do not exceed, or null where it is not known.</param>
/// <param name="P99">The value that 99 % do not exceed.</param>
/// <param name="P999">The value that 99.9 % do not exceed, or null where it is not known.</param>
internal sealed record BenchQuantiles(
    long Count,
    double? Mean,
    double P50,
    double? P90,
    double P99,
    double? P999,
    double Maximum
)
{
    /// <summary>Counted durations in short, or null without any.</summary>
    public static BenchQuantiles? Of(DurationCounts counts)
    {
        double Milliseconds(double share) => Math.Round(counts.QuantileNanoseconds(share) / 1e6, 6);
        return counts.Count == 0
            ? null
            : new(
                counts.Count,
                Math.Round(counts.MeanNanoseconds / 1e6, 6),
                Milliseconds(.5),
                Milliseconds(.9),
                Milliseconds(.99),
                Milliseconds(.999),
                Milliseconds(1)
            );
    }
}
