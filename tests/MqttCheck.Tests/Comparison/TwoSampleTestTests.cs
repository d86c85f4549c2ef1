using MqttCheck.Auditing.Promises;
using MqttCheck.Clients;
using MqttCheck.Comparison;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Tests.Auditing.Promises;

namespace MqttCheck.Tests.Comparison;

[TestFixture]
internal sealed class TwoSampleTestTests
{
    [Test]
    public void Equal_runs_show_that_there_is_no_difference()
    {
        var test = new TwoSampleTest(new());
        TwoSampleResult result = null!;
        for (var run = 1; run <= 8; run++)
        {
            result = test.AddPair(new(340, 400), new(340 + run % 2, 400));
            if (run < 8)
                Assert.That(
                    (result.Verdict, result.Reason.Contains("at least 8 runs", StringComparison.Ordinal)),
                    Is.EqualTo((TwoSampleVerdict.Withheld, true))
                );
        }
        Assert.That(result.Verdict, Is.EqualTo(TwoSampleVerdict.NoDifference), result.Reason);
        Assert.That(result.DecidedAfterRuns, Is.EqualTo(8));
        Assert.That(result.Difference, Is.EqualTo(-.00125).Within(1e-12));
        Assert.That(result.Reason, Does.Contain("no difference of 0.1 or more"));
    }

    // R: n <- 300; sqrt(2 * .85 * .15 / n / 8) = .01031; that is the smallest standard error credited, up to half a
    // sequence.
    [Test]
    public void A_spread_below_that_of_independent_sequences_is_not_credited()
    {
        var test = new TwoSampleTest(new());
        for (var run = 1; run <= 8; run++)
            test.AddPair(new(255, 300), new(255, 300));
        Assert.That(test.Conclude().StandardError, Is.EqualTo(.01031).Within(2e-5));
    }

    [TestCase(320, 250, TwoSampleVerdict.FirstFaster, "the first is faster")]
    [TestCase(250, 320, TwoSampleVerdict.SecondFaster, "the second is faster")]
    public void A_clear_difference_is_found_and_its_sign_is_right(
        int first,
        int second,
        TwoSampleVerdict expected,
        string words
    )
    {
        var test = new TwoSampleTest(new() { MinimumRuns = 4, PlannedRuns = 4 });
        TwoSampleResult result = null!;
        for (var run = 1; run <= 4; run++)
            result = test.AddPair(new(first + run, 400), new(second - run, 400));
        Assert.That(result.Verdict, Is.EqualTo(expected), result.Reason);
        Assert.That(result.Reason, Does.Contain(words));
        // 1 - .005^(1/4) = .734.
        Assert.That(
            result.Reason,
            Does.EndWith(
                "Not excluded after 4 runs: another state of the broker, "
                    + "in up to 73 % of the runs, that none of these showed."
            )
        );
    }

    [TestCase(320, 250, ": nats is faster. ")]
    [TestCase(250, 320, ": aedes is faster. ")]
    public void The_reason_calls_the_two_by_their_names_and_keeps_them_when_more_is_added(
        int first,
        int second,
        string words
    )
    {
        var test = new TwoSampleTest(
            new()
            {
                MinimumRuns = 4,
                PlannedRuns = 4,
                Names = ("nats", "aedes"),
            }
        );
        for (var run = 1; run <= 4; run++)
            test.AddPair(new(first + run, 400), new(second - run, 400));
        Assert.That(test.Conclude().Reason, Does.Contain(words));
        Assert.That(test.Conclude().Judged("Every run was disturbed.").Reason, Does.Contain(words));
    }

