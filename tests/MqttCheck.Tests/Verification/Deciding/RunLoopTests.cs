using MqttCheck.Verification.Deciding;

namespace MqttCheck.Tests.Verification.Deciding;

/// <summary>The loop on recorded runs and a clock that only moves when a run is made.</summary>
[TestFixture]
internal sealed class RunLoopTests
{
    [Test]
    public void Series_take_turns_and_a_decided_one_is_left_alone()
    {
        var order = new List<string>();
        var tallies = Loop(
            1000,
            new Series("a", decidedAfter: 3) { Order = order },
            new Series("b", decidedAfter: 5) { Order = order }
        );
        Assert.That(tallies.Select(tally => tally.Counted), Is.EqualTo(new[] { 3, 5 }));
        Assert.That(order, Is.EqualTo(new[] { "a0", "b0", "a1", "b1", "a2", "b2", "b3", "b4" }));
    }

    [Test]
    public void No_decision_is_looked_at_before_the_smallest_number_of_runs() =>
        Assert.That(Loop(1000, new Series("a", decidedAfter: 1) { Least = 4 })[0].Counted, Is.EqualTo(4));

    [Test]
    public void An_invalid_run_does_not_count_and_another_is_made_in_its_place()
    {
        var series = new Series("a", decidedAfter: 3) { Late = run => run is 1 or 2 };
        var tally = Loop(1000, series)[0];
        Assert.That((tally.Counted, tally.Invalid, tally.Rounds), Is.EqualTo((3, 2, 5)));
        Assert.That(series.Added, Is.EqualTo(new[] { true, false, false, true, true }));
        Assert.That((tally.CountedRuns.Count(), tally.InvalidRuns.Count()), Is.EqualTo((3, 2)));
        Assert.That(tally.WhyWithheld(), Is.Null);
    }

    [Test]
    public void Where_every_run_is_invalid_it_gives_up()
    {
        var tally = Loop(1000, new Series("a", decidedAfter: 3) { Late = _ => true })[0];
        Assert.That((tally.Counted, tally.Invalid), Is.EqualTo((0, Series.Puts)));
        Assert.That(tally.WhyWithheld(), Does.StartWith("4 of 4 runs are invalid: The generator sent up to 2 ms late"));
    }

    // Two of three runs are late: after one that counts and is decided, more are made until they outnumber the late
    // ones.
    [Test]
    public void A_decision_on_fewer_runs_than_are_invalid_does_not_end_it()
    {
        var tally = Loop(1000, new Series("a", decidedAfter: 1) { Late = run => run < 2, Least = 0 })[0];
        Assert.That((tally.Counted, tally.Invalid), Is.EqualTo((3, 2)));
    }

    [Test]
    public void Runs_that_never_settle_count_and_withhold_the_verdict()
    {
        var tally = Loop(1000, new Series("a", decidedAfter: 4) { Unsettled = _ => true })[0];
        Assert.That((tally.Counted, tally.Rounds), Is.EqualTo((4, 4)));
        Assert.That(tally.WhyWithheld(), Does.StartWith("4 of 4 runs never became stationary"));
    }

    // Decided after four runs of which so many never settle. Later ones do, until a majority did.
    [TestCase(1, 4)]
    [TestCase(2, 5)]
    [TestCase(3, 7)]
    public void More_runs_are_made_where_a_majority_may_still_settle(int unsettled, int expected)
    {
        var tally = Loop(1000, new Series("a", decidedAfter: 4) { Unsettled = run => run < unsettled })[0];
        Assert.That((tally.Counted, tally.Rounds), Is.EqualTo((expected, expected)));
        Assert.That(tally.WhyWithheld(), Is.Null);
    }

    // The first run settles, no other does, and a budget of 100 s holds ten.
    [Test]
    public void A_majority_that_never_settles_takes_the_budget_and_withholds_the_verdict()
    {
        var tally = Loop(100, new Series("a", decidedAfter: 4) { Unsettled = run => run > 0 })[0];
        Assert.That(tally.Rounds, Is.EqualTo(10));
        Assert.That(tally.WhyWithheld(), Does.StartWith("9 of 10 runs never became stationary"));
    }

