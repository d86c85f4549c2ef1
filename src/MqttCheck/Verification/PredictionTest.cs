using MqttCheck.Clients;
using MqttCheck.Predictions;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;

namespace MqttCheck.Verification;

/// <summary>
/// The test of one predicted point on a live broker, with the run as the sampling unit: sequences of one run share the
/// state of the broker, so their number alone says little. On each side there is a threshold, the nearest probability
/// that is worse than predicted, or better (<see cref="TwoSidedPlan"/>). After each run the test says of both whether
/// the truth lies above or below: above "worse" and below "better", the prediction is confirmed (not worse, where only
/// one of the two is tested); below "worse", it is worse; above "better", it is better.
/// </summary>
/// <remarks>
/// <see cref="Guarantee.Model"/>: a threshold is rejected when the likelihood of correlated runs rejects it
/// (<see cref="RunLikelihood"/>). The outlying runs must also be too few to put the truth on its other side
/// (<see cref="RareStateTest"/>). The first look comes after <see cref="VerificationOptions.MinimumRuns"/> runs. The
/// looks share the error (<see cref="RunLooks"/>), so that one may go on for as many runs as the budget allows. Runs
/// must be independent of each other and their probabilities vary like a beta law, with correlation up to
/// <see cref="RunLikelihood.LargestCorrelation"/> inside a run. <see cref="Guarantee.Any"/>: bets on the run means
/// (<see cref="RunMeanBets"/>) reject it; runs must be independent, and vary by any law. A prediction whose interval
/// reaches farther than <see cref="PredictedPoint.LargestReach"/> is not confirmed. There is no verdict if the halves
/// of the runs differ by a relevant amount (<see cref="RunHalves"/>), or the runs drift by one
/// (<see cref="RunDrift"/>). With <see cref="VerdictTest.Clients"/> the clients' own tests decide instead, and the
/// evidence is only reported.
/// </remarks>
internal sealed class PredictionTest
{
    private const int PathPointsPerTest = 120;

    private readonly List<bool[]> _outcomes = [];
    private readonly List<VerdictPathPoint> _ends = [];
    private readonly VerificationOptions _options;
    private readonly TwoSidedPlan _plan;
    private readonly PredictionLooks _looks;
    private readonly ClientTests? _clients;

    // The tests of clients over all runs, also those that do not count.
    private readonly ClientTests? _allClients;
    private bool _isInvalidRunUnknown;
    private long _failed,
        _notCounted;
    private VerdictKind? _decision;
    private int? _decidedAfterRuns;

    /// <summary>A test without runs so far.</summary>
    /// <param name="point">The prediction.</param>
    /// <param name="options">The error, the indifference and the number of runs.</param>
    /// <exception cref="InputException">An option, or the predicted point, is outside of its range.</exception>
    public PredictionTest(PredictedPoint point, VerificationOptions options)
    {
        InputException.ThrowIfAny(options.Validate("verification"));
        if (!(point.ThresholdMilliseconds > 0))
            throw new InputException(
                FormattableString.Invariant(
                    $"verification: the threshold is {point.ThresholdMilliseconds} ms; it must be positive."
                )
            );
        if (!(point.Probability is >= 0 and <= 1))
            throw new InputException(
                FormattableString.Invariant(
                    $"verification: the predicted probability is {point.Probability}; it must be in 0 .. 1."
                )
            );
        (Point, _options) = (point, options);
        _plan = PlanFor(point, options);
        _looks = new(_plan, options, IsVague);
        var clients = ClientVerdicts.PlanOf(point, options.Indifference, options.PointError);
        if (clients is not null)
            (_clients, _allClients) = (new(clients), new(clients));
        else if (options.Test == VerdictTest.Clients)
            throw new InputException(
                "verification: the predicted probability is "
                    + FormattableString.Invariant($"{point.Probability}; with a test of each client it must ")
                    + FormattableString.Invariant($"be greater than the indifference {options.Indifference}.")
            );
    }

    /// <summary>The prediction.</summary>
    public PredictedPoint Point { get; }

    /// <summary>The hypotheses that a verification of a point tests.</summary>
    /// <param name="point">The prediction; no truth inside of its interval is worse or better.</param>
    /// <param name="options">The error and the indifference.</param>
    /// <exception cref="InputException">The worst run lies no lower than a tested threshold.</exception>
    public static TwoSidedPlan PlanFor(PredictedPoint point, VerificationOptions options)
    {
        var plan = new TwoSidedPlan(
            point.Probability,
            options.Indifference,
            options.PointError,
            point.Interval,
            oneSided: options.Test != VerdictTest.TwoSided
        );
        if ((plan.Worse ?? plan.Better) is { } smallest)
            InputException.ThrowIfAny(
                OptionChecks.Findings(
                    FormattableString.Invariant($"verification of a predicted {point.Probability:0.####}"),
                    VouchedWorst.Checks(options.WorstRun, options.Guarantee, smallest, VouchedWorst.SmallestTested)
                )
            );
        return plan;
    }

