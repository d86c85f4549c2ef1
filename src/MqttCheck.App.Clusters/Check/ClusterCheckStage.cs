using System.Diagnostics;
using MqttCheck.App.Progress;
using MqttCheck.ClusterProtocols.Generation;
using MqttCheck.ClusterProtocols.Systems;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.InMemory;
using static System.FormattableString;

namespace MqttCheck.App.Clusters.Check;

/// <summary>The stage from a topology to violations by random clients and faults.</summary>
internal static class ClusterCheckStage
{
    /// <summary>Runs one case and judges it; takes the case and its seed.</summary>
    /// <param name="asBytes">Whether nodes have brokers and real clients, or exchange packets without bytes.</param>
    public static Func<ClusterCase, ulong, IReadOnlyList<ClusterViolation>> Judge(Topology topology, bool asBytes) =>
        asBytes
            ? (tested, drawn) => ByteCaseRun.Judge(topology, tested, drawn)
            : (tested, drawn) => ClusterCheck.Judge(topology, tested, drawn);

    /// <summary>Makes cases until the time is over, and shrinks what is violated.</summary>
    /// <param name="name">The name of the cluster.</param>
    public static Task<List<ClusterFinding>> ExploreAsync(
        Workplace place,
        string name,
        ClusterCheck check,
        TimeSpan time
    ) =>
        place.Progress.ProgressAsync(
            $"check {name}",
            report =>
                Task.Run(() =>
                {
                    var findings = new List<ClusterFinding>();
                    var watch = Stopwatch.StartNew();
                    while (watch.Elapsed < time && !place.Orderly.IsCancellationRequested)
                    {
                        if (check.Next() is { } finding)
                            findings.Add(finding);
                        report(watch.Elapsed / time, Invariant($"{check.Cases} cases, {findings.Count} violated"));
                    }
                    return findings;
                })
        );
}
