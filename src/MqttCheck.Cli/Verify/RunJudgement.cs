using System.Globalization;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Comparison;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Statistics;

namespace MqttCheck.Cli.Verify;

/// <summary>What several runs say of themselves, in words: whether they can be used, and when they became stationary.</summary>
internal static class RunJudgement
{
    // A stationary run seldom looks as if it never became so, but on the brokers tried some three in a hundred did: one such run is a remark, two of three or three of five are not chance.
    private const int FewestUnsettled = 2;

    /// <summary>
    /// Whether so many of the runs cannot be used, half of them or more, that nothing must be concluded from them: they are invalid, or never became stationary. A single run that never did says too little.
    /// </summary>
    public static bool AreInvalid(IReadOnlyList<FleetRunResult> runs) => WhyInvalid(runs) is not null;

    /// <summary>Why nothing must be concluded from some runs.</summary>
    /// <returns>A sentence; null where they can be used.</returns>
    public static string? WhyInvalid(IReadOnlyList<FleetRunResult> runs)
    {
        return WhyInvalid([.. runs.Select(run => (run.Health, run.WarmUp))]);
    }

    /// <summary>Why nothing must be concluded from some runs of a log.</summary>
    /// <param name="cases">The runs, of which those without health say nothing.</param>
    /// <returns>A sentence; null where they can be used.</returns>
    public static string? WhyInvalid(IEnumerable<RunCase> cases)
    {
        return WhyInvalid([.. cases.Where(run => run.Health is not null).Select(run => (run.Health!, run.WarmUp))]);
    }

    /// <summary>Takes the verdicts of a comparison back where most runs of either broker in that setup are invalid: such runs show neither a difference nor that there is none.</summary>
    public static ComparisonResult Judge(ComparisonResult result)
    {
        return result with { Points = [.. result.Points.Select(Judged)] };

        PointComparison Judged(PointComparison point)
        {
            var why = new[] { point.First, point.Second }
                .Select(broker => WhyInvalid(RunsOf(result, broker, point.Setup)))
                .FirstOrDefault(reason => reason is not null);
            return why is null
                ? point
                : point with
                {
                    Result = point.Result with
                    {
                        Verdict = TwoSampleVerdict.Withheld,
                        Reason = $"{why} Otherwise it would be: {point.Result.Reason}",
                    },
                };
        }
    }

    /// <summary>The runs that a comparison made of a setup.</summary>
    /// <param name="broker">The index of the broker; null for stored runs, of which none was made.</param>
    public static IReadOnlyList<FleetRunResult> RunsOf(ComparisonResult result, int? broker, ComparedSetup setup)
    {
        return broker is not { } index
            ? []
            :
            [
                .. result
                    .Cases[index]
                    .Zip(result.Runs[index])
                    .Where(made => made.First.Population == setup.Population && made.First.Clients == setup.Clients)
                    .Select(made => made.Second),
            ];
    }

    /// <summary>What bears on how far the runs can be trusted.</summary>
    /// <returns>One sentence for each finding, with the number of runs it concerns and the worst of them.</returns>
    public static IReadOnlyList<string> Findings(IReadOnlyList<FleetRunResult> runs)
    {
        return Findings([.. runs.Select(run => (run.Health, run.WarmUp))]);
    }

    /// <summary>What bears on how far the runs of a log can be trusted, as the log says.</summary>
    /// <param name="log">What is known of the log.</param>
    public static IReadOnlyList<string> Findings(RunInformation log)
    {
        return Findings([.. log.Cases.Where(run => run.Health is not null).Select(run => (run.Health!, run.WarmUp))]);
    }

    /// <summary>When the runs became stationary.</summary>
    /// <returns>A sentence, or null when all of them are too short to say.</returns>
    public static string? WarmUp(IReadOnlyList<FleetRunResult> runs)
    {
        var known = runs.Select(run => run.WarmUp).Where(warmUp => warmUp.State != StationarityState.Unknown).ToList();
        if (known.Count == 0)
            return null;
        var late = known
            .Where(warmUp => warmUp is { State: StationarityState.Reached, SinceSeconds: > 0 })
            .Select(warmUp => warmUp.SinceSeconds)
            .ToList();
        var never = known.Count(warmUp => warmUp.State == StationarityState.Never);
        return string.Create(
                CultureInfo.InvariantCulture,
                $"warm-up: stationary from the beginning in {known.Count - late.Count - never} of {known.Count} runs"
            )
            + (
                late.Count > 0
                    ? string.Create(
                        CultureInfo.InvariantCulture,
                        $", after {late.Min():0.0} .. {late.Max():0.0} s in {late.Count}"
                    )
                    : ""
            )
            + (never > 0 ? string.Create(CultureInfo.InvariantCulture, $", never in {never}") : "");
    }

    private static List<string> Findings(IReadOnlyList<(RunHealth Health, WarmUp WarmUp)> runs)
    {
        var findings = runs.SelectMany(run => run.Health.Findings.Select(finding => (run.Health, Finding: finding)))
            .GroupBy(pair => pair.Finding.Code)
            .OrderByDescending(group => group.First().Finding.Invalidates)
            .Select(group =>
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{group.Count()} of {runs.Count} runs {(group.First().Finding.Invalidates ? "are invalid" : "have a remark")}: {group.MaxBy(pair => Severity(group.Key, pair.Health)).Finding.Text}"
                )
            )
            .ToList();
        var never = runs.Count(run => IsUnsettled(run.WarmUp));
        if (never > 0)
            findings.Add(NeverStationary(never, runs.Count));
        return findings;
    }

    private static string? WhyInvalid(IReadOnlyList<(RunHealth Health, WarmUp WarmUp)> runs)
    {
        var invalid = runs.Count(run => !run.Health.IsValid);
        var unsettled = runs.Count(run => run.Health.IsValid && IsUnsettled(run.WarmUp));
        if (runs.Count == 0 || 2 * (invalid + (unsettled >= FewestUnsettled ? unsettled : 0)) < runs.Count)
            return null;
        return invalid > 0 ? Findings(runs)[0] : NeverStationary(unsettled, runs.Count);
    }

    private static bool IsUnsettled(WarmUp warmUp) => warmUp.State == StationarityState.Never;

    private static string NeverStationary(int never, int runs) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{never} of {runs} runs never became stationary: their latencies went on changing through more than half of the run."
        );

    private static double Severity(string code, RunHealth health) =>
        code switch
        {
            "send-lag" => health.LagP99Microseconds / health.LatencyP99Milliseconds,
            "generator-cpu" => health.GeneratorCpuShare,
            "stolen-time" => health.StolenShare,
            "delayed-acknowledgements" => health.DelayedAcknowledgementShare,
            _ => health.PendingBytesMaximum,
        };
}
