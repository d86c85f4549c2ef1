using System.Runtime.InteropServices;
using MqttCheck.Clients;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;

namespace MqttCheck.Verification;

/// <summary>
/// The decisions of a <see cref="PredictionTest"/>, from the counts of the runs alone: all that a simulation needs.
/// </summary>
internal sealed class PredictionLooks(TwoSidedPlan plan, VerificationOptions options, bool isVague)
{
    private readonly List<RunCount> _runs = [];
    private readonly RunLooks _when = options.Looks;
    private readonly SideBets? _lower = SideBets.On(plan.Worse, plan, options),
        _upper = SideBets.On(plan.Better, plan, options);

    // For each run that does not count, how many that do came before it.
    private readonly List<int> _invalidAfter = [];

    // These are all runs with their samples, also those that do not count. It is null while every run counts, and where
    // bets decide.
    private PredictionLooks? _all;
    private bool _isAllKnown = true;

    /// <summary>The runs so far that count.</summary>
    public IReadOnlyList<RunCount> Runs => _runs;

    /// <summary>The run that refutes what the user vouched for; null while none does.</summary>
    public RunBelowWorst? BelowWorst { get; private set; }

    /// <summary>
    /// The verdict of a look at the runs that count and that of a look at all runs, if they differ. Then there is no
    /// verdict. Null where they agree.
    /// </summary>
    public TwoAnswers<VerdictKind>? Differing
    {
        get
        {
            if (_all is null)
                return null;
            var (counted, all) = (Judge(SideError), JudgeAll());
            return counted == all ? null : new(counted ?? VerdictKind.Withheld, all ?? VerdictKind.Withheld);
        }
    }

    /// <summary>Counts one run.</summary>
    /// <param name="run">The run, with at least one sample.</param>
    public void Add(RunCount run)
    {
        CompareWithWorst(run);
        _runs.Add(run);
        _all?.Add(run);
        if (BelowWorst is not null)
            return;
        _lower?.Add(run);
        _upper?.Add(run);
    }

    /// <summary>
    /// The error of a side at this look, or at the next one where there is none after so many runs; with bets on run
    /// means, at all looks together.
    /// </summary>
    public double SideError => SideErrorAfter(_runs.Count, options, _when);

    /// <summary>
    /// Takes a run that does not count into account. Bets take it at its worst for them; otherwise a verdict needs the
    /// same answer from the runs that count and from all runs.
    /// </summary>
    /// <param name="shown">The samples of the run; without a sample, the verdict of all runs is unknown.</param>
    public void AddInvalid(RunCount shown)
    {
        CompareWithWorst(shown);
        _invalidAfter.Add(_runs.Count);
        if (options.Guarantee == Guarantee.Any)
        {
            _lower?.AddUnknown();
            _upper?.AddUnknown();
            return;
        }
        if (_all is null)
        {
            _all = new(plan, options, isVague);
            _runs.ForEach(_all.Add);
        }
        if (shown.Samples > 0)
            _all.Add(shown);
        else
            _isAllKnown = false;
    }

    /// <summary>Runs as bets see them: in the places of those that do not count stand runs without samples.</summary>
    /// <param name="runs">The first of the runs that count.</param>
    public RunCount[] AsBetOn(ReadOnlySpan<RunCount> runs)
    {
        if (options.Guarantee == Guarantee.Model || _invalidAfter.Count == 0)
            return runs.ToArray();
        var (all, next) = (new List<RunCount>(), 0);
        for (var run = 0; run < runs.Length; run++)
        {
            for (; next < _invalidAfter.Count && _invalidAfter[next] <= run; next++)
                all.Add(default);
            all.Add(runs[run]);
        }
        return [.. all];
    }

    /// <summary>Looks at the runs so far: at most once after each run.</summary>
    /// <returns>The verdict, or null where there is none yet.</returns>
    public VerdictKind? Look()
    {
        if (
            BelowWorst is not null
            || _runs.Count < options.MinimumRuns
            || (options.Guarantee == Guarantee.Model && _when.ErrorShare(_runs.Count) == 0)
        )
            return null;
        var counted = Judge(SideError);
        return counted is null || _all is null || counted == JudgeAll() ? counted : null;
    }