    [Test]
    public void A_mood_that_both_share_falls_out_of_the_difference()
    {
        var paired = new TwoSampleTest(new());
        int[] mood = [380, 200, 320, 390, 150, 300, 250, 360];
        foreach (var hits in mood)
            paired.AddPair(new(hits, 400), new(hits - 80, 400));
        Assert.That(paired.Conclude().Verdict, Is.EqualTo(TwoSampleVerdict.FirstFaster), paired.Conclude().Reason);

        var independent = new TwoSampleTest(new(), [.. mood.Select(hits => new RunCount(hits, 400))]);
        foreach (var hits in mood)
            independent.AddRun(new(hits - 80, 400));
        Assert.That(independent.Conclude().Verdict, Is.EqualTo(TwoSampleVerdict.Withheld));
        Assert.That(independent.Conclude().Reason, Does.Contain("more runs help, longer ones hardly do"));
    }

    [Test]
    public void Runs_without_a_miss_do_not_show_that_a_rarely_failing_broker_is_equal()
    {
        var test = new TwoSampleTest(new() { Indifference = .05 });
        for (var run = 1; run <= 8; run++)
            test.AddPair(new(400, 400), new(400, 400));
        Assert.That(test.Conclude().Verdict, Is.EqualTo(TwoSampleVerdict.Withheld), test.Conclude().Reason);
        Assert.That(test.Conclude().Reason, Does.Contain("do not exclude that one of the two fails rarely"));
    }

    // A broker whose runs are all good or all bad shows eight good ones now and then: Student's t alone takes it for
    // faster than a steady one with the same mean. Seed 32, 300 comparisons; the rate was .09 of .01 so.
    [Test]
    public void A_broker_with_all_or_nothing_runs_is_not_found_faster_than_an_equal_steady_one()
    {
        var options = new TwoSampleOptions();
        var (steady, varying) = (RunLaw.Independent.Runs(.85, 500), RunLaw.BetaBinomial(180).Runs(.85, 500));
        RunCount[] first = new RunCount[8],
            second = new RunCount[8];
        var wrong = 0;
        for (ulong number = 0; number < 300; number++)
        {
            var random = RandomStream.For(32, number);
            steady(first, ref random);
            varying(second, ref random);
            var test = new TwoSampleTest(options);
            for (var run = 0; run < 8; run++)
                test.Decide(first[run], second[run]);
            if (test.Conclude().IsDecided)
                wrong++;
        }
        Assert.That(
            BinomialIntervals.LowerBound(wrong, 300, .001),
            Is.LessThanOrEqualTo(options.Error),
            $"{wrong} of 300"
        );
    }

    // By Student's t and by the likelihood the second is faster. But were both equal, the one bad run would be of a
    // state in .15 / .5 = 30 % of the runs, and one or none of 18 then has a probability of .014, more than a side may
    // spend. Without that run, and with a smaller difference, the verdict comes.
    [TestCase(100, 50, TwoSampleVerdict.Withheld)]
    [TestCase(97, 97, TwoSampleVerdict.SecondFaster)]
    public void A_bad_run_among_good_ones_counts_as_a_state_of_the_broker(int good, int bad, TwoSampleVerdict expected)
    {
        var test = new TwoSampleTest(new() { Error = .005, MinimumRuns = 18 });
        for (var run = 1; run <= 18; run++)
            test.AddPair(new(85, 100), new(run == 7 ? bad : good, 100));
        var result = test.Conclude();
        Assert.That(result.VerdictInterval.Upper, Is.LessThan(0), "Student's t rejects that they are equal");
        Assert.That(result.Verdict, Is.EqualTo(expected), result.Reason);
        if (expected == TwoSampleVerdict.Withheld)
            Assert.That(result.Reason, Does.Contain("the one that looks faster fails rarely but then for a whole run"));
    }

    // Bets on differences of 0 against .1: ln(200) / ln(1 + .1 / .9) = 50.3 runs at least.
    [Test]
    public void Without_an_assumption_equal_brokers_take_as_many_runs_as_bets_do()
    {
        var options = new TwoSampleOptions { Guarantee = Guarantee.Any };
        var test = new TwoSampleTest(options);
        var runs = 1;
        while (test.Decide(new(85, 100), new(85, 100)) == TwoSampleVerdict.Withheld)
            runs++;
        var result = test.Conclude();
        Assert.That(result.Verdict, Is.EqualTo(TwoSampleVerdict.NoDifference));
        Assert.That(runs, Is.InRange(51, 58));
        Assert.That(
            result.Reason,
            Does.Contain("whatever law all runs follow, those that do not count taken at their worst")
        );
        Assert.That(result.VerdictInterval.Upper, Is.LessThanOrEqualTo(.1 + 1e-4));
        Assert.That(result.VerdictInterval.Lower, Is.GreaterThanOrEqualTo(-.1 - 1e-4));
        Assert.That(TwoSamplePlan.RunsOfAnyLaw(options, .85, int.MaxValue), Is.GreaterThanOrEqualTo(runs));
    }