    // A run takes 10 s. The budget holds four; a quarter more is allowed for the smallest number of runs.
    [TestCase(40, 0, 4)]
    [TestCase(40, 8, 5)]
    [TestCase(5, 8, 1)]
    public void No_run_begins_that_would_end_after_the_budget(int seconds, int least, int expected) =>
        Assert.That(Loop(seconds, new Series("a", 100) { Least = least })[0].Rounds, Is.EqualTo(expected));

    [Test]
    public void So_many_runs_as_are_asked_for_are_made_whatever_time_is_left() =>
        Assert.That(Loop(1, 3, CancellationToken.None, new Series("a", 100))[0].Rounds, Is.EqualTo(3));

    [Test]
    public void After_an_interruption_no_run_begins_and_what_was_counted_is_kept()
    {
        using var stop = new CancellationTokenSource();
        var series = new Series("a", 100) { Stop = run => run == 2 ? stop : null };
        var tallies = Loop(1000, 1, stop.Token, series, new Series("b", 100));
        Assert.That(tallies.Select(tally => tally.Counted), Is.EqualTo(new[] { 3, 2 }));
    }

    [Test]
    public void A_round_that_is_cut_short_counts_for_nothing()
    {
        var tally = Loop(45, new Series("a", 100) { Cut = run => run == 1 })[0];
        Assert.That((tally.Counted, tally.Invalid, tally.Rounds), Is.EqualTo((3, 0, 4)));
    }

    [Test]
    public void Turns_are_numbered_over_all_series_by_pass_and_in_their_own()
    {
        var (first, second) = (new Series("a", decidedAfter: 2), new Series("b", decidedAfter: 4));
        Loop(1000, first, second);
        Assert.That(
            first.Turns.Select(turn => (turn.Number, turn.Pass, turn.Index)),
            Is.EqualTo(new[] { (0, 0, 0), (2, 1, 1) })
        );
        Assert.That(
            second.Turns.Select(turn => (turn.Number, turn.Pass, turn.Index)),
            Is.EqualTo(new[] { (1, 0, 0), (3, 1, 1), (4, 2, 2), (5, 3, 3) })
        );
    }

    // The second series had time when the pass began, but not after the run of the first.
    [Test]
    public void Within_a_pass_the_time_is_looked_at_before_each_round() =>
        Assert.That(
            Loop(30, new Series("a", 100), new Series("b", 100)).Select(tally => tally.Rounds),
            Is.EqualTo(new[] { 2, 1 })
        );

    // Five count before four are invalid: as many invalid ones as the series puts up with, but fewer than count.
    [Test]
    public void A_series_goes_on_while_more_runs_count_than_are_invalid()
    {
        var tally = Loop(1000, new Series("a", decidedAfter: 8) { Late = run => run is >= 5 and < 9 })[0];
        Assert.That((tally.Counted, tally.Invalid), Is.EqualTo((8, 4)));
    }

    [Test]
    public void A_series_that_needs_no_run_makes_none() =>
        Assert.That(Loop(1000, new Series("a", decidedAfter: 0))[0].Rounds, Is.Zero);

    // After four expected runs of 10 s the share is that of the budget of 1000 s, and a round is no part of it.
    [Test]
    public void After_the_expected_runs_the_share_that_is_done_is_that_of_the_time()
    {
        var series = new Series("a", decidedAfter: 6) { Expected = 4 };
        Loop(1000, series);
        Assert.That(series.Shares, Is.EqualTo(new[] { .25, .5, .75, .04, .05, .06 }).Within(1e-12));
        Assert.That(
            series.Turns.Select(turn => turn.ShareOfRound),
            Is.EqualTo(new[] { .25, .25, .25, .25, 0, 0 }).Within(1e-12)
        );
        Assert.That(
            series.Turns.Select(turn => turn.ShareAt(.5)),
            Is.EqualTo(new[] { .125, .375, .625, .875, .04, .05 }).Within(1e-12)
        );
    }

    // The grace allows five runs of 10 s in 40 s.
    [Test]
    public void The_share_that_is_done_ends_at_one()
    {
        var series = new Series("a", decidedAfter: 100) { Expected = 4, Least = 8 };
        Loop(40, series);
        Assert.That(series.Shares, Is.EqualTo(new[] { .25, .5, .75, 1, 1 }).Within(1e-12));
    }

