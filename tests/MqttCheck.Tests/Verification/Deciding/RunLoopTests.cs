using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Verification.Deciding;
using MqttCheck.Verification.Planning;

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

    // Runs of 10 s are sound (s), late (l), unsettled (u) or cut short (c), and from the last letter on all alike; a
    // series puts up with four late ones.
    [TestCase(1, 4, 1000, "s", 4, 0, 4, null, TestName = "No_decision_is_looked_at_before_the_smallest_number_of_runs")]
    [TestCase(0, 0, 1000, "s", 0, 0, 0, null, TestName = "A_series_that_needs_no_run_makes_none")]
    [TestCase(3, 0, 1000, "slls", 3, 2, 5, null, TestName = "Another_run_is_made_in_the_place_of_an_invalid_one")]
    [TestCase(
        3,
        0,
        1000,
        "l",
        0,
        4,
        4,
        "4 of 4 runs are invalid: The generator sent up to 2 ms late",
        TestName = "Where_every_run_is_invalid_it_gives_up"
    )]
    [TestCase(8, 0, 1000, "ssssslllls", 8, 4, 12, null, TestName = "It_goes_on_while_more_runs_count_than_are_invalid")]
    [TestCase(1, 0, 1000, "lls", 3, 2, 5, null, TestName = "More_runs_are_made_until_they_outnumber_the_late_ones")]
    [TestCase(
        4,
        0,
        1000,
        "u",
        4,
        0,
        4,
        "4 of 4 runs never became stationary",
        TestName = "Runs_that_never_settle_count_and_withhold_the_verdict"
    )]
    [TestCase(4, 0, 1000, "us", 4, 0, 4, null, TestName = "One_run_that_never_settles_is_none_too_many")]
    [TestCase(4, 0, 1000, "uus", 5, 0, 5, null, TestName = "More_runs_are_made_until_a_majority_has_settled")]
    [TestCase(4, 0, 1000, "uuus", 7, 0, 7, null, TestName = "Even_more_runs_are_made_until_a_majority_has_settled")]
    [TestCase(
        4,
        0,
        100,
        "su",
        10,
        0,
        10,
        "9 of 10 runs never became stationary",
        TestName = "A_majority_that_never_settles_takes_the_budget_and_withholds_the_verdict"
    )]
    [TestCase(100, 0, 40, "s", 4, 0, 4, null, TestName = "No_run_begins_that_would_end_after_the_budget")]
    [TestCase(100, 8, 40, "s", 5, 0, 5, null, TestName = "The_smallest_number_of_runs_may_take_a_quarter_more")]
    [TestCase(100, 8, 5, "s", 1, 0, 1, null, TestName = "One_run_is_made_in_any_budget")]
    [TestCase(100, 0, 45, "scs", 3, 0, 4, null, TestName = "A_round_that_is_cut_short_counts_for_nothing")]
    public void Runs_are_made_until_enough_count(
        int decidedAfter,
        int least,
        int seconds,
        string runs,
        int counted,
        int invalid,
        int rounds,
        string? withheld
    )
    {
        var series = new Series("a", decidedAfter) { LeastRuns = least, Runs = runs };
        var tally = Loop(seconds, series)[0];
        Assert.That(
            (tally.Counted, tally.Invalid, tally.Rounds, tally.CountedRuns.Count(), tally.InvalidRuns.Count()),
            Is.EqualTo((counted, invalid, rounds, counted, invalid))
        );
        Assert.That(series.Added.Count(counts => counts), Is.EqualTo(counted));
        Assert.That(tally.WhyWithheld(), withheld is null ? Is.Null : Does.StartWith(withheld));
    }

    // Each run takes 10 s by the clock, also one that was made before.
    [TestCase(0, 1)]
    [TestCase(3, 3)]
    public void Runs_that_were_made_before_are_judged_whatever_time_is_left(int madeBefore, int counted)
    {
        var time = new Clock();
        var series = new Series("s", decidedAfter: 100) { Time = time };
        var loop = new RunLoop<RecordedRun>([series], new(TimeSpan.FromSeconds(1)), time) { MadeBefore = madeBefore };
        Assert.That(loop.Run(CancellationToken.None)[0].Counted, Is.EqualTo(counted));
    }

    [Test]
    public void A_budget_that_is_given_is_kept_also_for_the_smallest_number_of_runs() =>
        Assert.That(
            Loop(40, isGiven: true, CancellationToken.None, new Series("a", 100) { LeastRuns = 8 })[0].Rounds,
            Is.EqualTo(4)
        );

    [Test]
    public void After_an_interruption_no_run_begins_and_what_was_counted_is_kept()
    {
        using var stop = new CancellationTokenSource();
        var series = new Series("a", 100) { Stop = stop };
        var tallies = Loop(1000, isGiven: false, stop.Token, series, new Series("b", 100));
        Assert.That(tallies.Select(tally => tally.Counted), Is.EqualTo(new[] { 3, 2 }));
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

    // Four runs of 10 s are expected, so each is a fifth. The last fifth is spread over the 960 s that are left then.
    [Test]
    public void After_the_expected_runs_the_share_that_is_done_is_that_of_the_time_that_is_left()
    {
        var series = new Series("a", decidedAfter: 6) { ExpectedRuns = 4 };
        Loop(1000, series);
        var (late, last) = (1 - .2 * 950 / 960, 1 - .2 * 940 / 960);
        Assert.That(series.Shares, Is.EqualTo(new[] { .2, .4, .6, .8, late, last }).Within(1e-12));
        Assert.That(
            series.Turns.Select(turn => turn.ShareOfRound),
            Is.EqualTo(new[] { .2, .2, .2, .2, 0, 0 }).Within(1e-12)
        );
        Assert.That(
            series.Turns.Select(turn => turn.ShareAt(.5)),
            Is.EqualTo(new[] { .1, .3, .5, .7, .8, late }).Within(1e-12)
        );
    }

    // The grace allows five runs of 10 s in 40 s.
    [Test]
    public void Work_beyond_its_time_is_not_said_to_be_all_done()
    {
        var series = new Series("a", decidedAfter: 100) { ExpectedRuns = 4, LeastRuns = 8 };
        Loop(40, series);
        Assert.That(series.Shares, Is.EqualTo(new[] { .2, .4, .6, .98, .98 }).Within(1e-12));
    }

    // The first series has two of ten expected runs, and no more however many it makes.
    [Test]
    public void Runs_beyond_the_expected_ones_are_no_share_of_those_of_others()
    {
        var (first, second) = (
            new Series("a", decidedAfter: 4) { ExpectedRuns = 2 },
            new Series("b", decidedAfter: 4) { ExpectedRuns = 8 }
        );
        Loop(1000, first, second);
        Assert.That(first.Shares.Select(share => share * 11), Is.EqualTo(new[] { 1.0, 3, 4, 5 }).Within(1e-12));
        Assert.That(second.Shares.Select(share => share * 11), Is.EqualTo(new[] { 2.0, 4, 5, 6 }).Within(1e-12));
        Assert.That(
            first.Turns.Select(turn => turn.ShareOfRound * 11),
            Is.EqualTo(new[] { 1.0, 1, 0, 0 }).Within(1e-12)
        );
    }

    // False alarms: none, it is a law. Runs are sound, late or not settled. Seed 50.
    [Test]
    public void The_share_that_is_done_never_falls_and_is_never_whole_while_a_run_may_follow()
    {
        var kinds = Gen.Elements('s', 's', 'l', 'u').ArrayOf(16).Select(runs => new string(runs));
        var loops =
            from runs in kinds.Two()
            from expected in Gen.Choose(1, 8).Two()
            from decided in Gen.Choose(1, 12).Two()
            from seconds in Gen.Choose(10, 400)
            select (runs, expected, decided, seconds);
        Prop.ForAll(
                loops.ToArbitrary(),
                loop =>
                {
                    var shares = new List<double>();
                    Loop(
                        loop.seconds,
                        Made(loop.runs.Item1, loop.expected.Item1, loop.decided.Item1),
                        Made(loop.runs.Item2, loop.expected.Item2, loop.decided.Item2)
                    );
                    Assert.That(shares, Is.Ordered.Ascending.And.All.GreaterThanOrEqualTo(0).And.All.LessThan(1));
                    return true;

                    Series Made(string runs, int expected, int decided) =>
                        new($"{decided}", decided)
                        {
                            Runs = runs,
                            ExpectedRuns = expected,
                            Shares = shares,
                        };
                }
            )
            .Check(Config.QuickThrowOnFailure.WithReplay(50, 51).WithMaxTest(1000));
    }

    // What the runs say of their timing and of their warm-up does not matter then.
    [TestCase(true, 3, 0)]
    [TestCase(false, 0, 4)]
    public void A_test_may_say_itself_which_runs_count(bool isValid, int counted, int invalid)
    {
        var series = new Series("a", decidedAfter: 3) { Runs = isValid ? "ulu" : "s" };
        series.Time = new Clock();
        var loop = new RunLoop<RecordedRun>([series], new(TimeSpan.FromSeconds(1000)), series.Time)
        {
            IsValid = _ => isValid,
        };
        var tally = loop.Run(CancellationToken.None)[0];
        Assert.That(
            (tally.Counted, tally.Invalid, tally.WhyWithheld() is null),
            Is.EqualTo((counted, invalid, isValid))
        );
    }

    private static IReadOnlyList<RunTally<RecordedRun>> Loop(double seconds, params Series[] series) =>
        Loop(seconds, isGiven: false, CancellationToken.None, series);

    private static IReadOnlyList<RunTally<RecordedRun>> Loop(
        double seconds,
        bool isGiven,
        CancellationToken cancellation,
        params Series[] series
    )
    {
        var time = new Clock();
        foreach (var one in series)
            one.Time = time;
        var budget = new TimeBudget(TimeSpan.FromSeconds(seconds), IsGiven: isGiven);
        return new RunLoop<RecordedRun>(series, budget, time).Run(cancellation);
    }

    private sealed class Clock : TimeProvider
    {
        public TimeSpan Now { get; set; }

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => Now.Ticks;
    }

    private sealed class Series(string name, int decidedAfter) : IRunSeries<RecordedRun>
    {
        private int _made,
            _counted;

        public Clock Time { get; set; } = null!;

        public List<string> Order { get; init; } = [];

        public List<bool> Added { get; } = [];

        public List<double> Shares { get; init; } = [];

        public List<RunTurn> Turns { get; } = [];

        public string Runs { get; init; } = "s";

        /// <summary>Stopped by the third run.</summary>
        public CancellationTokenSource? Stop { get; init; }

        public int LeastRuns { get; init; }

        public int MostInvalidRuns => 4;

        public int ExpectedRuns { get; init; } = 10;

        public bool IsDecided => _counted >= decidedAfter;

        public IReadOnlyList<RecordedRun?> Make(RunTurn turn)
        {
            Assert.That(turn.Index, Is.EqualTo(_made));
            Turns.Add(turn);
            Order.Add(name + turn.Index);
            Time.Now += TimeSpan.FromSeconds(10);
            var run = Runs[Math.Min(_made++, Runs.Length - 1)];
            if (_made == 3)
                Stop?.Cancel();
            return
            [
                run switch
                {
                    'c' => null,
                    'l' => RecordedRun.Late(2),
                    'u' => RecordedRun.Unsettled,
                    _ => RecordedRun.Sound,
                },
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
