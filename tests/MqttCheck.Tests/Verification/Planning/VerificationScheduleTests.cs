using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Tests.Verification.Planning;

[TestFixture]
internal sealed class VerificationScheduleTests
{
    private static readonly PredictedPoint First = new("up1", 200, 17, .87, new(.85, .89)),
        Second = new("up2", 200, 16, .86, new(.84, .88));

    // A sequence of up1 takes 10 waits of 250 ms on average, one of up2 10 waits of 150 ms.
    private static readonly Prediction Predicted = new()
    {
        Model = new("m.json", new string('0', 64), "binned-quantiles", "embedded"),
        Options = new PredictionOptions(),
        Populations = [ProfileFile.Read("up1"), ProfileFile.Read("up2")],
        Setups = [Setup("up1"), Setup("up2")],
        Points = [First, Second],
    };

    [Test]
    public void More_short_runs_are_planned_where_few_would_have_to_be_long()
    {
        var test = Test(error: .01, minimumRuns: 5);
        var schedule = Schedule(test, isFixed: false, seconds: 1000);
        var five = Schedule(test, isFixed: true, seconds: 1000);
        using (Assert.EnterMultipleScope())
        {
            Assert.That(five.Runs, Is.EqualTo(5));
            Assert.That(schedule.Runs, Is.InRange(6, VerificationSchedule.MostRuns));
            Assert.That(Sequences(schedule), Is.LessThan(Sequences(five)), "the number of runs is chosen for its time");
            foreach (var setup in schedule.Setups)
            {
                Assert.That(
                    setup.CountedSequences * setup.Clients,
                    Is.GreaterThanOrEqualTo(
                        setup.Points.Max(point =>
                            VerificationPlan.SequencesNeeded(
                                point,
                                test with
                                {
                                    PlannedRuns = schedule.BudgetRuns,
                                },
                                schedule.Runs
                            )
                        )
                    )
                );
            }
        }
    }

    [Test]
    public void A_small_budget_shortens_the_runs_first_and_keeps_all_setups()
    {
        var schedule = Schedule(Test(error: .01, minimumRuns: 5), isFixed: true, seconds: 60);
        Assert.That(schedule.Runs, Is.EqualTo(5));
        Assert.That(schedule.Setups.Select(setup => setup.CountedSequences), Has.All.EqualTo(1));
        Assert.That(schedule.Setups, Has.Count.EqualTo(2));
    }

    // There are as many shortest runs of both setups as the budget holds, not one more and not one fewer.
    [TestCase(5.2, 5)]
    [TestCase(6.2, 6)]
    [TestCase(7.2, 7)]
    public void A_small_budget_takes_away_runs_once_they_cannot_be_shorter(double budget, int runs)
    {
        var shortest = new[] { First, Second }.Sum(point => ShortestRun(point));
        var schedule = VerificationSchedule.For(
            Predicted,
            [First, Second],
            Test(error: .01, minimumRuns: 5),
            isFixed: false,
            TimeSpan.FromSeconds(budget * shortest)
        );
        Assert.That(schedule.Setups.Select(setup => setup.CountedSequences), Is.EqualTo(new[] { 1, 1 }));
        Assert.That((schedule.Runs, schedule.BudgetRuns), Is.EqualTo((runs, runs)));
        Assert.That(schedule.Time.TotalSeconds, Is.EqualTo(runs * shortest).Within(1e-3));

        static double ShortestRun(PredictedPoint point)
        {
            var population = Predicted.PopulationOf(point);
            return new RunTime(population, point.Clients).Seconds(
                1,
                RunTime.SequenceSeconds(Predicted, population, point.Clients)
            );
        }
    }