    [TestCase(390, 200, TwoSampleVerdict.FirstFaster)]
    [TestCase(200, 390, TwoSampleVerdict.SecondFaster)]
    public void Without_an_assumption_a_large_difference_is_found_soon(int first, int second, TwoSampleVerdict expected)
    {
        var test = new TwoSampleTest(new() { Guarantee = Guarantee.Any });
        var runs = 1;
        while (test.Decide(new(first, 400), new(second, 400)) == TwoSampleVerdict.Withheld)
            runs++;
        Assert.That((test.Conclude().Verdict, runs), Is.EqualTo((expected, runs)));
        Assert.That(runs, Is.InRange(8, 20));
    }

    // The stored mean itself is known to its bounds only: few stored runs tell nothing, however many are compared with
    // them.
    [Test]
    public void Without_an_assumption_few_stored_runs_say_nothing_and_enough_of_them_do()
    {
        var options = new TwoSampleOptions { Guarantee = Guarantee.Any };
        var needed = TwoSamplePlan.StoredRunsOfAnyLaw(options, .85);
        Assert.That(Decide(8).Verdict, Is.EqualTo(TwoSampleVerdict.Withheld));
        Assert.That(Decide(8).Reason, Does.Contain("the 8 stored ones are too few"));
        Assert.That(Decide(2 * needed).Verdict, Is.EqualTo(TwoSampleVerdict.NoDifference), Decide(2 * needed).Reason);

        TwoSampleResult Decide(int stored)
        {
            var test = new TwoSampleTest(options, [.. Enumerable.Repeat(new RunCount(85, 100), stored)]);
            for (var run = 0; run < 400 && test.Decide(null, new(85, 100)) == TwoSampleVerdict.Withheld; run++) { }
            return test.Conclude();
        }
    }

    // A promise that is exactly used up is found broken in one of a thousand cells. Each with its seed, of so many
    // comparisons. That quiet brokers get their right verdict is among what is promised.
    [TestCase(Guarantee.Any, .1, .3, 1, 30, 33ul, 300, Category = "Whole")]
    [TestCase(Guarantee.Model, .01, .1, 2, 20, 42ul, 150)]
    [TestCase(Guarantee.Model, .02, .1, 1, 20, 41ul, 150, Category = "Whole")]
    public void No_law_of_runs_that_a_promise_is_made_for_breaks_it(
        Guarantee guarantee,
        double error,
        double indifference,
        int comparisons,
        int promises,
        ulong seed,
        int trials
    )
    {
        var options = new TwoSampleOptions
        {
            Error = error,
            Indifference = indifference,
            Comparisons = comparisons,
        };
        var audit = new TwoSampleAudit(guarantee, [(options, 8)]);
        Assert.That(
            audit.Cells.Count(cell => cell.Promise == options.ComparisonError),
            Is.GreaterThanOrEqualTo(promises)
        );
        Assert.That(SimulatedPromises.Broken(audit, seed, trials), Is.Empty);
    }

