using MqttCheck.Clients;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Tests.Requirements;
using MqttCheck.Verification;

namespace MqttCheck.Tests.Verification;

[TestFixture]
public sealed class PredictionTestTests
{
    private static readonly VerificationOptions s_five = new() { MinimumRuns = 5, PlannedRuns = 5 };

    [Test]
    public void Five_quiet_runs_confirm_a_right_prediction()
    {
        var random = RandomStream.For(1);
        var test = new PredictionTest(SimulatedBroker.Predicted(.85), s_five);
        Verdict verdict = null!;
        for (var run = 1; run <= 5; run++)
        {
            verdict = test.AddRun(SimulatedBroker.BetaBinomialRun(run, 500, .85, 1, ref random));
            if (run < 5)
            {
                Assert.That(verdict.Kind, Is.EqualTo(VerdictKind.Withheld));
                Assert.That(verdict.Reason, Does.Contain("at least 5 runs"));
            }
        }
        Assert.That(verdict.Kind, Is.EqualTo(VerdictKind.Confirmed), verdict.Reason);
        Assert.That((verdict.Samples, verdict.Runs.Count, verdict.DecidedAfterRuns), Is.EqualTo((2500, 5, 5)));
        Assert.That(verdict.VerdictInterval.Lower, Is.GreaterThan(.75).And.LessThan(verdict.Interval.Lower));
        Assert.That(verdict.VerdictInterval.Upper, Is.LessThan(.95).And.GreaterThan(verdict.Interval.Upper));
        Assert.That(verdict.Lower!.Value.Decision, Is.EqualTo(SprtDecision.AcceptH1));
        Assert.That(verdict.Upper!.Value.Decision, Is.EqualTo(SprtDecision.AcceptH0));
        Assert.That(verdict.ExpectedSamples, Is.EqualTo(195).Within(2));
    }

    [Test]
    public void A_prediction_of_which_no_side_can_be_tested_has_no_expected_number_of_samples()
    {
        var random = RandomStream.For(1);
        var vague = SimulatedBroker.Predicted(.5) with { Interval = new(0, 1) };
        var verdict = new PredictionTest(vague, s_five).AddRun(
            SimulatedBroker.BetaBinomialRun(1, 500, .5, 1, ref random)
        );
        Assert.That(verdict.Kind, Is.EqualTo(VerdictKind.Withheld));
        Assert.That(verdict.ExpectedSamples, Is.NaN);
    }

    [TestCase(
        .85,
        .65,
        VerdictKind.Worse,
        "worse than the predicted 0.850: 0.750 or better is rejected, the prediction less the indifference of 0.1."
    )]
    [TestCase(
        .75,
        .97,
        VerdictKind.Better,
        "better than the predicted 0.750: 0.850 or worse is rejected, the prediction plus the indifference of 0.1."
    )]
    public void Five_quiet_runs_refute_a_wrong_prediction(
        double predicted,
        double truth,
        VerdictKind expected,
        string reason
    )
    {
        var random = RandomStream.For(2);
        var test = new PredictionTest(SimulatedBroker.Predicted(predicted), s_five);
        for (var run = 1; run <= 5; run++)
            test.AddRun(SimulatedBroker.BetaBinomialRun(run, 300, truth, 1, ref random));
        var verdict = test.Conclude();
        Assert.That(verdict.Kind, Is.EqualTo(expected), verdict.Reason);
        Assert.That(verdict.Reason, Does.Contain(reason));
    }