    // Runs of a tenth of the clients are ten times as long: they alone are shortened, a sequence of 25 s in five runs
    // at a time, until the plan fits.
    [Test]
    public void The_longest_runs_are_shortened_first_and_no_more_than_needed()
    {
        var few = First with { Clients = 20 };
        var predicted = Predicted with { Setups = [Setup("up1") with { Clients = 20 }, Setup("up2")] };
        var wanted = For(null);
        var shortened = For(.9 * wanted.Time.TotalSeconds);
        Assert.That(wanted.Setups[1].CountedSequences, Is.GreaterThan(1));
        Assert.That(wanted.Setups[0].CountedSequences, Is.GreaterThan(5 * wanted.Setups[1].CountedSequences));
        Assert.That(shortened.Setups[1].CountedSequences, Is.EqualTo(wanted.Setups[1].CountedSequences));
        Assert.That(shortened.Setups[0].CountedSequences, Is.LessThan(wanted.Setups[0].CountedSequences));
        Assert.That(.9 * wanted.Time.TotalSeconds - shortened.Time.TotalSeconds, Is.InRange(0, 5 * 2.6 + 1));

        VerificationSchedule For(double? seconds) =>
            VerificationSchedule.For(
                predicted,
                [few, Second],
                Test(error: .01, minimumRuns: 5) with
                {
                    Indifference = .05,
                },
                isFixed: true,
                seconds is { } given ? TimeSpan.FromSeconds(given) : null
            );
    }

    // The most informative probability is .85, and .87 is nearer to it than .8.
    [TestCase(.86, "up2")]
    [TestCase(.80, "up1")]
    public void A_budget_that_does_not_hold_all_setups_leaves_out_the_less_informative_one(double second, string kept)
    {
        var schedule = VerificationSchedule.For(
            Predicted,
            [First, Second with { Probability = second, Interval = new(second - .02, second + .02) }],
            Test(error: .1, minimumRuns: 3),
            isFixed: false,
            TimeSpan.FromSeconds(20)
        );
        Assert.That(schedule.Setups.Select(setup => setup.Population.Name), Is.EqualTo([kept]));
        Assert.That(schedule.Runs, Is.GreaterThanOrEqualTo(3));
    }

    // A bet grows by the ratio of what is seen to what it is against, at most .95 / .85 or .6 / .5. So the prediction
    // near one takes more runs.
    [Test]
    public void Bets_make_as_many_runs_as_the_point_takes_that_takes_most()
    {
        var test = new VerificationOptions { Guarantee = Guarantee.Any, MinimumRuns = 3 };
        PredictedPoint easy = First with { ThresholdMilliseconds = 12, Probability = .6, Interval = new(.59, .61) },
            hard = First with { Probability = .95, Interval = new(.94, .96) },
            other = Second with { Probability = .6, Interval = new(.59, .61) };
        Assert.That(Runs(easy), Is.LessThan(Runs(hard)));
        Assert.That(Runs(easy, hard), Is.EqualTo(Runs(hard)), "two points of a setup");
        Assert.That(Runs(hard, other), Is.EqualTo(Runs(hard)), "two setups");

        int Runs(params PredictedPoint[] points) =>
            VerificationSchedule.For(Predicted, points, test, isFixed: false, budget: null).Runs;
    }

    // Bets take their number of runs, 43 at least at an error of .005 a side for .1 less than .85: as many short ones
    // as planned, and a quarter more time. Looks begin at once.
    [Test]
    public void Bets_on_run_means_take_many_short_runs_and_their_time_is_said_beforehand()
    {
        var test = new VerificationOptions { Guarantee = Guarantee.Any, MinimumRuns = 3 };
        var schedule = VerificationSchedule.For(Predicted, [First], test, isFixed: false, budget: null);
        Assert.That(schedule.Runs, Is.InRange(43, 60));
        Assert.That(schedule.Setups[0].CountedSequences, Is.EqualTo(1));
        // One sequence of 2.5 s, one and a half beside it, and a little for the slowest client.
        Assert.That(schedule.Time.TotalSeconds, Is.InRange(schedule.Runs * 2.5 * 2.5, schedule.Runs * 2.5 * 3));
        Assert.That(schedule.Budget, Is.EqualTo(schedule.Time * 1.25));
        Assert.That(
            VerificationSchedule
                .For(Predicted, [First], test, isFixed: false, TimeSpan.FromSeconds(100))
                .Budget.TotalSeconds,
            Is.EqualTo(100)
        );
    }

    [Test]
    public void One_setup_stays_however_small_the_budget_is() =>
        Assert.That(
            Schedule(Test(error: .01, minimumRuns: 5), isFixed: false, seconds: 1).Setups,
            Has.Count.EqualTo(1)
        );

