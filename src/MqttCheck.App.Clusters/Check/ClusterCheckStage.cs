using System.Diagnostics;
using MqttCheck.App.Progress;
using MqttCheck.ClusterProtocols.Generation;
using MqttCheck.ClusterProtocols.Systems;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.InMemory;
using static System.FormattableString;

namespace MqttCheck.App.Clusters.Check;

/// <summary>The stage from a topology to violations by random clients and faults, or by a given case.</summary>
internal sealed class ClusterCheckStage
{
    private readonly Topology _topology;
    private readonly ulong _seed;
    private readonly Func<ClusterCase, ulong, IReadOnlyList<ClusterViolation>> _judge;

    /// <summary>A check.</summary>
    /// <param name="topology">The cluster; links without a delay get the usual one.</param>
    /// <param name="asBytes">Whether nodes have brokers and real clients, or exchange packets without bytes.</param>
    /// <exception cref="InputException">It has what is not simulated.</exception>
    public ClusterCheckStage(Topology topology, bool asBytes, ulong seed)
    {
        (_topology, _seed) = (ClusterCheck.WithUsualDelays(topology), seed);
        ClusterCheck.ThrowIfNotSimulated(_topology);
        _judge = asBytes
            ? (tested, drawn) => ByteCaseRun.Judge(_topology, tested, drawn)
            : (tested, drawn) => ClusterCheck.Judge(_topology, tested, drawn);
    }

    /// <summary>Runs one case and judges it.</summary>
    /// <param name="steps">The case as a finding prints it.</param>
    /// <exception cref="InputException">It is malformed.</exception>
    public IReadOnlyList<ClusterViolation> Judge(string steps) =>
        _judge(CaseText.Parse(steps, _topology, "--steps"), _seed);

    /// <summary>Makes cases until the time is over, and shrinks what is violated.</summary>
    public Task<ClusterCheckAnswer> ExploreAsync(Workplace place, TimeSpan time)
    {
        var check = new ClusterCheck(_topology, _seed, _judge);
        return place.Progress.ProgressAsync(
            $"check {_topology.Name}",
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
                    return new ClusterCheckAnswer(
                        findings,
                        check.Cases,
                        check.Operations,
                        check.Simulated,
                        check.Kinds
                    );
                })
        );
    }
}