    [TestCase(
        .2,
        .8,
        .1,
        VerdictKind.Confirmed,
        "0.550 or worse is rejected, 0.950 or better is rejected. The prediction's own 95 "
            + "% interval [0.55, 0.95] is wider than the indifference of 0.1, and counts instead."
    )]
    [TestCase(.26, .85, .1, VerdictKind.Withheld, "too vague to be confirmed; its own 95 % interval is [0.49, 1.01]")]
    [TestCase(
        .26,
        .85,
        .3,
        VerdictKind.NotWorse,
        "not worse than the predicted 0.750: 0.450 or worse is rejected, no upper "
            + "side: a prediction of 0.750 leaves no value of p + 0.3 up to 0.99 to reject."
    )]
    [TestCase(
        .26,
        .3,
        .1,
        VerdictKind.Worse,
        "worse than the predicted 0.750: 0.490 or better is rejected, the lower end of its own 95 % interval."
    )]
    public void A_vague_prediction_can_be_refuted_but_not_confirmed_unless_so_much_is_indifferent(
        double halfWidth,
        double truth,
        double indifference,
        VerdictKind expected,
        string reason
    )
    {
        var random = RandomStream.For(7);
        var test = new PredictionTest(
            SimulatedBroker.Predicted(.75, halfWidth),
            s_five with
            {
                Indifference = indifference,
                IntervalLevel = .95,
            }
        );
        for (var run = 1; run <= 5; run++)
            test.AddRun(SimulatedBroker.BetaBinomialRun(run, 500, truth, 1, ref random));
        var verdict = test.Conclude();
        Assert.That(verdict.Kind, Is.EqualTo(expected), verdict.Reason);
        Assert.That(verdict.Reason, Does.Contain(reason));
    }

    [Test]
    public void The_one_sided_test_finds_a_prediction_that_is_too_low_not_worse_and_says_so()
    {
        var random = RandomStream.For(6);
        var test = new PredictionTest(SimulatedBroker.Predicted(.7), s_five with { Test = VerdictTest.OneSided });
        for (var run = 1; run <= 5; run++)
            test.AddRun(SimulatedBroker.BetaBinomialRun(run, 300, .95, 1, ref random));
        var verdict = test.Conclude();
        Assert.That(
            (verdict.Kind, verdict.Upper),
            Is.EqualTo((VerdictKind.NotWorse, (VerdictSide?)null)),
            verdict.Reason
        );
        Assert.That(
            verdict.Reason,
            Does.Contain(
                "not worse than the predicted 0.700: 0.600 or worse is rejected, "
                    + "no upper side: one-sided test. The variance between runs is "
            )
        );
    }

    // As confirmed is said only where both sides were tested and rejected: .97 leaves nothing above that is better by
    // .1.
    [TestCase(
        .85,
        VerdictTest.TwoSided,
        VerdictKind.Confirmed,
        "as predicted, 0.850: 0.750 or worse is rejected, 0.950 or better is rejected."
    )]
    [TestCase(
        .97,
        VerdictTest.TwoSided,
        VerdictKind.NotWorse,
        "no upper side: a prediction of 0.970 leaves no value of p + 0.1 up to 0.99 to reject."
    )]
    [TestCase(.85, VerdictTest.OneSided, VerdictKind.NotWorse, "no upper side: one-sided test.")]
    [TestCase(
        .03,
        VerdictTest.TwoSided,
        VerdictKind.NotWorse,
        "no lower side: a prediction of 0.030 leaves no value of p "
            + "- 0.1 down to 0.01 to reject, 0.130 or better is rejected."
    )]
    public void Only_what_is_tested_on_both_sides_is_confirmed(
        double predicted,
        VerdictTest sides,
        VerdictKind expected,
        string reason
    )
    {
        foreach (var guarantee in Enum.GetValues<Guarantee>())
        {
            var test = new PredictionTest(
                SimulatedBroker.Predicted(predicted),
                s_five with
                {
                    Test = sides,
                    Guarantee = guarantee,
                }
            );
            Verdict verdict;
            var run = 0;
            do verdict = test.AddRun(Run(run++, predicted));
            while (!verdict.IsDecided && run < 60);
            Assert.That(verdict.Kind, Is.EqualTo(expected), verdict.Reason);
            Assert.That((verdict.IsDecided, verdict.Kind.IsPassed()), Is.EqualTo((true, true)));
            Assert.That(verdict.Reason, Does.Contain(reason));
            Assert.That(verdict.Promise, Does.StartWith("Wrong with a probability of at most 0.01"));
            Assert.That(
                verdict.Lower is { Decision: SprtDecision.AcceptH1 }
                    && verdict.Upper is { Decision: SprtDecision.AcceptH0 },
                Is.EqualTo(expected == VerdictKind.Confirmed),
                "both sides were rejected"
            );
        }
    }

