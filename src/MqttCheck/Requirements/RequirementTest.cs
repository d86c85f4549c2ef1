using System.Runtime.InteropServices;
using MathNet.Numerics.Distributions;
using MqttCheck.Sequential.Runs;

namespace MqttCheck.Requirements;

/// <summary>
/// The one-sided test of a requirement, "in time with probability p or more", against "p - d or less", with the run as
/// the sampling unit: each run counts as one observation, its share in time. A broker that is better than required
/// meets the requirement. <see cref="RequirementOptions.Guarantee"/> says under which assumption the error holds.
/// </summary>
/// <remarks>
/// Met is wrong (the truth is p - d or less), and violated is wrong (the truth is p or more), with a probability of at
/// most the stated error each.
/// <para>
/// <see cref="Guarantee.Model"/>: of the two hypotheses the one farther from the observed share is rejected when two
/// tests reject it. Student's t over the runs, whose standard error is never below that of independent samples; and the
/// likelihood of correlated runs (<see cref="RunLikelihood"/>), because Student's t does not see a broker that fails
/// rarely but then for a whole run. The correlation inside a run may be as large as
/// <see cref="RequirementOptions.LargestCorrelation"/>. The looks share the error: see <see cref="RequirementPlan"/>. A
/// state of the broker that no run has shown is not excluded: see <see cref="RequirementPromise"/>.
/// </para>
/// <para>
/// <see cref="Guarantee.Any"/>: bets on the run means (<see cref="RunMeanBets"/>), one side against p - d, one against
/// p. The error holds for independent runs of any law, at every look.
/// </para>
/// </remarks>
public sealed class RequirementTest
{
    private readonly RequirementOptions _options;
    private readonly RequirementPlan _plan;
    private readonly List<RunCount> _runs = [];
    private readonly RunMeanBets _onMet,
        _onViolated;
    private RequirementVerdict? _decision;
    private int? _decidedAfterRuns;

    /// <summary>A test without runs so far.</summary>
    /// <param name="options">The requirement and the error.</param>
    /// <param name="plan">After how many runs there may be a verdict; chosen before the first run is made.</param>
    /// <exception cref="InputException">An option is out of range.</exception>
    public RequirementTest(RequirementOptions options, RequirementPlan plan)
    {
        InputException.ThrowIfAny(options.Validate("requirement"));
        (_options, _plan) = (options, plan);
        (_onMet, _onViolated) = Bets(options);
    }

    /// <summary>
    /// Counts one run as <see cref="AddRun"/> does, without describing the result, which takes longer than the test:
    /// for simulations.
    /// </summary>
    internal RequirementVerdict Decide(RunCount run, int silent = 0)
    {
        _runs.Add(run);
        Bet(run, silent, _onMet, _onViolated);
        if (_decision is not null)
            return _decision.Value;
        var verdict =
            _options.Guarantee == Guarantee.Any
                ? _runs.Count < _options.FewestRuns
                    ? RequirementVerdict.Withheld
                    : ByBets(_options, _onMet, _onViolated)
                : Look(CollectionsMarshal.AsSpan(_runs), _options, side => _plan.ErrorShare(_runs.Count, side));
        if (verdict != RequirementVerdict.Withheld)
            (_decision, _decidedAfterRuns) = (verdict, _runs.Count);
        return verdict;
    }

    /// <summary>Counts one run, after which there may be a verdict. A verdict once given stays.</summary>
    /// <param name="run">The run, with at least one sample.</param>
    /// <param name="silent">
    /// How many further samples the run has about which the requirement says nothing: they count for neither side.
    /// </param>
    /// <returns>What the test says now.</returns>
    public RequirementResult AddRun(RunCount run, int silent = 0)
    {
        Decide(run, silent);
        var counts = CollectionsMarshal.AsSpan(_runs);
        var (evidence, bound, areExcluded) =
            _options.Guarantee == Guarantee.Any ? DescribeBets() : DescribeLook(counts);
        return new()
        {
            Verdict = _decision ?? RequirementVerdict.Withheld,
            Options = _options,
            Runs = [.. _runs],
            Variation = RunVariation.Of(_runs),
            Interval = _runs.Count < 2 ? new(0, 1) : RunLikelihood.Interval(counts, .025),
            Evidence = evidence,
            Bound = bound,
            AreRareBadRunsExcluded = areExcluded,
            Plan = _plan,
            DecidedAfterRuns = _decidedAfterRuns,
        };
    }

