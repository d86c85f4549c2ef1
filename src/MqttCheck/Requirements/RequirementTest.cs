using System.Runtime.InteropServices;
using MathNet.Numerics.Distributions;
using MqttCheck.Clients;
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
/// <para>
/// Runs that do not count take part too: see <see cref="AddInvalidRun"/>.
/// </para>
/// </remarks>
public sealed class RequirementTest
{
    private readonly RequirementOptions _options;
    private readonly RequirementPlan _plan;
    private readonly List<RunCount> _runs = [];
    private readonly RunMeanBets _onMet,
        _onViolated;

    // These are all runs with their samples, also those that do not count. It is null while every run counts, and where
    // bets decide.
    private List<RunCount>? _all;
    private bool _isAllKnown = true;
    private int _invalid;

    // The verdicts of the latest looks: one at the runs that count, one at all runs.
    private RequirementVerdict _fromCounted = RequirementVerdict.Withheld,
        _fromAll = RequirementVerdict.Withheld;
    private RunBelowWorst? _belowWorst;
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
        CompareWithWorst(run);
        _runs.Add(run);
        _all?.Add(run);
        if (_belowWorst is null)
            Bet(run, silent, _onMet, _onViolated);
        return Decide();
    }

    /// <summary>
    /// Takes a run that does not count into account as <see cref="AddInvalidRun"/> does, without describing the result.
    /// </summary>
    internal RequirementVerdict DecideInvalid(RunCount shown)
    {
        CompareWithWorst(shown);
        _invalid++;
        if (_options.Guarantee == Guarantee.Any)
        {
            _onMet.AddUnknown();
            _onViolated.AddUnknown();
            return Verdict;
        }
        if (_all is null)
            (_all, _fromAll) = ([.. _runs], _fromCounted);
        if (shown.Samples > 0)
            _all.Add(shown);
        else
            _isAllKnown = false;
        return Decide();
    }

    // A verdict once given stays, unless a run refutes what the user vouched for.
    private RequirementVerdict Verdict =>
        _belowWorst is not null ? RequirementVerdict.Withheld : _decision ?? RequirementVerdict.Withheld;

    private RequirementVerdict Decide()
    {
        if (_decision is not null || _belowWorst is not null)
            return Verdict;
        var verdict =
            _options.Guarantee == Guarantee.Any
                ? _runs.Count < _options.FewestRuns
                    ? RequirementVerdict.Withheld
                    : ByBets(_options, _onMet, _onViolated)
                : ByLooks();
        if (verdict != RequirementVerdict.Withheld)
            (_decision, _decidedAfterRuns) = (verdict, _runs.Count);
        return verdict;
    }

    // The latest look at the runs that count and the latest one at all runs must say the same.
    private RequirementVerdict ByLooks()
    {
        _fromCounted = LookAt(_runs, _fromCounted);
        if (_all is null)
            return _fromCounted;
        _fromAll = _isAllKnown ? LookAt(_all, _fromAll) : RequirementVerdict.Withheld;
        return _fromAll == _fromCounted ? _fromCounted : RequirementVerdict.Withheld;
    }

    private RequirementVerdict LookAt(List<RunCount> runs, RequirementVerdict latest)
    {
        var isLook =
            _plan.ErrorShare(runs.Count, RequirementVerdict.Met) > 0
            || _plan.ErrorShare(runs.Count, RequirementVerdict.Violated) > 0;
        if (!isLook)
            return latest;
        var verdict = Look(CollectionsMarshal.AsSpan(runs), _options, side => _plan.ErrorShare(runs.Count, side));
        // A look for the other verdict alone takes nothing back.
        return verdict == RequirementVerdict.Withheld && _plan.ErrorShare(runs.Count, latest) == 0 ? latest : verdict;
    }

    private void CompareWithWorst(RunCount run)
    {
        if (run.Share < _options.WorstRun)
            _belowWorst ??= new(_runs.Count + _invalid + 1, run.Share);
    }

    /// <summary>Counts one run, after which there may be a verdict. A verdict once given stays.</summary>
    /// <param name="run">The run, with at least one sample.</param>
    /// <param name="silent">
    /// How many further samples the run has about which the requirement says nothing: they count for neither side.
    /// </param>
    /// <returns>The result of the runs so far.</returns>
    public RequirementResult AddRun(RunCount run, int silent = 0)
    {
        Decide(run, silent);
        return Describe();
    }

    /// <summary>
    /// Takes a run that does not count into account, because the generator was late or overloaded: left out, the choice
    /// of runs might decide. With <see cref="Guarantee.Any"/> bets take it at its worst for them. Otherwise a verdict
    /// needs the same answer from the latest look at the runs that count and from the latest look at all runs.
    /// </summary>
    /// <param name="shown">The samples of the run; without a sample, the verdict of all runs is unknown.</param>
    /// <returns>The result of the runs so far; null before the first run that counts.</returns>
    public RequirementResult? AddInvalidRun(RunCount shown)
    {
        DecideInvalid(shown);
        return _runs.Count == 0 ? null : Describe();
    }

    private RequirementResult Describe()
    {
        var counts = CollectionsMarshal.AsSpan(_runs);
        var (evidence, bound, areExcluded) =
            _options.Guarantee == Guarantee.Any ? DescribeBets() : DescribeLook(counts);
        return new()
        {
            Verdict = Verdict,
            BelowWorst = _belowWorst,
            Differing =
                _decision is null && _all is not null && _fromAll != _fromCounted ? new(_fromCounted, _fromAll) : null,
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

    /// <summary>The verdict of a look after these runs.</summary>
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
        (
            new(options.Probability - options.EffectiveIndifference, above: true, options.WorstRun ?? 0),
            new(options.Probability, above: false, options.WorstRun ?? 0)
        );

    // A sample about which the requirement says nothing counts as the threshold t. So the expectation of successes + t
    // silent, over all samples, lies above t exactly if the probability does. This holds even if runs with fewer
    // telling samples are better or worse than others.
    private static void Bet(RunCount run, int silent, RunMeanBets onMet, RunMeanBets onViolated)
    {
        Add(onMet);
        Add(onViolated);

        // A plan asks about runs that are never in time; none is worse than the worst.
        void Add(RunMeanBets bets) =>
            bets.Add(Math.Max(bets.Least, (run.Successes + bets.Threshold * silent) / (run.Samples + silent)));
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