    // An interval that reaches to the end counts like an indifference that does.
    [Test]
    public void An_interval_up_to_one_leaves_no_upper_side_and_is_named_with_its_level()
    {
        var test = new PredictionTest(SimulatedBroker.Predicted(.85, .145), s_five with { IntervalLevel = .9 });
        for (var run = 0; run < 5; run++)
            test.AddRun(Run(run, .85));
        var verdict = test.Conclude();
        Assert.That(verdict.Kind, Is.EqualTo(VerdictKind.NotWorse), verdict.Reason);
        Assert.That(
            verdict.Reason,
            Does.Contain("no upper side: its own 90 % interval [0.705, 0.995] leaves no value beyond it")
        );
    }

    // Each client has 44 sequences, just enough; client 7 misses one, which rejects a prediction of 1.
    [TestCase(1, VerdictKind.Worse)]
    [TestCase(.9, VerdictKind.NotWorse)]
    public void Clients_decide_for_themselves_where_that_is_asked(double share, VerdictKind expected)
    {
        var test = new PredictionTest(
            SimulatedBroker.Predicted(1),
            new()
            {
                Test = VerdictTest.Clients,
                AcceptingShare = share,
                MinimumRuns = 4,
            }
        );
        for (var run = 0; run < 4; run++)
            test.AddRun([.. Enumerable.Range(0, 1100).Select(i => SimulatedBroker.Of(run, i, run != 2 || i != 107))]);
        var verdict = test.Conclude();
        Assert.That(verdict.Kind, Is.EqualTo(expected), verdict.Reason);
        Assert.That(verdict.Clients, Is.EqualTo(new ClientVerdicts(99, 1, 0, 44)));
        Assert.That(
            verdict.Reason,
            Does.Contain("99 of 100 clients accept the predicted 1.000, 1 reject it").And.Contain("that of each client")
        );
    }

    [Test]
    public void Undecided_clients_leave_the_verdict_open_as_long_as_they_matter()
    {
        var options = new VerificationOptions { Test = VerdictTest.Clients, MinimumRuns = 3 };
        var test = new PredictionTest(SimulatedBroker.Predicted(1), options);
        for (var run = 0; run < 3; run++)
            test.AddRun([.. Enumerable.Range(0, 500).Select(i => SimulatedBroker.Of(run, i, true))]);
        Assert.That(test.Conclude().Kind, Is.EqualTo(VerdictKind.Withheld));
        Assert.That(test.Conclude().Reason, Does.Contain("100 are undecided"));
        Assert.That(
            VerificationPlan.SequencesNeeded(SimulatedBroker.Predicted(1), options, 3),
            Is.EqualTo(100 * 30),
            "twice the 44 sequences of each client, in three runs"
        );
        Assert.That(() => new PredictionTest(SimulatedBroker.Predicted(.05), options), Throws.TypeOf<InputException>());
    }

    [Test]
    public void Later_runs_are_counted_and_do_not_change_the_verdict()
    {
        var random = RandomStream.For(3);
        var test = new PredictionTest(SimulatedBroker.Predicted(.85), s_five);
        for (var run = 1; run <= 5; run++)
            test.AddRun(SimulatedBroker.BetaBinomialRun(run, 500, .85, 1, ref random));
        var verdict = test.AddRun(SimulatedBroker.BetaBinomialRun(6, 500, .1, 1, ref random));
        Assert.That(
            (verdict.Kind, verdict.DecidedAfterRuns, verdict.Samples),
            Is.EqualTo((VerdictKind.Confirmed, 5, 3000))
        );
    }