    /// <summary>What a look after these runs says.</summary>
    /// <param name="runs">The runs.</param>
    /// <param name="options">The requirement and the error.</param>
    /// <param name="share">
    /// The share of the error that met, or violated, may spend at this look; 0 for none. Bets do not share it.
    /// </param>
    internal static RequirementVerdict Look(
        ReadOnlySpan<RunCount> runs,
        RequirementOptions options,
        Func<RequirementVerdict, double> share
    )
    {
        if (options.Guarantee == Guarantee.Any)
        {
            var (onMet, onViolated) = Bets(options);
            foreach (var run in runs)
                Bet(run, 0, onMet, onViolated);
            return ByBets(options, onMet, onViolated);
        }
        var (evidence, verdict) = Evidence(runs, options);
        return
            share(verdict) is > 0 and var part
            && Math.Abs(evidence) >= Bound(runs.Length, options, part)
            && Excludes(runs, options, verdict, part)
            ? verdict
            : RequirementVerdict.Withheld;
    }

    private (double Evidence, double Bound, bool AreExcluded) DescribeLook(ReadOnlySpan<RunCount> runs)
    {
        var (evidence, nearer) = Evidence(runs, _options);
        var look = _plan.NextLook(runs.Length, nearer);
        var share = _plan.ErrorShare(look, nearer);
        return (evidence, Bound(look, _options, share), runs.Length > 1 && Excludes(runs, _options, nearer, share));
    }

    private (double Evidence, double Bound, bool AreExcluded) DescribeBets()
    {
        double met = _onMet.LogWealth,
            violated = _onViolated.LogWealth;
        return (met >= violated ? met : -violated, -Math.Log(_options.Error), _decision is not null);
    }

    private static (RunMeanBets OnMet, RunMeanBets OnViolated) Bets(RequirementOptions options) =>
        (new(options.Probability - options.EffectiveIndifference, above: true), new(options.Probability, above: false));

    // What says nothing counts as much as the threshold: the expectation of successes + t silent, over all samples,
    // lies above t just where the probability does, also if runs with fewer samples that say something are better or
    // worse ones.
    private static void Bet(RunCount run, int silent, RunMeanBets onMet, RunMeanBets onViolated)
    {
        onMet.Add((run.Successes + onMet.Threshold * silent) / (run.Samples + silent));
        onViolated.Add((run.Successes + onViolated.Threshold * silent) / (run.Samples + silent));
    }

    private static RequirementVerdict ByBets(RequirementOptions options, RunMeanBets onMet, RunMeanBets onViolated)
    {
        var bound = -Math.Log(options.Error);
        return onMet.LogWealth >= bound ? RequirementVerdict.Met
            : onViolated.LogWealth >= bound ? RequirementVerdict.Violated
            : RequirementVerdict.Withheld;
    }

    private static double Bound(int runs, RequirementOptions options, double share) =>
        StudentT.InvCDF(0, 1, runs - 1, 1 - options.Error * share);

    // Whether the hypothesis is excluded also for a broker whose runs are all good or all bad.
    private static bool Excludes(
        ReadOnlySpan<RunCount> runs,
        RequirementOptions options,
        RequirementVerdict verdict,
        double share
    )
    {
        var isMet = verdict == RequirementVerdict.Met;
        var rejected = isMet ? options.Probability - options.EffectiveIndifference : options.Probability;
        return RunLikelihood.Deviance(runs, rejected, options.LargestCorrelation)
            >= RunLikelihood.DevianceBound(runs.Length, options.Error * share, rejected, areAbove: isMet);
    }

    private static (double Evidence, RequirementVerdict Nearer) Evidence(
        ReadOnlySpan<RunCount> runs,
        RequirementOptions options
    )
    {
        double low = options.Probability - options.EffectiveIndifference,
            mean = 0,
            squares = 0,
            inverses = 0;
        foreach (var run in runs)
            mean += (double)run.Successes / run.Samples / runs.Length;
        foreach (var run in runs)
        {
            var deviation = (double)run.Successes / run.Samples - mean;
            squares += deviation * deviation;
            inverses += 1.0 / run.Samples;
        }
        var meets = mean >= (low + options.Probability) / 2;
        var rejected = meets ? low : options.Probability;
        var independent = rejected * (1 - rejected) * inverses / runs.Length;
        var observed = runs.Length < 2 ? independent : squares / (runs.Length - 1);
        return (
            (mean - rejected) / Math.Sqrt(Math.Max(observed, independent) / runs.Length),
            meets ? RequirementVerdict.Met : RequirementVerdict.Violated
        );
    }
}
