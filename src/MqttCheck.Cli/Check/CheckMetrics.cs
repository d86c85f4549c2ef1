using MqttCheck.App.Check;
using MqttCheck.Cli.Results;

namespace MqttCheck.Cli.Check;

/// <summary>The findings of a check as metrics.</summary>
internal static class CheckMetrics
{
    /// <summary>The metrics.</summary>
    public static MetricsFile Of(CheckDocument document)
    {
        var metrics = new MetricsFile();
        var broker = ("broker", document.Broker);
        metrics.Add("check_scenarios", "Scenarios that were explored.", document.Scenarios, broker);
        metrics.Add("check_commands", "Commands of all scenarios.", document.Commands, broker);
        // A word without a finding is a number too, so that an alert can wait for it.
        foreach (var word in document.Coverage.Select(statement => statement.Class).Distinct())
            metrics.Add(
                "check_findings",
                "Deviations from statements of the standard with this word, confirmed by repetition.",
                document.Findings.Count(finding => finding.Class == word),
                broker,
                ("word", word)
            );
        return metrics;
    }
}
