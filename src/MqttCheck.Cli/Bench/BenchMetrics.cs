using System.Globalization;
using MqttCheck.App.Bench;
using MqttCheck.Cli.Results;

namespace MqttCheck.Cli.Bench;

/// <summary>The runs of a bench as metrics.</summary>
internal static class BenchMetrics
{
    /// <summary>The metrics.</summary>
    public static MetricsFile Of(BenchDocument document)
    {
        var metrics = new MetricsFile();
        foreach (var run in document.Runs)
            Add(metrics, run);
        metrics.Add("bench_knee_messages_per_second", "The highest rate that the broker sustains.", document.Knee);
        metrics.Add(
            "bench_finished_timestamp_seconds",
            "When the result was reached, in seconds since 1970.",
            document.Generated.ToUnixTimeSeconds()
        );
        return metrics;
    }

    private static void Add(MetricsFile metrics, BenchRun run)
    {
        (string, string)[] labels =
        [
            ("broker", run.Broker),
            ("workload", run.Workload),
            ("publishers", run.Publishers.ToString(CultureInfo.InvariantCulture)),
            ("subscribers", run.Subscribers.ToString(CultureInfo.InvariantCulture)),
            ("offered", run.OfferedPerSecond?.ToString("0.##", CultureInfo.InvariantCulture) ?? "closed loop"),
        ];
        metrics.Add("bench_valid", "Whether the run counts: 1 or 0.", run.IsValid ? 1 : 0, labels);
        metrics.Add("bench_in_messages_per_second", "Messages sent per second.", run.InPerSecond, labels);
        metrics.Add("bench_out_messages_per_second", "Deliveries per second.", run.OutPerSecond, labels);
        metrics.Add("bench_lost_messages", "Messages that were taken and not delivered.", run.Lost, labels);
        metrics.Add(
            "bench_duplicate_messages",
            "Messages that arrived again without a reason.",
            run.Duplicates,
            labels
        );
        metrics.Add("bench_reordered_messages", "Messages that arrived after a later one.", run.Reordered, labels);
        if (run.Latency is not { } latency)
            return;
        foreach (
            var (quantile, milliseconds) in (ReadOnlySpan<(string, double?)>)
                [("0.5", latency.P50), ("0.99", latency.P99), ("0.999", latency.P999), ("1", latency.Maximum)]
        )
            metrics.Add(
                "bench_latency_seconds",
                "Latency to the last delivery, by quantile.",
                milliseconds / 1000,
                [.. labels, ("quantile", quantile)]
            );
    }
}
