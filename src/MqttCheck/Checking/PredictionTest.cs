using MqttCheck.Statistics;

namespace MqttCheck.Checking;

/// <summary>
/// The test of one predicted point on a live broker, with the run as the sampling unit: sequences of one run share the broker's mood, so their number alone says little. After each run the
/// likelihoods of the three hypotheses (worse, as predicted, better) are compared under a model in which the correlation inside runs is unknown (<see cref="RunLikelihood"/>).
/// Of two neighbouring hypotheses the one farther from the observed share is rejected when its deviance reaches a bound, and the nearer one accepted
/// (a generalised sequential likelihood ratio test, Lai 1988); "as predicted" needs both sides to accept the prediction.
/// </summary>
/// <remarks>
/// Three quarters of the error are spent at the first look, after <see cref="VerificationOptions.MinimumRuns"/> runs, and a quarter of it times 1 / (j (j - 1)) at look j, so that one
/// may go on for as many runs as the budget allows. A prediction whose interval is wider than <see cref="LargestHalfWidth"/> to either side is not confirmed. Runs must be independent of each other and their probabilities vary like a beta law, with correlation up to
/// <see cref="RunLikelihood.LargestCorrelation"/> inside a run. Where the second halves of the runs differ from the first by what matters (<see cref="RunHalves"/>), or the runs drift by what matters (<see cref="RunDrift"/>), there is no verdict. With <see cref="VerdictTest.Clients"/> the clients' own tests decide instead, and the evidence is only reported.
/// </remarks>
public sealed class PredictionTest
{
    /// <summary>A prediction whose own interval reaches farther than this, and than the indifference, to either side says too little to be confirmed; it can still be refuted.</summary>
    public const double LargestHalfWidth = .25;

    private const int PathPointsPerTest = 120;

    private readonly List<RunCount> _runs = [];
    private readonly List<bool[]> _outcomes = [];
    private readonly List<VerdictPathPoint> _ends = [];
    private readonly VerificationOptions _options;
    private readonly TwoSidedPlan _plan;
    private readonly ClientTests? _clients;
    private long _failed, _notCounted;
    private VerdictKind? _decision;
    private int? _decidedAfterRuns;

    /// <summary>A test without runs so far.</summary>
    /// <param name="point">The prediction.</param>
    /// <param name="options">The error, the indifference and the number of runs.</param>
    /// <exception cref="InputException">An option, or the predicted point, is outside of its range.</exception>
    public PredictionTest(PredictedPoint point, VerificationOptions options)
    {
        ArgumentNullException.ThrowIfNull(point);
        ArgumentNullException.ThrowIfNull(options);
        var errors = options.Validate("verification");
        if (errors.Count > 0) throw new InputException(string.Join('\n', errors));
        if (!(point.ThresholdMilliseconds > 0)) throw new InputException(FormattableString.Invariant($"verification: the threshold is {point.ThresholdMilliseconds} ms; it must be positive."));
        if (!(point.Probability is >= 0 and <= 1))
            throw new InputException(FormattableString.Invariant($"verification: the predicted probability is {point.Probability}; it must be in 0 .. 1."));
        (Point, _options) = (point, options);
        _plan = PlanFor(point, options);
        var clients = ClientVerdicts.PlanOf(point, options.Indifference, options.PointError);
        if (clients is not null) _clients = new(clients);
        else if (options.Test == VerdictTest.Clients)
            throw new InputException(FormattableString.Invariant($"verification: the predicted probability is {point.Probability}; with a test of each client it must be greater than the indifference {options.Indifference}."));
    }

    /// <summary>The prediction.</summary>
    public PredictedPoint Point { get; }

    /// <summary>The hypotheses that a verification of a point tests.</summary>
    /// <param name="point">The prediction; no side tests a difference smaller than half of its interval.</param>
    /// <param name="options">The error and the indifference.</param>
    public static TwoSidedPlan PlanFor(PredictedPoint point, VerificationOptions options)
    {
        ArgumentNullException.ThrowIfNull(point);
        ArgumentNullException.ThrowIfNull(options);
        return new(point.Probability, options.Indifference, options.PointError, Math.Max(0, point.Interval.HalfWidth), oneSided: options.Test != VerdictTest.TwoSided);
    }

