using MqttCheck.Reports.Input;
using MqttCheck.Verification;

namespace MqttCheck.Cli.Results;

/// <summary>The verdicts of a verification as metrics.</summary>
internal static class VerdictMetrics
{
    /// <summary>The metrics.</summary>
    /// <param name="verdicts">The verdicts.</param>
    /// <param name="finished">When they were reached.</param>
    public static MetricsFile Of(VerdictDocument verdicts, DateTimeOffset finished)
    {
        var metrics = new MetricsFile();
        foreach (var verdict in verdicts.Verdicts)
            Add(metrics, verdicts.Broker.Name, verdict);
        metrics.Add(
            "finished_timestamp_seconds",
            "When the result was reached, in seconds since 1970.",
            finished.ToUnixTimeSeconds(),
            ("broker", verdicts.Broker.Name)
        );
        return metrics;
    }

    private static void Add(MetricsFile metrics, string broker, VerdictReport verdict)
    {
        (string, string)[] labels =
        [
            ("broker", broker),
            .. MetricsFile.PointLabels(
                verdict.Point.Profile,
                verdict.Point.Clients,
                verdict.Point.ThresholdMilliseconds
            ),
        ];
        const string Sequences = "share of sequences with every answer within the threshold";
        metrics.Add("predicted_ratio", $"Predicted {Sequences}.", verdict.Point.Probability, labels);
        metrics.Add(
            "predicted_lower_ratio",
            "Lower end of the interval of predicted_ratio.",
            verdict.Point.Interval.Lower,
            labels
        );
        metrics.Add(
            "predicted_upper_ratio",
            "Upper end of the interval of predicted_ratio.",
            verdict.Point.Interval.Upper,
            labels
        );
        metrics.Add("measured_ratio", $"Measured {Sequences}.", verdict.MeasuredProbability, labels);
        metrics.Add(
            "measured_lower_ratio",
            "Lower end of the 95 % interval of measured_ratio.",
            verdict.MeasuredInterval?.Lower,
            labels
        );
        metrics.Add(
            "measured_upper_ratio",
            "Upper end of the 95 % interval of measured_ratio.",
            verdict.MeasuredInterval?.Upper,
            labels
        );
        metrics.Add("runs", "Runs that count in the verdict.", verdict.Runs, labels);
        // Each word is a series of its own, so that an alert can wait for one of them.
        foreach (var kind in Enum.GetValues<VerdictKind>())
            metrics.Add(
                "verdict",
                "Whether the verdict is this one: 1 or 0.",
                kind == verdict.Kind ? 1 : 0,
                [.. labels, ("verdict", kind.Word())]
            );
    }
}