    /// <summary>
    /// Counts one run, after which there may be a verdict. A verdict once given stays; later runs are counted and
    /// reported all the same.
    /// </summary>
    /// <param name="outcomes">
    /// The outcomes of one run, in any order: they are counted in issue order up to the first unfinished one.
    /// </param>
    /// <returns>The verdict after this run.</returns>
    /// <exception cref="ArgumentException">The outcomes belong to different runs.</exception>
    public Verdict AddRun(IReadOnlyList<Outcome> outcomes)
    {
        var counted = Counted(outcomes);
        _notCounted += outcomes.Count - counted.Count;
        if (counted.Count > 0)
            Count(counted);
        return Describe(null, null, isFinal: false);
    }

    /// <summary>
    /// Takes a run that does not count into account, because the generator was late or overloaded: left out, the choice
    /// of runs might decide. With <see cref="Guarantee.Any"/> bets take it at its worst for them. Otherwise a verdict
    /// needs the same answer from the runs that count and from all runs; see <see cref="Verdict.Differing"/>.
    /// </summary>
    /// <param name="outcomes">The outcomes of the run, in any order.</param>
    /// <returns>The verdict after this run.</returns>
    /// <exception cref="ArgumentException">The outcomes belong to different runs.</exception>
    public Verdict AddInvalidRun(IReadOnlyList<Outcome> outcomes)
    {
        var counted = Counted(outcomes);
        _isInvalidRunUnknown |= counted.Count == 0;
        AddToClients(_allClients, counted);
        _looks.AddInvalid(RunCount.Of(counted, Point.ThresholdMilliseconds));
        Look();
        return Describe(null, null, isFinal: false);
    }

    private static IReadOnlyList<Outcome> Counted(IReadOnlyList<Outcome> outcomes) =>
        outcomes.Any(outcome => outcome.Run != outcomes[0].Run)
            ? throw new ArgumentException("The outcomes belong to different runs.", nameof(outcomes))
            : RunCount.Counted(outcomes);

    /// <summary>The verdict at the end of the budget, with the whole path.</summary>
    /// <param name="interrupted">Whether the user ended the verification before its time.</param>
    /// <param name="budget">
    /// The time that allowed no more runs, for the reason of a missing verdict; null where nothing limited it.
    /// </param>
    /// <returns>
    /// The verdict; <see cref="VerdictKind.Withheld"/> or, when interrupted, <see cref="VerdictKind.Partial"/> when
    /// there is none.
    /// </returns>
    public Verdict Conclude(bool interrupted = false, TimeSpan? budget = null) =>
        Describe(interrupted && _decision is null ? VerdictKind.Partial : null, budget, isFinal: true) with
        {
            Path = WholePath(),
        };

    private void Count(IReadOnlyList<Outcome> counted)
    {
        bool[] hits = [.. counted.Select(outcome => outcome.InTime(Point.ThresholdMilliseconds))];
        _outcomes.Add(hits);
        _looks.Add(new(hits.Count(hit => hit), hits.Length));
        _failed += counted.Count(outcome => outcome.Status == OutcomeStatus.Failed);
        AddToClients(_clients, counted);
        AddToClients(_allClients, counted);
        Look();
    }

    private void AddToClients(ClientTests? tests, IReadOnlyList<Outcome> counted)
    {
        foreach (var outcome in counted)
            tests?.Add(outcome.Client, outcome.InTime(Point.ThresholdMilliseconds));
    }

    private void Look()
    {
        if (_decision is not null || RunHalves.Of(_outcomes).Differ(_options.Indifference / 2))
            return;
        _decision =
            _options.Test != VerdictTest.Clients ? _looks.Look()
            : _looks.Runs.Count < _options.MinimumRuns || RunDrift.Of(_looks.Runs).Matters(_options.Indifference / 2)
                ? null
            : ByAllClients();
        if (_decision is not null)
            _decidedAfterRuns = _looks.Runs.Count;
    }

    // The path of the test after each run. It is computed on demand, because a simulated verification needs the looks
    // only.
    private List<VerdictPathPoint> Ends()
    {
        while (_ends.Count < _looks.Runs.Count)
            _ends.Add(PathPoint([.. _looks.Runs.Take(_ends.Count + 1)]));
        return _ends;
    }

    private double Worst => _options.WorstRun ?? 0;

    private bool IsVague => Point.IsVague(_options.Indifference);

    private VerdictKind? ByAllClients() =>
        ClientAnswers is { } differing && differing.Counted != differing.All ? null : ByClients(_clients!.Verdicts);