    /// <summary>Counts one run, after which there may be a verdict. A verdict once given stays; later runs are counted and reported all the same.</summary>
    /// <param name="outcomes">The outcomes of one run, in any order: they are counted in issue order up to the first unfinished one.</param>
    /// <returns>What the test says now.</returns>
    /// <exception cref="ArgumentException">The outcomes belong to different runs.</exception>
    public Verdict AddRun(IReadOnlyList<Outcome> outcomes)
    {
        Decide(outcomes);
        return Describe(null, null);
    }

    /// <summary>Counts one run as <see cref="AddRun"/> does, without describing it, which takes longer than the test: for simulations.</summary>
    internal VerdictKind Decide(IReadOnlyList<Outcome> outcomes)
    {
        ArgumentNullException.ThrowIfNull(outcomes);
        if (outcomes.Any(outcome => outcome.Run != outcomes[0].Run)) throw new ArgumentException("The outcomes belong to different runs.", nameof(outcomes));
        var counted = RunCount.Counted(outcomes);
        _notCounted += outcomes.Count - counted.Count;
        if (counted.Count > 0) Count(counted);
        return _decision ?? VerdictKind.Withheld;
    }

    /// <summary>The verdict at the end of the budget, with the whole path.</summary>
    /// <param name="interrupted">Whether the user ended the verification before its time.</param>
    /// <param name="budget">The time that allowed no more runs, for the reason of a missing verdict; null where nothing limited it.</param>
    /// <returns>The verdict; <see cref="VerdictKind.Withheld"/> or, when interrupted, <see cref="VerdictKind.Partial"/> when there is none.</returns>
    public Verdict Conclude(bool interrupted = false, TimeSpan? budget = null) =>
        Describe(interrupted && _decision is null ? VerdictKind.Partial : null, budget) with { Path = WholePath() };

    /// <summary>The share of the error that is spent at a look, at the first 3/4.</summary>
    /// <param name="look">The number of the look, from 1.</param>
    internal static double ErrorShare(int look) => look == 1 ? .75 : .25 / ((double)look * (look - 1));

    /// <summary>The bound on the evidence after a number of runs; before the first look its bound.</summary>
    /// <param name="runs">The number of runs.</param>
    /// <param name="options">The error and the smallest number of runs.</param>
    internal static double BoundAfter(int runs, VerificationOptions options)
    {
        var atLook = Math.Max(runs, options.MinimumRuns);
        return RunLikelihood.DevianceBound(atLook, (options.Test == VerdictTest.TwoSided ? options.PointError / 2 : options.PointError) * ErrorShare(atLook - options.MinimumRuns + 1));
    }

    private void Count(IReadOnlyList<Outcome> counted)
    {
        bool[] hits = [.. counted.Select(outcome => outcome.InTime(Point.ThresholdMilliseconds))];
        _outcomes.Add(hits);
        _runs.Add(new(hits.Count(hit => hit), hits.Length));
        _failed += counted.Count(outcome => outcome.Status == OutcomeStatus.Failed);
        for (var i = 0; i < hits.Length; i++) _clients?.Add(counted[i].Client, hits[i]);
        if (_decision is not null || _runs.Count < _options.MinimumRuns || !IsSteady) return;
        _decision = _options.Test == VerdictTest.Clients ? ByClients(_clients!.Verdicts) : ByEvidence(PathPoint(_runs, _runs.Count));
        if (_decision is not null) _decidedAfterRuns = _runs.Count;
    }

    // Where each run ended; computed when it is asked for, because a simulated verification needs the looks only.
    private List<VerdictPathPoint> Ends()
    {
        while (_ends.Count < _runs.Count) _ends.Add(PathPoint(_runs, _ends.Count + 1));
        return _ends;
    }

    private bool IsSteady => !RunHalves.Of(_outcomes).Differ(_options.Indifference / 2) && !RunDrift.Of(_runs).Matters(_options.Indifference / 2);

    private bool IsVague => Point.IsVague(_options.Indifference);

    private VerdictKind? ByEvidence(VerdictPathPoint end)
    {
        var (lower, upper) = Sides(end);
        return (lower?.Decision ?? SprtDecision.AcceptH1, upper?.Decision ?? SprtDecision.AcceptH0) switch
        {
            (SprtDecision.AcceptH0, _) => VerdictKind.Worse,
            (_, SprtDecision.AcceptH1) => VerdictKind.Better,
            (SprtDecision.AcceptH1, SprtDecision.AcceptH0) when !IsVague => VerdictKind.Confirmed,
            _ => null,
        };
    }

