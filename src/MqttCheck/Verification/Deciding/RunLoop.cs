using MqttCheck.Health;

namespace MqttCheck.Verification.Deciding;

/// <summary>
/// The loop that makes runs until a test decides, for verification, comparison, properties and tests. It knows no
/// broker: a series makes its own runs. The series take turns (A B A B ...), so that drift of the machine falls on all
/// alike.
/// </summary>
/// <remarks>
/// Each series gets its smallest number of runs, then those without a verdict get more while the budget lasts. An
/// invalid run does not count; another is made in its place. If half of the runs are invalid there will be no verdict.
/// So a series is given up when its invalid runs reach the number of those that count, and its own limit. If a verdict
/// would be withheld although some runs were sound, more are made while the budget lasts. Other work on the machine may
/// have disturbed the rest. The tests keep their verdicts meanwhile.
/// </remarks>
/// <typeparam name="TRun">The type of a run's result.</typeparam>
internal sealed class RunLoop<TRun>
    where TRun : class, IMadeRun
{
    private readonly IReadOnlyList<IRunSeries<TRun>> _series;
    private readonly RunTally<TRun>[] _tallies;
    private readonly RunLoopOptions _options;
    private readonly TimeProvider _time;
    private long _began;
    private int _made;

    /// <summary>A loop without runs so far.</summary>
    /// <param name="series">The series to make runs for, at least one.</param>
    /// <param name="options">How long to go on.</param>
    /// <param name="time">The clock that measures the budget.</param>
    public RunLoop(IReadOnlyList<IRunSeries<TRun>> series, RunLoopOptions options, TimeProvider time)
    {
        (_series, _options, _time) = (series, options, time);
        _tallies = [.. series.Select(_ => new RunTally<TRun>())];
    }

    /// <summary>
    /// Which runs count, whatever their warm-up says; null for <see cref="RunJudgement.UseOf(IMadeRun)"/>. Timing
    /// depends on the machine, so a test that asks about something else says it here.
    /// </summary>
    public Func<RunHealth, bool>? IsValid { get; init; }

    /// <summary>Makes the runs.</summary>
    /// <param name="cancellation">Begins no more rounds; what has been counted is kept.</param>
    /// <returns>The runs, one tally for each series.</returns>
    public IReadOnlyList<RunTally<TRun>> Run(CancellationToken cancellation)
    {
        _began = _time.GetTimestamp();
        for (var pass = 0; !cancellation.IsCancellationRequested; pass++)
        {
            int[] open = [.. Enumerable.Range(0, _series.Count).Where(index => HasTime(index) && NeedsMore(index))];
            if (open.Length == 0)
                break;
            foreach (var index in open)
            {
                if (cancellation.IsCancellationRequested)
                    break;
                if (HasTime(index))
                    MakeRound(index, pass);
            }
        }
        return _tallies;
    }

    private void MakeRound(int index, int pass)
    {
        var (series, tally) = (_series[index], _tallies[index]);
        var share = ShareDone(out var perRound);
        var turn = new RunTurn(_made, pass, tally.Rounds, share, tally.Counted < series.ExpectedRuns ? perRound : 0);
        var clock = _time.GetTimestamp();
        var round = series.Make(turn);
        _made++;
        if (tally.Add(round, Use, _time.GetElapsedTime(clock)) is { } counted)
            series.Add(counted, ShareDone(out _));
    }

    private RunUse Use(TRun run) =>
        IsValid is not { } isValid ? RunJudgement.UseOf(run)
        : isValid(run.Health) ? RunUse.Sound
        : RunUse.Invalid;

    private bool NeedsMore(int index)
    {
        var (series, tally) = (_series[index], _tallies[index]);
        return tally.Invalid < Math.Max(series.MostInvalidRuns, tally.Counted)
            && (tally.Counted < series.LeastRuns || !series.IsDecided || tally.MayRecover);
    }

    private bool HasTime(int index)
    {
        var tally = _tallies[index];
        return _made < _options.AlwaysMade
            || _time.GetElapsedTime(_began) + tally.Longest
                <= _options.Budget * (tally.Counted < _series[index].LeastRuns ? _options.Grace : 1);
    }

    private double ShareDone(out double perRound)
    {
        var expected = _series.Sum(series => series.ExpectedRuns);
        var done = _series.Zip(_tallies, (series, tally) => Math.Min(tally.Counted, series.ExpectedRuns)).Sum();
        perRound = 1.0 / expected;
        return done < expected ? (double)done / expected : Math.Min(1, _time.GetElapsedTime(_began) / _options.Budget);
    }
}
