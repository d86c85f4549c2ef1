using MqttCheck.App.Clusters.Runs;
using MqttCheck.Cli.Results;
using MqttCheck.LiveClusters.Verdicts;

namespace MqttCheck.Cli.Cluster;

/// <summary>The runs of a cluster, and the answers to its properties, as metrics.</summary>
internal static class ClusterMetrics
{
    /// <summary>The metrics.</summary>
    public static MetricsFile Of(ClusterRunRequest request, ClusterVerificationResult result)
    {
        var metrics = new MetricsFile();
        var topology = ("topology", request.Topology.Name);
        metrics.Add("cluster_runs", "Runs that count.", result.Runs.Count, topology);
        metrics.Add(
            "cluster_lost_messages",
            "Deliveries that were owed and never came, in all runs.",
            result.Runs.Sum(run => run.Outcome.Lost),
            topology
        );
        metrics.Add("cluster_violations", "Violated invariants, in all runs.", result.Violations.Count(), topology);
        foreach (var answer in result.Answers)
        {
            (string, string)[] labels = [topology, ("property", answer.Property.ToString())];
            metrics.Add("cluster_property_value", "Its share of runs, or its value.", answer.Estimate, labels);
            metrics.Add("cluster_property_lower", "Lower end of its interval.", answer.Interval?.Lower, labels);
            metrics.Add("cluster_property_upper", "Upper end of its interval.", answer.Interval?.Upper, labels);
            if (!answer.Property.IsDecision)
                continue;
            foreach (
                var (word, holds) in (ReadOnlySpan<(string, bool?)>)
                    [("holds", true), ("violated", false), ("withheld", null)]
            )
                metrics.Add(
                    "cluster_property_verdict",
                    "Whether the verdict is this one: 1 or 0.",
                    answer.Holds == holds ? 1 : 0,
                    [.. labels, ("verdict", word)]
                );
        }
        return metrics;
    }
}
