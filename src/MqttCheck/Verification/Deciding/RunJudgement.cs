using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Verification.Deciding;

/// <summary>
/// The one place that says whether a run counts, and whether a verdict is withheld because of its runs. Verification,
/// comparison, properties and tests ask here; what they print are these sentences.
/// </summary>
internal static class RunJudgement
{
    // A stationary run seldom looks as if it never became so, but on the brokers tried some three in a hundred did. One
    // such run is a remark; two of three or three of five are not chance.
    private const int FewestUnsettled = 2;

    /// <summary>Judges whether a run counts.</summary>
    /// <param name="run">The run.</param>
    public static RunUse UseOf(IMadeRun run)
    {
        return UseOf(run.Health, run.WarmUp);
    }

    /// <summary>Whether a run counts.</summary>
    /// <param name="use">The judgement of the run.</param>
    public static bool Counts(this RunUse use) => use != RunUse.Invalid;

    /// <summary>
    /// Whether so many of the runs cannot be used, half of them or more, that nothing must be concluded from them.
    /// </summary>
    /// <param name="runs">The runs.</param>
    public static bool AreInvalid(IEnumerable<IMadeRun> runs) => WhyInvalid(runs) is not null;

    /// <summary>Why nothing must be concluded from some runs.</summary>
    /// <param name="runs">The runs.</param>
    /// <returns>A sentence; null where they can be used.</returns>
    public static string? WhyInvalid(IEnumerable<IMadeRun> runs) => WhyInvalid(Judged(runs));

    /// <summary>Why nothing must be concluded from some runs of a log.</summary>
    /// <param name="cases">The runs, of which those without health say nothing.</param>
    /// <returns>A sentence; null where they can be used.</returns>
    public static string? WhyInvalid(IEnumerable<RunCase> cases) => WhyInvalid(Judged(cases));

    /// <summary>
    /// Why nothing must be concluded from some runs: half of them or more are invalid, or never became stationary. A
    /// single run that never did says too little.
    /// </summary>
    /// <param name="runs">The runs with what they are good for.</param>
    /// <returns>A sentence; null where they can be used.</returns>
    public static string? WhyInvalid(IReadOnlyList<JudgedRun> runs)
    {
        var invalid = runs.Count(run => !run.Use.Counts());
        var unsettled = runs.Count(run => run.Use == RunUse.Unsettled);
        if (runs.Count == 0 || 2 * (invalid + (unsettled >= FewestUnsettled ? unsettled : 0)) < runs.Count)
            return null;
        return invalid > 0 ? AreInvalid(invalid, runs) : NeverStationary(unsettled, runs.Count);
    }

    /// <summary>The reason of a verdict that is withheld because of its runs.</summary>
    /// <param name="why">Why nothing must be concluded from the runs.</param>
    /// <param name="otherwise">The reason of the verdict that it would be.</param>
    public static string Withheld(string why, string otherwise) => $"{why} Otherwise it would be: {otherwise}";

    /// <summary>Findings about the quality of some runs.</summary>
    /// <param name="runs">The runs.</param>
    /// <returns>One sentence for each finding, with the number of runs it concerns and the worst of them.</returns>
    public static IReadOnlyList<string> Findings(IEnumerable<IMadeRun> runs) => Findings(Judged(runs));

    /// <summary>Findings about the quality of the runs of a log, as the log says.</summary>
    /// <param name="log">The information about the log.</param>
    public static IReadOnlyList<string> Findings(RunInformation log)
    {
        return Findings(Judged(log.Cases));
    }

    /// <summary>When some runs became stationary.</summary>
    /// <param name="runs">The runs.</param>
    /// <returns>A sentence, or null when all of them are too short to say.</returns>
    public static string? WarmUp(IEnumerable<IMadeRun> runs)
    {
        var known = runs.Select(run => run.WarmUp).Where(warmUp => warmUp.State != StationarityState.Unknown).ToList();
        if (known.Count == 0)
            return null;
        var late = known
            .Where(warmUp => warmUp is { State: StationarityState.Reached, SinceSeconds: > 0 })
            .Select(warmUp => warmUp.SinceSeconds)
            .ToList();
        var never = known.Count(warmUp => warmUp.State == StationarityState.Never);
        return Invariant(
                $"warm-up: stationary from the beginning in {known.Count - late.Count - never} of {known.Count} runs"
            )
            + (late.Count > 0 ? Invariant($", after {late.Min():0.0} .. {late.Max():0.0} s in {late.Count}") : "")
            + (never > 0 ? Invariant($", never in {never}") : "");
    }