    // The first series has two of ten expected runs, and no more however many it makes.
    [Test]
    public void Runs_beyond_the_expected_ones_are_no_share_of_those_of_others()
    {
        var (first, second) = (
            new Series("a", decidedAfter: 4) { Expected = 2 },
            new Series("b", decidedAfter: 4) { Expected = 8 }
        );
        Loop(1000, first, second);
        Assert.That(first.Shares, Is.EqualTo(new[] { .1, .3, .4, .5 }).Within(1e-12));
        Assert.That(second.Shares, Is.EqualTo(new[] { .2, .4, .5, .6 }).Within(1e-12));
        Assert.That(first.Turns.Select(turn => turn.ShareOfRound), Is.EqualTo(new[] { .1, .1, 0, 0 }).Within(1e-12));
    }

    // What the runs say of their timing and of their warm-up does not matter then.
    [TestCase(true, 3, 0)]
    [TestCase(false, 0, 4)]
    public void A_test_may_say_itself_which_runs_count(bool isValid, int counted, int invalid)
    {
        var series = new Series("a", decidedAfter: 3) { Late = run => isValid && run == 1, Unsettled = _ => isValid };
        series.Time = new Clock();
        var loop = new RunLoop<RecordedRun>([series], new() { Budget = TimeSpan.FromSeconds(1000) }, series.Time)
        {
            IsValid = _ => isValid,
        };
        var tally = loop.Run(CancellationToken.None)[0];
        Assert.That((tally.Counted, tally.Invalid), Is.EqualTo((counted, invalid)));
        Assert.That(tally.WhyWithheld() is null, Is.EqualTo(isValid));
    }

    private static IReadOnlyList<RunTally<RecordedRun>> Loop(double seconds, params Series[] series) =>
        Loop(seconds, 1, CancellationToken.None, series);

    private static IReadOnlyList<RunTally<RecordedRun>> Loop(
        double seconds,
        int alwaysMade,
        CancellationToken cancellation,
        params Series[] series
    )
    {
        var time = new Clock();
        foreach (var one in series)
            one.Time = time;
        var options = new RunLoopOptions { Budget = TimeSpan.FromSeconds(seconds), AlwaysMade = alwaysMade };
        return new RunLoop<RecordedRun>(series, options, time).Run(cancellation);
    }

    private sealed class Clock : TimeProvider
    {
        public TimeSpan Now { get; set; }

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => Now.Ticks;
    }

    private sealed class Series(string name, int decidedAfter) : IRunSeries<RecordedRun>
    {
        public const int Puts = 4;

        private int _made,
            _counted;

        public Clock Time { get; set; } = null!;

        public List<string> Order { get; init; } = [];

        public List<bool> Added { get; } = [];

        public List<double> Shares { get; } = [];

        public List<RunTurn> Turns { get; } = [];

        public int Least { get; init; }

        public int Expected { get; init; } = 10;

        public Func<int, bool> Late { get; init; } = _ => false;

        public Func<int, bool> Cut { get; init; } = _ => false;

        public Func<int, CancellationTokenSource?> Stop { get; init; } = _ => null;

        public Func<int, bool> Unsettled { get; init; } = _ => false;

        public int LeastRuns => Least;

        public int MostInvalidRuns => Puts;

        public int ExpectedRuns => Expected;

        public bool IsDecided => _counted >= decidedAfter;

        public IReadOnlyList<RecordedRun?> Make(RunTurn turn)
        {
            Assert.That(turn.Index, Is.EqualTo(_made));
            Turns.Add(turn);
            Order.Add(name + turn.Index);
            Time.Now += TimeSpan.FromSeconds(10);
            var run = _made++;
            Stop(run)?.Cancel();
            return
            [
                Cut(run) ? null
                : Late(run) ? RecordedRun.Late(2)
                : Unsettled(run) ? RecordedRun.Unsettled
                : RecordedRun.Sound,
            ];
        }

        public void Add(IReadOnlyList<UsedRun<RecordedRun>> round, double shareDone)
        {
            Added.Add(round[0].Counts);
            Shares.Add(shareDone);
            if (round[0].Counts)
                _counted++;
        }
    }
}
