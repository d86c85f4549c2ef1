using System.Runtime.InteropServices;

namespace MqttCheck.Checking;

/// <summary>The decisions of a <see cref="PredictionTest"/>, from the counts of the runs alone: all that a simulation needs.</summary>
internal sealed class PredictionLooks
{
    private readonly List<RunCount> _runs = [];
    private readonly TwoSidedPlan _plan;
    private readonly VerificationOptions _options;
    private readonly bool _isVague;
    private readonly SideBets? _lower, _upper;

    /// <param name="plan">The hypotheses.</param>
    /// <param name="options">The error, the number of runs and the guarantee.</param>
    /// <param name="isVague">Whether the prediction can only be refuted.</param>
    public PredictionLooks(TwoSidedPlan plan, VerificationOptions options, bool isVague)
    {
        (_plan, _options, _isVague) = (plan, options, isVague);
        if (options.Guarantee == Guarantee.Model) return;
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

    /// <summary>Looks at the runs so far: at most once after each run.</summary>
    /// <returns>The verdict, or null where there is none yet.</returns>
    public VerdictKind? Look()
    {
        if (_runs.Count < _options.MinimumRuns || RunDrift.Of(_runs).Matters(_options.Indifference / 2)) return null;
        // Neither better nor worse where there is no such side.
        var lower = _plan.Worse is null ? SprtDecision.AcceptH1 : _lower?.Decision ?? Side(_plan.Worse.Value).Decision;
        if (lower == SprtDecision.AcceptH0) return VerdictKind.Worse;
        if (_plan.Better is { } better)
        {
            var upper = _upper?.Decision ?? Side(better).Decision;
            if (upper == SprtDecision.AcceptH1) return VerdictKind.Better;
            if (upper != SprtDecision.AcceptH0) return null;
        }
        return lower == SprtDecision.AcceptH1 && !_isVague ? VerdictKind.Confirmed : null;
    }

    /// <summary>What the likelihood of the runs so far says about a threshold.</summary>
    private VerdictSide Side(double threshold) => Side(CollectionsMarshal.AsSpan(_runs), threshold, _options);

    /// <summary>What runs say about a threshold.</summary>
    /// <param name="runs">At least one run.</param>
    /// <param name="threshold">The threshold.</param>
    /// <param name="options">The error, the number of runs and the guarantee.</param>
    public static VerdictSide Side(ReadOnlySpan<RunCount> runs, double threshold, VerificationOptions options)
    {
        var bound = PredictionTest.BoundAfter(runs.Length, options);
        var evidence = RunEvidence.Of(runs, threshold, options.Guarantee);
        return new(threshold, evidence, bound, options.Guarantee == Guarantee.Any || Math.Abs(evidence) < bound
            || RareStateTest.Excludes(runs, threshold, PredictionTest.SideErrorAfter(runs.Length, options)));
    }

    // Bets that the mean lies above the threshold, and that it lies below. What they have won once they may keep.
    private sealed class SideBets(double threshold, double error)
    {
        private readonly RunMeanBets _above = new(threshold, above: true), _below = new(threshold, above: false);
        private readonly double _bound = -Math.Log(error);

        public SprtDecision Decision { get; private set; }

        public void Add(RunCount run)
        {
            if (Decision != SprtDecision.Undecided) return;
            var mean = (double)run.Successes / run.Samples;
            double above = _above.Add(mean), below = _below.Add(mean);
            Decision = above >= _bound ? SprtDecision.AcceptH1 : below >= _bound ? SprtDecision.AcceptH0 : SprtDecision.Undecided;
        }
    }
}