    [Test]
    public void Outcomes_count_in_issue_order_up_to_the_first_unfinished_one()
    {
        Outcome[] run =
        [
            SimulatedBroker.Of(1, 3, true),
            SimulatedBroker.Of(1, 0, true),
            SimulatedBroker.Of(1, 2, true) with
            {
                Status = OutcomeStatus.Unfinished,
            },
            SimulatedBroker.Of(1, 1, true) with
            {
                Status = OutcomeStatus.Failed,
            },
        ];
        var verdict = new PredictionTest(SimulatedBroker.Predicted(.85), s_five).AddRun(run);
        Assert.That((verdict.Samples, verdict.Successes, verdict.Failed, verdict.NotCounted), Is.EqualTo((2, 1, 1, 2)));
    }

    [Test]
    public void Runs_that_differ_much_leave_the_verdict_open_and_say_so()
    {
        var test = new PredictionTest(SimulatedBroker.Predicted(.85), s_five);
        int[] hits = [420, 280, 495, 350, 480];
        for (var run = 1; run <= 5; run++)
            test.AddRun([
                .. Enumerable.Range(0, 500).Select(i => SimulatedBroker.Of(run, i, i * 207 % 500 < hits[run - 1])),
            ]);
        var verdict = test.Conclude();
        Assert.That(verdict.Kind, Is.EqualTo(VerdictKind.Withheld));
        Assert.That(verdict.Reason, Does.Contain("times more than chance").And.Contain("more runs help"));
        Assert.That(verdict.Variation.Inflation, Is.GreaterThan(30));
        Assert.That(verdict.Variation.InflationBound, Is.EqualTo(3.7607 * verdict.Variation.Inflation).Within(.1));
    }

    // A backlog that builds up: in time at first, late later, in each run alike.
    [Test]
    public void Runs_that_are_not_steady_get_no_verdict_and_the_reason()
    {
        var random = RandomStream.For(7);
        var test = new PredictionTest(SimulatedBroker.Predicted(.85), s_five);
        for (var run = 1; run <= 5; run++)
        {
            var outcomes = new Outcome[600];
            for (var i = 0; i < 600; i++)
                outcomes[i] = SimulatedBroker.Of(run, i, random.NextDouble() < (i < 300 ? .95 : .75));
            test.AddRun(outcomes);
        }
        var verdict = test.Conclude();
        Assert.That(verdict.Kind, Is.EqualTo(VerdictKind.Withheld));
        Assert.That(
            verdict.Reason,
            Does.Match(@"from 0\.9\d+ in the first half to 0\.7\d+ in the second: the broker has not settled")
        );
    }

    // Steadily worse, or better, by more than half of the indifference: the mean is as predicted, but no run is like
    // the next.
    [TestCase("slowed down", -.08, .89, .87, .85, .83, .81)]
    [TestCase("became faster", .08, .81, .83, .85, .87, .89)]
    [TestCase("slowed down", -.12, .91, .89, .88, .86, .84, .82, .81, .79)]
    public void Runs_that_drift_get_no_verdict_and_the_reason(string direction, double change, params double[] shares)
    {
        var verdict = Conclude(shares);
        Assert.That(verdict.Kind, Is.EqualTo(VerdictKind.Withheld), verdict.Reason);
        Assert.That(
            verdict.Reason,
            Does.Contain($"but the broker {direction} from run to run").And.EndWith("Let it settle first.")
        );
        Assert.That(verdict.Drift.Change, Is.EqualTo(change).Within(.01));
    }

    // A trend too small to matter, and one that chance makes.
    [TestCase(.87, .86, .85, .84, .83)]
    [TestCase(.89, .84, .86, .82, .84)]
    public void A_drift_that_does_not_matter_or_is_not_clear_is_no_reason(params double[] shares) =>
        Assert.That(Conclude(shares).Kind, Is.EqualTo(VerdictKind.Confirmed));