    // The verdicts of clients over the runs that count, and over all runs; null where none are asked for.
    private TwoAnswers<VerdictKind>? ClientAnswers =>
        _options.Test != VerdictTest.Clients
            ? null
            : new(
                ByClients(_clients!.Verdicts) ?? VerdictKind.Withheld,
                (_isInvalidRunUnknown ? null : ByClients(_allClients!.Verdicts)) ?? VerdictKind.Withheld
            );

    private TwoAnswers<VerdictKind>? Differing =>
        _decision is not null ? null
        : ClientAnswers is not { } clients ? _looks.Differing
        : clients.Counted == clients.All ? null
        : clients;

    // The verdict is given as soon as the undecided clients cannot change it any more.
    private VerdictKind? ByClients(ClientVerdicts clients)
    {
        var needed = (int)Math.Ceiling(_options.AcceptingShare * clients.Total - 1e-9);
        return clients.Accepted >= needed ? _plan.AsPredicted()
            : clients.Accepted + clients.Undecided < needed ? VerdictKind.Worse
            : null;
    }

    private VerdictPathPoint PathPoint(RunCount[] runs)
    {
        var (successes, samples) = SampleCount.Sum(runs);
        return new(runs.Length, samples, successes, Evidence(_plan.Worse), Evidence(_plan.Better));

        double? Evidence(double? threshold) =>
            threshold is { } given ? RunEvidence.Of(_looks.AsBetOn(runs), given, _options.Guarantee, Worst) : null;
    }

    private Verdict Describe(VerdictKind? instead, TimeSpan? budget, bool isFinal)
    {
        RunCount[] counts = [.. _looks.Runs];
        var kind = _looks.BelowWorst is not null ? VerdictKind.Withheld : instead ?? _decision ?? VerdictKind.Withheld;
        var all = new Interval(0, 1);
        var last = Ends().LastOrDefault();
        var verdict = new Verdict
        {
            Kind = kind,
            Point = Point,
            Plan = _plan,
            Test = _options.Test,
            Clients = _clients?.Verdicts,
            IsVague = _options.Test != VerdictTest.Clients && IsVague,
            Guarantee = _options.Guarantee,
            WorstRun = _options.WorstRun,
            BelowWorst = _looks.BelowWorst,
            Differing = Differing,
            Samples = last.Samples,
            Successes = last.Successes,
            Failed = _failed,
            NotCounted = _notCounted,
            Runs = counts,
            DecidedAfterRuns = _decidedAfterRuns,
            Halves = RunHalves.Of(_outcomes),
            Drift = RunDrift.Of(counts),
            Variation = counts.Length == 0 ? new(1, null, 0) : RunVariation.Of(counts),
            Interval = counts.Length < 2 ? all : RunLikelihood.Interval(counts, .025),
            VerdictInterval =
                counts.Length < _options.MinimumRuns
                    ? all
                    : RunEvidence.Interval(_looks.AsBetOn(counts), _looks.SideError, _options.Guarantee, Worst),
            Lower = Side(_plan.Worse),
            Upper = Side(_plan.Better),
            Reason = "",
            Path = [.. Ends()],
        };
        if (
            isFinal
            && kind == VerdictKind.Withheld
            && counts.Length >= _options.MinimumRuns
            && _options.Test != VerdictTest.Clients
            && !IsVague
            && verdict.BelowWorst is null
        )
            verdict = verdict with { RunsNeeded = RunsNeeded(verdict) };
        return verdict with { Reason = VerdictReason.Of(verdict, _options, budget) };

        VerdictSide? Side(double? threshold) => threshold is { } given && counts.Length > 0 ? _looks.Side(given) : null;
    }

    // Fewer than were made, and more than anybody makes, say nothing.
    private int? RunsNeeded(Verdict verdict) =>
        VerificationPlan.RunsNeeded(
            Point,
            _options,
            (int)(verdict.Samples / verdict.Runs.Count),
            verdict.Variation.Inflation
        )
            is { } needed
        && needed > verdict.Runs.Count
            ? needed
            : null;

    // Inside a run the path counts the sequences issued so far as a shorter run.
    private List<VerdictPathPoint> WholePath()
    {
        var path = new List<VerdictPathPoint>();
        var runs = _looks.Runs;
        if (runs.Count == 0)
            return path;
        var piecesPerRun = Math.Max(1, PathPointsPerTest / runs.Count);
        var prefix = new List<RunCount>();
        for (var run = 0; run < runs.Count; run++)
        {
            var outcomes = _outcomes[run];
            prefix.Add(default);
            int counted = 0,
                successes = 0;
            for (var piece = 1; piece < piecesPerRun; piece++)
            {
                var end = (int)((long)outcomes.Length * piece / piecesPerRun);
                if (end == counted)
                    continue;
                successes += outcomes.AsSpan(counted..end).Count(true);
                counted = end;
                prefix[run] = new(successes, counted);
                path.Add(PathPoint([.. prefix]));
            }
            prefix[run] = runs[run];
            path.Add(Ends()[run]);
        }
        return path;
    }
}
