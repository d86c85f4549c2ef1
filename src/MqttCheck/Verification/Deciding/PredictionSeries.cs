using MqttCheck.Predictions;

namespace MqttCheck.Verification.Deciding;

/// <summary>Runs that test the predictions of one setup: what <c>verify</c> and tests have in common.</summary>
/// <typeparam name="TRun">The type of a run's result.</typeparam>
internal sealed class PredictionSeries<TRun> : IRunSeries<TRun>
    where TRun : class, IMadeRun
{
    private readonly PredictionTest[] _tests;
    private readonly VerificationOptions _options;
    private readonly Func<RunTurn, TRun> _make;

    /// <summary>A series without runs so far.</summary>
    /// <param name="points">The predictions, at least one.</param>
    /// <param name="options">The error, the indifference and the smallest number of runs.</param>
    /// <param name="make">Makes a run.</param>
    /// <exception cref="InputException">An option, or a predicted point, is outside of its range.</exception>
    public PredictionSeries(IReadOnlyList<PredictedPoint> points, VerificationOptions options, Func<RunTurn, TRun> make)
    {
        (_options, _make) = (options, make);
        _tests = [.. points.Select(point => new PredictionTest(point, options))];
        Latest = [.. _tests.Select(test => test.Conclude())];
    }

    /// <summary>Told after each run whether it counts, and which share of the whole work is done.</summary>
    public Action<bool, double>? Added { get; init; }

    /// <summary>The latest verdict of the test of each point.</summary>
    public IReadOnlyList<Verdict> Latest { get; private set; }

    /// <inheritdoc/>
    public int LeastRuns => _options.MinimumRuns;

    /// <inheritdoc/>
    public int MostInvalidRuns => _options.MinimumRuns;

    /// <inheritdoc/>
    public int ExpectedRuns => _options.PlannedRuns ?? _options.MinimumRuns;

    /// <summary>Whether every point is decided, or no run would decide it.</summary>
    public bool IsDecided => Latest.All(verdict => verdict.IsDecided || verdict.IsHopeless);

    /// <inheritdoc/>
    public IReadOnlyList<TRun?> Make(RunTurn turn) => [_make(turn)];

    /// <inheritdoc/>
    public void Add(IReadOnlyList<UsedRun<TRun>> round, double shareDone)
    {
        var (run, counts) = round[0];
        Latest = [.. _tests.Select(test => counts ? test.AddRun(run.Outcomes) : test.AddInvalidRun(run.Outcomes))];
        Added?.Invoke(counts, shareDone);
    }

    /// <summary>The verdicts, withheld where the runs confirm and refute nothing.</summary>
    /// <param name="tally">The runs of this series, counted.</param>
    /// <param name="interrupted">Whether the user ended it before its time.</param>
    /// <param name="budget">The time that allowed no more runs.</param>
    public IReadOnlyList<Verdict> Conclude(RunTally<TRun> tally, bool interrupted, TimeSpan budget)
    {
        var (why, invalid) = (tally.WhyWithheld(), tally.InvalidInWords());
        return [.. _tests.Select(test => test.Conclude(interrupted, budget)).Select(Judged)];

        Verdict Judged(Verdict verdict) =>
            why is null
                ? verdict with
                {
                    InvalidRuns = invalid,
                }
                : verdict with
                {
                    Kind = VerdictKind.Withheld,
                    Reason = RunJudgement.Withheld(why, verdict.Reason),
                    InvalidRuns = invalid,
                };
    }
}