    // All runs are looked at when those that count are, with the same error.
    private VerdictKind? JudgeAll() => _isAllKnown ? _all!.Judge(SideError) : null;

    private void CompareWithWorst(RunCount run)
    {
        if (run.Share < options.WorstRun)
            BelowWorst ??= new(_runs.Count + _invalidAfter.Count + 1, run.Share);
    }

    private VerdictKind? Judge(double error)
    {
        if (_runs.Count < options.MinimumRuns || RunDrift.Of(_runs).Matters(options.Indifference / 2))
            return null;
        double? largest =
            options.Guarantee == Guarantee.Any ? null : RunLikelihood.Largest(CollectionsMarshal.AsSpan(_runs));
        // Neither better nor worse where there is no such side.
        var lower = plan.Worse is { } worse ? Decide(_lower, worse) : SprtDecision.AcceptH1;
        if (lower == SprtDecision.AcceptH0)
            return VerdictKind.Worse;
        var upper = plan.Better is { } better ? Decide(_upper, better) : SprtDecision.AcceptH0;
        return upper == SprtDecision.AcceptH1 ? VerdictKind.Better
            : lower == SprtDecision.AcceptH1 && upper == SprtDecision.AcceptH0 && !isVague ? plan.AsPredicted()
            : null;

        SprtDecision Decide(SideBets? bets, double threshold) =>
            bets?.Decision ?? Side(threshold, error, _runs.Count, largest).Decision;
    }

    /// <summary>The evidence of the runs about a threshold, at this look or before the next one.</summary>
    /// <param name="threshold">The threshold.</param>
    public VerdictSide Side(double threshold) => Side(threshold, SideError, _when.NextLook(_runs.Count), null);

    private VerdictSide Side(double threshold, double error, int look, double? largest)
    {
        var runs = CollectionsMarshal.AsSpan(_runs);
        var evidence = largest is { } known
            ? RunLikelihood.SignedDeviance(runs, threshold, known)
            : RunEvidence.Of(AsBetOn(runs), threshold, options.Guarantee, options.WorstRun ?? 0);
        var side = new VerdictSide(threshold, evidence, Bound(areAbove: true), Bound(areAbove: false));
        return side with
        {
            AreRareStatesExcluded =
                options.Guarantee == Guarantee.Any
                || Math.Abs(evidence) < side.Bound
                || RareStateTest.Excludes(runs, threshold, error),
        };

        double Bound(bool areAbove) => RunEvidence.Bound(look, error, threshold, areAbove, options.Guarantee);
    }

    /// <summary>The error that a side may spend at the look after a number of runs, or at the next one.</summary>
    /// <param name="runs">The number of runs.</param>
    /// <param name="options">The error and the guarantee.</param>
    /// <param name="when">The looks of the options.</param>
    internal static double SideErrorAfter(int runs, VerificationOptions options, RunLooks when) =>
        options.SideError * (options.Guarantee == Guarantee.Any ? 1 : when.ErrorShare(when.NextLook(runs)));

    // These are bets that the mean lies above the threshold, and that it lies below. A side that has won its bound
    // keeps it.
    private sealed class SideBets(double threshold, double error, double worst)
    {
        private readonly RunMeanBets _above = new(threshold, above: true, worst),
            _below = new(threshold, above: false, worst);
        private readonly double _bound = -Math.Log(error);

        public SprtDecision Decision { get; private set; }

        // Bets decide without an assumption on the law only, and where there is such a side.
        public static SideBets? On(double? threshold, TwoSidedPlan plan, VerificationOptions options) =>
            options.Guarantee == Guarantee.Any && threshold is { } given
                ? new(given, plan.SideError, options.WorstRun ?? 0)
                : null;

        public void Add(RunCount run)
        {
            if (Decision != SprtDecision.Undecided)
                return;
            double above = _above.Add(run.Share),
                below = _below.Add(run.Share);
            Decision =
                above >= _bound ? SprtDecision.AcceptH1
                : below >= _bound ? SprtDecision.AcceptH0
                : SprtDecision.Undecided;
        }

        public void AddUnknown()
        {
            _above.AddUnknown();
            _below.AddUnknown();
        }
    }
}