    [Test]
    public void Runs_have_whole_rounds_of_stages_and_take_the_ramp_up_too()
    {
        // Ten sequences of up1 take the 25 s of a round.
        var staged = Population.Of(
            Predicted.Populations[0].Groups[0].Profile with
            {
                Stages = [new(12.5, 1), new(12.5, 1)],
            }
        );
        var ramped = Population.Of(staged.Groups[0].Profile with { RampUpSeconds = 60 });
        var test = Test(error: .01, minimumRuns: 5) with { Points = 1 };
        var (plain, whole, late) = (Of(Predicted.Populations[0], 1000), Of(staged, 1000), Of(ramped, 10_000));
        var least = Of(staged, 1);
        Assert.That(plain.Setups[0].CountedSequences, Is.Not.EqualTo(10));
        Assert.That(whole.Setups[0].CountedSequences % 10, Is.Zero);
        Assert.That(whole.Setups[0].CountedSequences, Is.GreaterThanOrEqualTo(plain.Setups[0].CountedSequences));
        Assert.That(least.Setups[0].CountedSequences, Is.EqualTo(10), "a round stays whole");
        Assert.That(late.Time - TimeSpan.FromSeconds(60) * late.Runs, Is.GreaterThan(TimeSpan.Zero));
        Assert.That(
            RunSeconds(late) - 60,
            Is.EqualTo(
                    (late.Setups[0].CountedSequences + 1.5)
                        / (whole.Setups[0].CountedSequences + 1.5)
                        * RunSeconds(whole)
                )
                .Within(1e-6)
        );

        VerificationSchedule Of(Population population, int seconds) =>
            VerificationSchedule.For(
                Predicted with
                {
                    Populations = [population],
                },
                [First],
                test,
                isFixed: false,
                TimeSpan.FromSeconds(seconds)
            );

        static double RunSeconds(VerificationSchedule schedule) => schedule.Time.TotalSeconds / schedule.Runs;
    }

    // Before anything is known: as for a prediction of .85 without an interval, and answers that take no time.
    [Test]
    public void Beforehand_the_schedule_is_that_of_the_best_prediction_and_instant_answers()
    {
        var test = Test(error: .01, minimumRuns: 5);
        var setups = Predicted.Populations.Select(population => (population, 200)).ToList();
        var before = VerificationSchedule.Before(setups, test, isFixed: true, budget: null);
        var needed = VerificationPlan.SequencesNeeded(
            new("up1", 200, 1, .85, new(.85, .85)),
            test with
            {
                PlannedRuns = 5,
            },
            test.MinimumRuns
        );
        var length = (int)Math.Ceiling(needed / 200.0);
        Assert.That((before.Runs, before.BudgetRuns), Is.EqualTo((5, 5)));
        Assert.That(before.Setups.Select(setup => setup.CountedSequences), Is.All.EqualTo(length));
        Assert.That(
            before.Setups.Select(setup => (setup.Population.Name, setup.Clients)),
            Is.EqualTo(new[] { ("up1", 200), ("up2", 200) })
        );
        // Ten waits of 250 ms, or of 150 ms, until the slowest client is done.
        Assert.That(
            before.Time.TotalSeconds,
            Is.EqualTo(5 * Predicted.Populations.Sum(population => new RunTime(population, 200).Seconds(length)))
                .Within(1e-3)
        );
        Assert.That(before.Time.TotalSeconds, Is.GreaterThan(5 * (length + 1) * (2.5 + 1.5)));
        Assert.That(before.Budget, Is.EqualTo(before.Time * 1.25));
    }

    private static VerificationSchedule Schedule(VerificationOptions test, bool isFixed, int seconds) =>
        VerificationSchedule.For(Predicted, [First, Second], test, isFixed, TimeSpan.FromSeconds(seconds));

    private static VerificationOptions Test(double error, int minimumRuns) =>
        new()
        {
            Error = error,
            Points = 2,
            MinimumRuns = minimumRuns,
        };

    private static int Sequences(VerificationSchedule schedule) =>
        schedule.Runs * schedule.Setups.Sum(setup => setup.CountedSequences);

    private static PredictedSetup Setup(string profile) =>
        new()
        {
            Profile = profile,
            Clients = 200,
            Replications = 1060,
            Sequences = 200,
            Exchanges = 2000,
            MeanActive = 5,
            MaximumActive = 20,
            WorstMilliseconds = [10, 15, 20],
        };
}