    // 1000 pairs of samples, seed 45.
    [Test]
    public void Brokers_that_change_places_change_the_verdict_alone([Values] Guarantee guarantee)
    {
        var options = new TwoSampleOptions { MinimumRuns = 3, Guarantee = guarantee };
        var law = RunLaw.BetaBinomial(8);
        for (ulong number = 0; number < 1000; number++)
        {
            var random = RandomStream.For(45, number);
            var (first, second) = (new RunCount[20], new RunCount[20]);
            law.Runs(.9, 200)(first, ref random);
            law.Runs(random.NextDouble(), 200)(second, ref random);
            Assert.That(Verdict(second, first), Is.EqualTo(-Verdict(first, second)), $"{number}");
        }

        int Verdict(RunCount[] one, RunCount[] other)
        {
            var test = new TwoSampleTest(options);
            var verdicts = one.Zip(other, (x, y) => test.Decide(x, y)).ToArray();
            return verdicts.Count(verdict => verdict == TwoSampleVerdict.FirstFaster)
                - verdicts.Count(verdict => verdict == TwoSampleVerdict.SecondFaster);
        }
    }

    // More, shorter runs take hardly longer than few long ones, and see a rare bad state sooner.
    [TestCase(100, 1, 12, 13)]
    [TestCase(100, 2, 14, 15)]
    [TestCase(10, 2, 18, 20)]
    [TestCase(1000, 1, 8, 9)]
    public void As_many_runs_are_planned_as_take_hardly_more_time_than_the_fewest(
        int clients,
        int comparisons,
        int fewest,
        int most
    )
    {
        var options = new TwoSampleOptions { Comparisons = comparisons };
        var plan = TwoSamplePlan.For(.85, options, [(clients, 1)], 1.5)[0];
        Assert.That(plan.Runs, Is.InRange(fewest, most), plan.ToString());
        Assert.That(
            plan.Rounds * clients,
            Is.GreaterThanOrEqualTo(
                TwoSamplePlan.SequencesNeeded(.85, options with { MinimumRuns = plan.Runs, PlannedRuns = plan.Runs })
            )
        );
        var given = TwoSamplePlan.For(.85, options, [(clients, 1)], 1.5, runs: 8)[0];
        Assert.That(given.Runs, Is.EqualTo(8));
        Assert.That(plan.Runs * (plan.Rounds + 1.5), Is.LessThanOrEqualTo(1.15 * given.Runs * (given.Rounds + 1.5)));
    }

    [Test]
    public void A_verdict_once_given_stays()
    {
        var test = new TwoSampleTest(new() { MinimumRuns = 4, PlannedRuns = 4 });
        for (var run = 1; run <= 4; run++)
            test.AddPair(new(390, 400), new(200, 400));
        var result = test.AddPair(new(0, 400), new(400, 400));
        Assert.That(
            (result.Verdict, result.DecidedAfterRuns, result.First.Count),
            Is.EqualTo((TwoSampleVerdict.FirstFaster, 4, 5))
        );
    }

    [Test]
    public void Without_enough_runs_there_is_no_verdict()
    {
        var test = new TwoSampleTest(new());
        Assert.That(test.Conclude().Reason, Is.EqualTo("No run of both was observed."));
        test.AddPair(new(9, 10), new(1, 10));
        Assert.That(
            (test.Conclude().Verdict, test.Conclude(interrupted: true).Verdict),
            Is.EqualTo((TwoSampleVerdict.Withheld, TwoSampleVerdict.Partial))
        );
        Assert.That((test.Conclude().Interval.Lower, test.Conclude().Interval.Upper), Is.EqualTo((-1.0, 1.0)));
    }

    [Test]
    public void Options_out_of_range_are_all_named()
    {
        var options = new TwoSampleOptions
        {
            Error = 0,
            Comparisons = 0,
            Indifference = .5,
            MinimumRuns = 2,
        };
        Assert.That(options.Validate("compare"), Has.Count.EqualTo(4).And.All.StartsWith("compare: "));
        WrongValue.AssertRefused(
            ("", () => new TwoSampleTest(options)),
            ("", () => new TwoSampleTest(new(), [new(1, 2)]))
        );
        Assert.That(() => new TwoSampleTest(new()).AddRun(new(1, 2)), Throws.InvalidOperationException);
        Assert.That(
            () => new TwoSampleTest(new(), [new(1, 2), new(1, 2), new(1, 2)]).AddPair(new(1, 2), new(1, 2)),
            Throws.InvalidOperationException
        );
    }
}