    [Test]
    public void The_reason_of_a_missing_verdict_names_the_budget()
    {
        var budget = TimeSpan.FromSeconds(22);
        var test = new PredictionTest(SimulatedBroker.Predicted(.85), s_five);
        for (var run = 1; run <= 4; run++)
            test.AddRun(Run(run, .85));
        Assert.That(
            test.Conclude(budget: budget).Reason,
            Does.EndWith("The budget of 22 s was used up before that: allow more time.")
        );
        for (var run = 5; run <= 6; run++)
            test.AddRun(Run(run, .5));
        Assert.That(test.Conclude(budget: budget).Reason, Does.EndWith("The budget of 22 s holds no more runs."));
        Assert.That(test.Conclude(interrupted: true, budget).Reason, Does.Not.Contain("budget"));
        var confirmed = new PredictionTest(SimulatedBroker.Predicted(.85), s_five);
        for (var run = 1; run <= 5; run++)
            confirmed.AddRun(Run(run, .85));
        Assert.That(confirmed.Conclude(budget: budget).Reason, Does.Not.Contain("budget"));
    }

    private static Verdict Conclude(double[] shares)
    {
        var test = new PredictionTest(SimulatedBroker.Predicted(.85), s_five);
        for (var run = 0; run < shares.Length; run++)
            test.AddRun(Run(run, shares[run]));
        return test.Conclude();
    }

    // 207 has no common divisor with 1000, so hits are spread evenly over the run.
    private static Outcome[] Run(int run, double share) =>
        [.. Enumerable.Range(0, 1000).Select(i => SimulatedBroker.Of(run, i, i * 207 % 1000 < 1000 * share))];

    [Test]
    public void An_interrupted_verification_is_partial_and_keeps_what_it_saw()
    {
        var random = RandomStream.For(4);
        var test = new PredictionTest(SimulatedBroker.Predicted(.85), s_five);
        test.AddRun(SimulatedBroker.BetaBinomialRun(1, 100, .85, 1, ref random));
        var verdict = test.Conclude(interrupted: true);
        Assert.That((verdict.Kind, verdict.Samples), Is.EqualTo((VerdictKind.Partial, 100)));
        Assert.That(verdict.Path, Is.Not.Empty);
    }

    [Test]
    public void Without_any_outcome_there_is_a_reason_and_no_verdict()
    {
        var test = new PredictionTest(SimulatedBroker.Predicted(.85), s_five);
        Assert.That(test.Conclude().Reason, Is.EqualTo("No sequence was observed."));
        Assert.That(
            test.AddRun([SimulatedBroker.Of(1, 0, true) with { Status = OutcomeStatus.Unfinished }]).Reason,
            Is.EqualTo("The only sequence could not be counted: the run ended before it did.")
        );
        Assert.That(test.Conclude().Interval, Is.EqualTo(new Interval(0, 1)));
    }

    [Test]
    public void The_path_ends_at_the_evidence_of_the_verdict()
    {
        var random = RandomStream.For(5);
        var test = new PredictionTest(SimulatedBroker.Predicted(.85), s_five);
        for (var run = 1; run <= 5; run++)
            test.AddRun(SimulatedBroker.BetaBinomialRun(run, 500, .85, 1.2, ref random));
        var verdict = test.Conclude();
        Assert.That(verdict.Path, Has.Count.InRange(5, 2000));
        Assert.That(verdict.Path, Is.Ordered.By(nameof(VerdictPathPoint.Samples)));
        Assert.That(verdict.Path[^1].Lower, Is.EqualTo(verdict.Lower!.Value.Evidence));
        Assert.That(verdict.Path[^1].Upper, Is.EqualTo(verdict.Upper!.Value.Evidence));
        Assert.That(
            verdict.Path.Where(point => point.Run == 1).Select(point => Math.Abs(point.Lower!.Value)),
            Is.All.LessThan(verdict.Lower!.Value.Bound)
        );
    }

