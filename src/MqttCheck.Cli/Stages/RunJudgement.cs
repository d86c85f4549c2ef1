using System.Globalization;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Logs;
using MqttCheck.Statistics;

namespace MqttCheck.Cli.Stages;

/// <summary>What several runs say of themselves, in words: whether they can be used, and when they became stationary.</summary>
public static class RunJudgement
{
    /// <summary>Whether so many of the runs are invalid, half of them or more, that nothing must be concluded from them.</summary>
    /// <param name="runs">The runs.</param>
    public static bool AreInvalid(IReadOnlyCollection<FleetRunResult> runs)
    {
        ArgumentNullException.ThrowIfNull(runs);
        return runs.Count > 0 && 2 * runs.Count(run => !run.Health.IsValid) >= runs.Count;
    }

    /// <summary>What bears on how far the runs can be trusted.</summary>
    /// <param name="runs">The runs.</param>
    /// <returns>One sentence for each finding, with the number of runs it concerns and the worst of them.</returns>
    public static IReadOnlyList<string> Findings(IReadOnlyList<FleetRunResult> runs)
    {
        ArgumentNullException.ThrowIfNull(runs);
        var findings = runs.SelectMany(run => run.Health.Findings.Select(finding => (Run: run, Finding: finding)))
            .GroupBy(pair => pair.Finding.Code)
            .OrderByDescending(group => group.First().Finding.Invalidates)
            .Select(group => string.Create(CultureInfo.InvariantCulture,
                $"{group.Count()} of {runs.Count} runs {(group.First().Finding.Invalidates ? "are invalid" : "have a remark")}: {Worst(group.Key, group).Text}"))
            .ToList();
        var never = runs.Count(run => run.WarmUp.State == StationarityState.Never);
        if (never > 0)
            findings.Add(string.Create(CultureInfo.InvariantCulture, $"{never} of {runs.Count} runs never became stationary: their latencies went on changing through more than half of the run."));
        return findings;
    }

    /// <summary>When the runs became stationary.</summary>
    /// <param name="runs">The runs.</param>
    /// <returns>A sentence, or null when all of them are too short to say.</returns>
    public static string? WarmUp(IReadOnlyList<FleetRunResult> runs)
    {
        ArgumentNullException.ThrowIfNull(runs);
        var known = runs.Where(run => run.WarmUp.State != StationarityState.Unknown).ToList();
        if (known.Count == 0) return null;
        var late = known.Where(run => run.WarmUp is { State: StationarityState.Reached, SinceSeconds: > 0 }).ToList();
        var text = string.Create(CultureInfo.InvariantCulture, $"warm-up: stationary from the beginning in {known.Count(run => run.WarmUp.SinceSeconds == 0)} of {known.Count} runs");
        if (late.Count > 0) text += string.Create(CultureInfo.InvariantCulture, $", after {late.Min(run => run.WarmUp.SinceSeconds):0.0} .. {late.Max(run => run.WarmUp.SinceSeconds):0.0} s in {late.Count}");
        var never = known.Count(run => run.WarmUp.State == StationarityState.Never);
        return never > 0 ? text + string.Create(CultureInfo.InvariantCulture, $", never in {never}") : text;
    }

    private static HealthFinding Worst(string code, IEnumerable<(FleetRunResult Run, HealthFinding Finding)> findings) => findings.MaxBy(pair => code switch
    {
        "send-lag" => pair.Run.Health.LagP99Microseconds / pair.Run.Health.LatencyP99Milliseconds,
        "generator-cpu" => pair.Run.Health.GeneratorCpuShare,
        "delayed-acknowledgements" => pair.Run.Health.DelayedAcknowledgementShare,
        _ => pair.Run.Health.PendingBytesMaximum,
    }).Finding;
}
