using MqttCheck.App.Compare;
using MqttCheck.Cli.Results;
using MqttCheck.Comparison;

namespace MqttCheck.Cli.Compare;

/// <summary>A comparison as metrics.</summary>
internal static class CompareMetrics
{
    // Words as in the file of a comparison.
    private static readonly (TwoSampleVerdict Verdict, string Word)[] s_verdicts =
    [
        (TwoSampleVerdict.FirstFaster, "first faster"),
        (TwoSampleVerdict.SecondFaster, "second faster"),
        (TwoSampleVerdict.NoDifference, "no difference"),
        (TwoSampleVerdict.Withheld, "withheld"),
        (TwoSampleVerdict.Partial, "partial"),
    ];

    /// <summary>The metrics.</summary>
    public static MetricsFile Of(CompareDocument comparison)
    {
        var metrics = new MetricsFile();
        foreach (var point in comparison.Points)
            Add(metrics, point);
        foreach (var trend in comparison.Trends)
            metrics.Add(
                "compare_changes",
                "How often the level changed in the results of the history.",
                trend.Changes.Count,
                [
                    ("broker", trend.Broker),
                    .. MetricsFile.PointLabels(trend.Profile, trend.Clients, trend.ThresholdMilliseconds),
                ]
            );
        metrics.Add(
            "compare_finished_timestamp_seconds",
            "When the result was reached, in seconds since 1970.",
            comparison.Generated.ToUnixTimeSeconds()
        );
        return metrics;
    }

    private static void Add(MetricsFile metrics, CompareDocument.Point point)
    {
        var labels = MetricsFile.PointLabels(point.Profile, point.Clients, point.ThresholdMilliseconds);
        (string, string)[] pair = [("first", point.First), ("second", point.Second), .. labels];
        const string Sequences = "share of sequences with every answer within the threshold";
        metrics.Add("compare_first_ratio", $"Measured {Sequences}, of the first.", point.FirstProbability, pair);
        metrics.Add("compare_second_ratio", $"Measured {Sequences}, of the second.", point.SecondProbability, pair);
        metrics.Add("compare_difference", "The first ratio minus the second.", point.Difference, pair);
        if (point.Difference is not null)
        {
            metrics.Add("compare_difference_lower", "Lower end of its 95 % interval.", point.Interval.Lower, pair);
            metrics.Add("compare_difference_upper", "Upper end of its 95 % interval.", point.Interval.Upper, pair);
        }
        metrics.Add("compare_first_runs", "Runs of the first that count.", point.FirstRuns, pair);
        metrics.Add("compare_second_runs", "Runs of the second that count.", point.SecondRuns, pair);
        foreach (var (verdict, word) in s_verdicts)
            metrics.Add(
                "compare_verdict",
                "Whether the verdict is this one: 1 or 0.",
                verdict == point.Verdict ? 1 : 0,
                [.. pair, ("verdict", word)]
            );
    }
}