    // What a user is told of the error: the assumption, and what so few runs cannot show, 1 - (.01 / 2)^(1 / 5) = .653.
    [Test]
    public void A_verdict_states_its_assumption_and_what_it_cannot_exclude()
    {
        var verdict = Conclude([.85, .86, .84, .85, .86]);
        Assert.That(
            verdict.Promise,
            Is.EqualTo(
                "Wrong with a probability of at most 0.01, if runs are independent "
                    + "of each other and vary around one level like a beta law, "
                    + "with a correlation of at most .4 inside a run. "
                    + "Not excluded after 5 runs: another state of the broker, "
                    + "in up to 65 % of the runs, that none of these showed."
            )
        );
        Assert.That(verdict.Unseen, Is.EqualTo(1 - Math.Pow(.005, .2)).Within(1e-12));
        Assert.That(Conclude([.85, .86, .84]).Promise, Is.Null, "nothing was decided");
        var among = new PredictionTest(SimulatedBroker.Predicted(.85), new() { Points = 2 });
        for (var run = 1; run <= 8; run++)
            among.AddRun(Run(run, .85));
        Assert.That(
            among.Conclude().Promise,
            Does.Contain("at most 0.005,").And.Contain("after 8 runs: another state of the broker, in up to 52 % "),
            "1 - .0025^(1/8) = .527"
        );
    }

    // One run of five stands apart: the likelihood alone takes it for the tail of a beta law. Were the truth .75, such
    // runs would be 29 % of all, and one or none of twelve has a probability of .10.
    [Test]
    public void A_run_that_stands_apart_counts_as_a_state_of_its_own()
    {
        var test = new PredictionTest(
            SimulatedBroker.Predicted(.85),
            new()
            {
                MinimumRuns = 12,
                PlannedRuns = 12,
                Error = .1,
            }
        );
        for (var run = 0; run < 12; run++)
            test.AddRun(Run(run, run == 5 ? .51 : .85));
        var verdict = test.Conclude();
        Assert.That(
            verdict.Lower!.Value.Evidence,
            Is.GreaterThan(verdict.Lower.Value.Bound),
            "the likelihood rejects .75"
        );
        Assert.That(verdict.Kind, Is.EqualTo(VerdictKind.Withheld), verdict.Reason);
        Assert.That(verdict.Reason, Does.Contain("Some runs stand apart"));
    }

    // The truth is in the prediction's own interval, but nearer to its end than to the prediction.
    [Test]
    public void A_truth_between_the_prediction_and_the_end_of_its_interval_is_not_worse()
    {
        var test = new PredictionTest(SimulatedBroker.Predicted(.835, .11), s_five);
        for (var run = 0; run < 5; run++)
            test.AddRun(Run(run, .735 + .01 * (run % 2)));
        var verdict = test.Conclude(budget: TimeSpan.FromSeconds(60));
        Assert.That(verdict.Kind, Is.EqualTo(VerdictKind.Withheld), verdict.Reason);
        Assert.That(
            verdict.Reason,
            Does.Contain(
                "The prediction is too vague to tell: its own interval [0.725, 0.945] reaches beyond "
                    + "the indifference of 0.1. Explore longer, or nearer to this number of clients."
            )
        );
    }

    [Test]
    public void A_withheld_verdict_says_how_many_runs_would_do()
    {
        var test = new PredictionTest(SimulatedBroker.Predicted(.85), new());
        double[] shares = [.84, .78, .95, .85, .72, .9, .93, .81];
        for (var run = 0; run < 8; run++)
            test.AddRun(Run(run, shares[run]));
        var verdict = test.Conclude();
        Assert.That(verdict.Kind, Is.EqualTo(VerdictKind.Withheld), verdict.Reason);
        Assert.That(verdict.RunsNeeded, Is.InRange(9, 60));
        Assert.That(verdict.Reason, Does.Contain($"takes about {verdict.RunsNeeded} runs of this length"));
    }