    // As soon as the undecided clients cannot change it any more.
    private VerdictKind? ByClients(ClientVerdicts clients)
    {
        var needed = (int)Math.Ceiling(_options.AcceptingShare * clients.Total - 1e-9);
        return clients.Accepted >= needed ? VerdictKind.Confirmed
            : clients.Accepted + clients.Undecided < needed ? VerdictKind.Worse
            : null;
    }

    private VerdictPathPoint PathPoint(List<RunCount> runs, int first)
    {
        var counts = System.Runtime.InteropServices.CollectionsMarshal.AsSpan(runs)[..first];
        long successes = 0, samples = 0;
        foreach (var run in counts) (successes, samples) = (successes + run.Successes, samples + run.Samples);
        return new(first, samples, successes, Evidence(counts, _plan.Lower), Evidence(counts, _plan.Upper), BoundAfter(first, _options));
    }

    /// <summary>The evidence between two hypotheses: see <see cref="VerdictSide.LogLikelihoodRatio"/>.</summary>
    internal static double? Evidence(ReadOnlySpan<RunCount> runs, SprtPlan? hypotheses)
    {
        if (hypotheses is null) return null;
        double successes = 0, samples = 0;
        foreach (var run in runs) (successes, samples) = (successes + run.Successes, samples + run.Samples);
        // Nearer in probability, not in likelihood: a truth within the indifference must not be called worse because a law of p0 is wide enough to hold anything.
        return successes / samples >= (hypotheses.P0 + hypotheses.P1) / 2
            ? RunLikelihood.Deviance(runs, hypotheses.P0)
            : -RunLikelihood.Deviance(runs, hypotheses.P1);
    }

    private (VerdictSide? Lower, VerdictSide? Upper) Sides(VerdictPathPoint point) =>
        (_plan.Lower is null ? null : new VerdictSide(_plan.Lower.P0, _plan.Lower.P1, point.Lower!.Value, point.Bound),
         _plan.Upper is null ? null : new VerdictSide(_plan.Upper.P0, _plan.Upper.P1, point.Upper!.Value, point.Bound));

    private Verdict Describe(VerdictKind? instead, TimeSpan? budget)
    {
        var counts = _runs.ToArray();
        var kind = instead ?? _decision ?? VerdictKind.Withheld;
        var all = new Interval(0, 1);
        var ends = Ends();
        var last = ends.Count == 0 ? default : ends[^1];
        var (lower, upper) = ends.Count == 0 ? (null, null) : Sides(last);
        var verdict = new Verdict
        {
            Kind = kind,
            Point = Point,
            Plan = _plan,
            Test = _options.Test,
            Clients = _clients?.Verdicts,
            IsVague = _options.Test != VerdictTest.Clients && IsVague,
            Samples = last.Samples,
            Successes = last.Successes,
            Failed = _failed,
            NotCounted = _notCounted,
            Runs = counts,
            DecidedAfterRuns = _decidedAfterRuns,
            Halves = RunHalves.Of(_outcomes),
            Drift = RunDrift.Of(counts),
            Variation = counts.Length == 0 ? new(1, null, 0) : RunVariation.Of(counts),
            Interval = counts.Length < 2 ? all : RunLikelihood.Interval(counts, RunLikelihood.DevianceBound(counts.Length, .025)),
            VerdictInterval = counts.Length < _options.MinimumRuns ? all : RunLikelihood.Interval(counts, last.Bound),
            Lower = lower,
            Upper = upper,
            Reason = "",
            Path = [.. ends],
        };
        return verdict with { Reason = VerdictReason.Of(verdict, _options, budget) };
    }

    // Inside a run the path counts the sequences issued so far as a shorter run.
    private List<VerdictPathPoint> WholePath()
    {
        var path = new List<VerdictPathPoint>();
        if (_runs.Count == 0) return path;
        var piecesPerRun = Math.Max(1, PathPointsPerTest / _runs.Count);
        var prefix = new List<RunCount>();
        for (var run = 0; run < _runs.Count; run++)
        {
            var outcomes = _outcomes[run];
            prefix.Add(default);
            int counted = 0, successes = 0;
            for (var piece = 1; piece < piecesPerRun; piece++)
            {
                var end = (int)((long)outcomes.Length * piece / piecesPerRun);
                if (end == counted) continue;
                for (; counted < end; counted++)
                    if (outcomes[counted]) successes++;
                prefix[run] = new(successes, counted);
                path.Add(PathPoint(prefix, prefix.Count));
            }
            prefix[run] = _runs[run];
            path.Add(Ends()[run]);
        }
        return path;
    }
}
