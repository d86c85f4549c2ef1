using System.Globalization;
using MqttCheck.Cli.Results;

namespace MqttCheck.Cli.VerifyProperty;

/// <summary>The verdict on a property as metrics.</summary>
internal static class PropertyMetrics
{
    /// <summary>The metrics.</summary>
    /// <param name="finished">When it was reached.</param>
    public static MetricsFile Of(PropertyVerdict verdict, DateTimeOffset finished)
    {
        var metrics = new MetricsFile();
        (string, string)[] labels =
        [
            ("broker", verdict.Broker.Name),
            ("profile", verdict.Profile),
            ("clients", verdict.Clients.ToString(CultureInfo.InvariantCulture)),
            ("property", verdict.Property),
        ];
        metrics.Add("property_required_ratio", "Share of traces that must fulfil it.", verdict.Probability, labels);
        metrics.Add("property_measured_ratio", "Measured share of traces that fulfil it.", verdict.Observed, labels);
        if (verdict.Observed is not null)
        {
            metrics.Add("property_lower_ratio", "Lower end of its 95 % interval.", verdict.Interval.Lower, labels);
            metrics.Add("property_upper_ratio", "Upper end of its 95 % interval.", verdict.Interval.Upper, labels);
        }
        foreach (var group in verdict.Groups)
            metrics.Add(
                "property_judged_ratio",
                "Share of a group's traces about which it says something.",
                (double)group.Judged / group.Traces,
                [.. labels, ("group", group.Group)]
            );
        metrics.Add("property_runs", "Runs that count in the verdict.", verdict.Runs.Count, labels);
        foreach (var kind in Enum.GetValues<PropertyVerdictKind>())
            metrics.Add(
                "property_verdict",
                "Whether the verdict is this one: 1 or 0.",
                kind == verdict.Verdict ? 1 : 0,
                [.. labels, ("verdict", kind.ToString().ToLowerInvariant())]
            );
        metrics.Add(
            "property_finished_timestamp_seconds",
            "When the result was reached, in seconds since 1970.",
            finished.ToUnixTimeSeconds(),
            ("broker", verdict.Broker.Name)
        );
        return metrics;
    }
}