    private static RunUse UseOf(RunHealth health, WarmUp warmUp) =>
        !health.IsValid ? RunUse.Invalid
        : warmUp.State == StationarityState.Never ? RunUse.Unsettled
        : RunUse.Sound;

    private static List<JudgedRun> Judged(IEnumerable<IMadeRun> runs) =>
        [.. runs.Select(run => new JudgedRun(run.Health, run.WarmUp, UseOf(run)))];

    private static List<JudgedRun> Judged(IEnumerable<RunCase> cases) =>
        [
            .. cases
                .Where(made => made.Health is not null)
                .Select(made => new JudgedRun(made.Health!, made.WarmUp, UseOf(made.Health!, made.WarmUp))),
        ];

    private static List<string> Findings(List<JudgedRun> runs)
    {
        var findings = runs.SelectMany(run => run.Health.Findings.Select(finding => (run.Health, Finding: finding)))
            .GroupBy(pair => pair.Finding.Code)
            .OrderByDescending(group => group.First().Finding.Invalidates)
            .Select(group =>
            {
                var what =
                    group.First().Finding.Invalidates ? "are invalid"
                    : group.Count() == 1 ? "has a remark"
                    : "have a remark";
                var worst = group.MaxBy(pair => Severity(group.Key, pair.Health)).Finding.Text;
                return Invariant($"{group.Count()} of {runs.Count} runs {what}: {worst}");
            })
            .ToList();
        // The warm-up of an invalid run is worth a remark too.
        var never = runs.Count(run => run.WarmUp.State == StationarityState.Never);
        if (never > 0)
            findings.Add(NeverStationary(never, runs.Count));
        return findings;
    }

    /// <summary>The runs that do not count, with the worst finding: what stands beside every verdict.</summary>
    /// <param name="runs">The runs with what they are good for.</param>
    /// <returns>A sentence; null where all count.</returns>
    public static string? NotCounted(IReadOnlyList<JudgedRun> runs)
    {
        var invalid = runs.Count(run => !run.Use.Counts());
        return invalid == 0
            ? null
            : Invariant($"{invalid} of {runs.Count} runs {(invalid == 1 ? "does" : "do")} not count{Worst(runs)}");
    }

    private static string AreInvalid(int invalid, IReadOnlyList<JudgedRun> runs) =>
        Invariant($"{invalid} of {runs.Count} runs are invalid{Worst(runs)}");

    // The worst of the runs speaks for all of them.
    private static string Worst(IReadOnlyList<JudgedRun> runs)
    {
        var why = runs.SelectMany(run => run.Health.Findings.Select(finding => (run.Health, Finding: finding)))
            .Where(pair => pair.Finding.Invalidates)
            .GroupBy(pair => pair.Finding.Code)
            .FirstOrDefault()
            ?.MaxBy(pair => Severity(pair.Finding.Code, pair.Health))
            .Finding.Text;
        return why is null ? "." : ": " + why;
    }

    private static string NeverStationary(int never, int runs) =>
        Invariant($"{never} of {runs} runs never became stationary: ")
        + "their latencies went on changing through more than half of the run.";

    private static double Severity(string code, RunHealth health) =>
        code switch
        {
            "send-lag" => health.LagP99Microseconds / health.LatencyP99Milliseconds,
            "generator-cpu" => health.GeneratorCpuShare,
            "clock-bound" => health.ClockBoundMilliseconds,
            "stolen-time" => health.StolenShare,
            "delayed-acknowledgements" => health.DelayedAcknowledgementShare,
            "held-answers" => health.HeldAnswerShare,
            _ => health.PendingBytesMaximum,
        };
}
