using MqttCheck.Health;
using MqttCheck.Verification.Planning;

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
/// have disturbed the rest. The tests keep their verdicts meanwhile. No round begins that would end after the budget,
/// were it as long as the longest of its series so far.
/// </remarks>
/// <typeparam name="TRun">The type of a run's result.</typeparam>
internal sealed class RunLoop<TRun>(IReadOnlyList<IRunSeries<TRun>> allSeries, TimeBudget budget, TimeProvider time)
    where TRun : class, IMadeRun
{
    private readonly RunTally<TRun>[] _tallies = [.. allSeries.Select(_ => new RunTally<TRun>())];
    private long _began;
    private int _made;
    private double _share;
    private TimeSpan? _expectedEnded;

    /// <summary>
    /// Which runs count, whatever their warm-up says; null for <see cref="RunJudgement.UseOf(IMadeRun)"/>. Timing
    /// depends on the machine, so a test that asks about something else says it here.
    /// </summary>
    public Func<RunHealth, bool>? IsValid { get; init; }

    /// <summary>How many rounds were made before: they are judged whatever time is left. Default 0.</summary>
    public int MadeBefore { get; init; }

    /// <summary>Makes the runs.</summary>
    /// <param name="cancellation">Begins no more rounds; what has been counted is kept.</param>
    /// <returns>The runs, one tally for each series.</returns>
    public IReadOnlyList<RunTally<TRun>> Run(CancellationToken cancellation)
    {
        _began = time.GetTimestamp();
        for (var pass = 0; !cancellation.IsCancellationRequested; pass++)
        {
            int[] open = [.. Enumerable.Range(0, allSeries.Count).Where(index => HasTime(index) && NeedsMore(index))];
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
        var (series, tally) = (allSeries[index], _tallies[index]);
        var share = ShareDone(out var perRound);
        var turn = new RunTurn(_made, pass, tally.Rounds, share, tally.Counted < series.ExpectedRuns ? perRound : 0);
        var clock = time.GetTimestamp();
        var round = series.Make(turn);
        _made++;
        if (tally.Add(round, Use, time.GetElapsedTime(clock)) is { } counted)
            series.Add(counted, ShareDone(out _));
    }

    private RunUse Use(TRun run) =>
        IsValid is not { } isValid ? RunJudgement.UseOf(run)
        : isValid(run.Health) ? RunUse.Sound
        : RunUse.Invalid;

    private bool NeedsMore(int index)
    {
        var (series, tally) = (allSeries[index], _tallies[index]);
        return tally.Invalid < Math.Max(series.MostInvalidRuns, tally.Counted)
            && (tally.Counted < series.LeastRuns || !series.IsDecided || tally.MayRecover);
    }

    private bool HasTime(int index)
    {
        var tally = _tallies[index];
        return _made < Math.Max(1, MadeBefore)
            || budget.Allows(time.GetElapsedTime(_began), tally.Longest, tally.Counted < allSeries[index].LeastRuns);
    }

    // One run more than expected always seems to come, and lasts to the end of the budget: what goes on is never all
    // done. A decided series makes no more of its runs. The share never falls.
    private double ShareDone(out double perRound)
    {
        var expected = allSeries.Sum(series => series.ExpectedRuns);
        var left = Enumerable
            .Range(0, allSeries.Count)
            .Where(NeedsMore)
            .Sum(index => Math.Max(0, allSeries[index].ExpectedRuns - _tallies[index].Counted));
        perRound = 1.0 / (expected + 1);
        var share = left > 0 ? (expected - left) * perRound : 1 - perRound * ShareOfTimeLeft();
        return _share = Math.Max(_share, share);
    }

    // The last run may end after the budget.
    private double ShareOfTimeLeft()
    {
        const double Least = .1;
        var elapsed = time.GetElapsedTime(_began);
        var ended = _expectedEnded ??= elapsed;
        return ended < budget.Time ? Math.Max(Least, (budget.Time - elapsed) / (budget.Time - ended)) : Least;
    }
}
