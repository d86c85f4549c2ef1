using System.Runtime.InteropServices;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;

namespace MqttCheck.Verification;

/// <summary>
/// The decisions of a <see cref="PredictionTest"/>, from the counts of the runs alone: all that a simulation needs.
/// </summary>
internal sealed class PredictionLooks
{
    private readonly List<RunCount> _runs = [];
    private readonly TwoSidedPlan _plan;
    private readonly VerificationOptions _options;
    private readonly RunLooks _when;
    private readonly bool _isVague;
    private readonly SideBets? _lower,
        _upper;

    /// <param name="plan">The hypotheses.</param>
    /// <param name="options">The error, the number of runs and the guarantee.</param>
    /// <param name="isVague">Whether the prediction can only be refuted.</param>
    public PredictionLooks(TwoSidedPlan plan, VerificationOptions options, bool isVague)
    {
        (_plan, _options, _isVague, _when) = (plan, options, isVague, options.Looks);
        if (options.Guarantee == Guarantee.Model)
            return;
        _lower = plan.Worse is { } worse ? new(worse, plan.SideError) : null;
        _upper = plan.Better is { } better ? new(better, plan.SideError) : null;
    }

    /// <summary>The runs so far.</summary>
    public IReadOnlyList<RunCount> Runs => _runs;

    /// <summary>Counts one run.</summary>
    /// <param name="run">The run, with at least one sample.</param>
    public void Add(RunCount run)
    {
        _runs.Add(run);
        _lower?.Add(run);
        _upper?.Add(run);
    }

    /// <summary>
    /// The error of a side at this look, or at the next one where there is none after so many runs; with bets on run
    /// means, at all looks together.
    /// </summary>
    public double SideError => SideErrorAfter(_runs.Count, _options, _when);

    /// <summary>Looks at the runs so far: at most once after each run.</summary>
    /// <returns>The verdict, or null where there is none yet.</returns>
    public VerdictKind? Look()
    {
        if (
            _runs.Count < _options.MinimumRuns
            || (_options.Guarantee == Guarantee.Model && _when.ErrorShare(_runs.Count) == 0)
            || RunDrift.Of(_runs).Matters(_options.Indifference / 2)
        )
            return null;
        double? largest =
            _options.Guarantee == Guarantee.Any ? null : RunLikelihood.Largest(CollectionsMarshal.AsSpan(_runs));
        // Neither better nor worse where there is no such side.
        var lower = _plan.Worse is { } worse ? Decide(_lower, worse) : SprtDecision.AcceptH1;
        if (lower == SprtDecision.AcceptH0)
            return VerdictKind.Worse;
        var upper = _plan.Better is { } better ? Decide(_upper, better) : SprtDecision.AcceptH0;
        return upper == SprtDecision.AcceptH1 ? VerdictKind.Better
            : lower == SprtDecision.AcceptH1 && upper == SprtDecision.AcceptH0 && !_isVague ? _plan.AsPredicted()
            : null;

        SprtDecision Decide(SideBets? bets, double threshold) => bets?.Decision ?? Side(threshold, largest).Decision;
    }

    /// <summary>What the runs say about a threshold, at this look or before the next one.</summary>
    /// <param name="threshold">The threshold.</param>
    /// <param name="largest">The likelihood of the observed share, where it is known already.</param>
    public VerdictSide Side(double threshold, double? largest = null)
    {
        var runs = CollectionsMarshal.AsSpan(_runs);
        var evidence = largest is { } known
            ? RunLikelihood.SignedDeviance(runs, threshold, known)
            : RunEvidence.Of(runs, threshold, _options.Guarantee);
        var look = Math.Max(_runs.Count, _when.NextLook(_runs.Count));
        var side = new VerdictSide(threshold, evidence, Bound(areAbove: true), Bound(areAbove: false));
        return side with
        {
            AreRareStatesExcluded =
                _options.Guarantee == Guarantee.Any
                || Math.Abs(evidence) < side.Bound
                || RareStateTest.Excludes(runs, threshold, SideError),
        };

        double Bound(bool areAbove) => RunEvidence.Bound(look, SideError, threshold, areAbove, _options.Guarantee);
    }

    /// <summary>The error that a side may spend at the look after a number of runs, or at the next one.</summary>
    /// <param name="runs">The number of runs.</param>
    /// <param name="options">The error and the guarantee.</param>
    /// <param name="when">The looks of the options.</param>
    internal static double SideErrorAfter(int runs, VerificationOptions options, RunLooks when) =>
        options.SideError * (options.Guarantee == Guarantee.Any ? 1 : when.ErrorShare(when.NextLook(runs)));

    // Bets that the mean lies above the threshold, and that it lies below. What they have won once they may keep.
    private sealed class SideBets(double threshold, double error)
    {
        private readonly RunMeanBets _above = new(threshold, above: true),
            _below = new(threshold, above: false);
        private readonly double _bound = -Math.Log(error);

        public SprtDecision Decision { get; private set; }

        public void Add(RunCount run)
        {
            if (Decision != SprtDecision.Undecided)
                return;
            var mean = (double)run.Successes / run.Samples;
            double above = _above.Add(mean),
                below = _below.Add(mean);
            Decision =
                above >= _bound ? SprtDecision.AcceptH1
                : below >= _bound ? SprtDecision.AcceptH0
                : SprtDecision.Undecided;
        }
    }
}