    // Runs of .85 without a difference: (.85 / .75)^R reaches 200 = 1 / .005 with 43 runs if all is staked on every
    // run; this test, which survives a bad run, takes five more at most. The mirror test takes 5.
    [Test]
    public void Bets_confirm_a_right_prediction_after_little_more_than_the_least_number_of_runs()
    {
        var test = new PredictionTest(
            SimulatedBroker.Predicted(.85),
            new() { Guarantee = Guarantee.Any, MinimumRuns = 3 }
        );
        Verdict verdict;
        var run = 0;
        do verdict = test.AddRun(Run(run++, .85));
        while (!verdict.IsDecided && run < 100);
        Assert.That((verdict.Kind, verdict.DecidedAfterRuns), Is.EqualTo((VerdictKind.Confirmed, run)), verdict.Reason);
        Assert.That(run, Is.InRange(43, 48));
        Assert.That(
            verdict.Promise,
            Does.StartWith(
                "Wrong with a probability of at most 0.01, whatever law "
                    + "all runs follow, those that do not count taken at their worst, "
                    + "if they are independent of each other."
            )
        );
        Assert.That(verdict.VerdictInterval.Lower, Is.EqualTo(.75).Within(.002));
        Assert.That(verdict.VerdictInterval.Upper, Is.LessThan(.95));
        Assert.That(
            verdict
                .Runs.Select((_, index) => verdict.Path[index].Upper)
                .TakeWhile(evidence => -evidence < verdict.Upper!.Value.Bound)
                .Count(),
            Is.LessThan(8),
            "the mirror test"
        );
    }

    [TestCase(.5, VerdictKind.Worse)]
    [TestCase(.99, VerdictKind.Better)]
    public void Bets_refute_a_wrong_prediction(double truth, VerdictKind expected)
    {
        var test = new PredictionTest(
            SimulatedBroker.Predicted(.8),
            new() { Guarantee = Guarantee.Any, MinimumRuns = 3 }
        );
        for (var run = 0; run < 100; run++)
            test.AddRun(Run(run, truth));
        Assert.That(test.Conclude().Kind, Is.EqualTo(expected), test.Conclude().Reason);
    }

    [Test]
    public void A_family_shares_the_error()
    {
        var alone = new PredictionTest(SimulatedBroker.Predicted(.85), s_five);
        var among = new PredictionTest(SimulatedBroker.Predicted(.85), s_five with { Points = 15 });
        Assert.That(among.Conclude().Plan.Error, Is.EqualTo(alone.Conclude().Plan.Error / 15).Within(1e-15));
    }

    // Alike runs are enough from the first look on, the 8th run; runs that differ wait for the third, the 18th.
    [TestCase(0, 8)]
    [TestCase(60, 18)]
    public void A_verdict_comes_at_a_look(int spread, int expected)
    {
        var options = new VerificationOptions();
        var looks = new PredictionLooks(
            PredictionTest.PlanFor(SimulatedBroker.Predicted(.85), options),
            options,
            false
        );
        VerdictKind? kind = null;
        while (kind is null && looks.Runs.Count < 100)
        {
            looks.Add(new(looks.Runs.Count % 2 == 0 ? 340 - spread / 2 : 340 + spread / 2, 400));
            kind = looks.Look();
        }
        Assert.That((kind, looks.Runs.Count), Is.EqualTo((VerdictKind.Confirmed, expected)));
    }

    [Test]
    public void Wrong_options_are_refused()
    {
        var options = new VerificationOptions
        {
            Error = .5,
            Points = 0,
            Indifference = double.NaN,
            MinimumRuns = 2,
            AcceptingShare = 0,
            Guarantee = (Guarantee)7,
        };
        Assert.That(options.Validate("verify"), Has.Count.EqualTo(6).And.All.StartsWith("verify: "));
        Assert.That(() => new PredictionTest(SimulatedBroker.Predicted(.85), options), Throws.TypeOf<InputException>());
    }
}
