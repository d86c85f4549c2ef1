using MqttCheck.Clients;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Tests.Requirements;
using MqttCheck.Verification;
using static MqttCheck.Tests.Requirements.SimulatedBroker;

namespace MqttCheck.Tests.Verification;

[TestFixture]
public sealed class PredictionTestTests
{
    private static readonly VerificationOptions s_five = new() { MinimumRuns = 5, PlannedRuns = 5 };

    [Test]
    public void Five_quiet_runs_confirm_a_right_prediction()
    {
        var four = After(Predicted(.85), s_five, .85, .85, .85, .85);
        Assert.That(four.Conclude().Reason, Does.Contain("at least 5 runs"));
        var verdict = four.AddRun(Run(4, .85));
        Assert.That(verdict.Kind, Is.EqualTo(VerdictKind.Confirmed), verdict.Reason);
        Assert.That((verdict.Samples, verdict.Runs.Count, verdict.DecidedAfterRuns), Is.EqualTo((5000, 5, 5)));
        Assert.That(verdict.VerdictInterval.Lower, Is.GreaterThan(.75).And.LessThan(verdict.Interval.Lower));
        Assert.That(verdict.VerdictInterval.Upper, Is.LessThan(.95).And.GreaterThan(verdict.Interval.Upper));
        Assert.That(
            (verdict.Lower!.Value.Decision, verdict.Upper!.Value.Decision),
            Is.EqualTo((SprtDecision.AcceptH1, SprtDecision.AcceptH0))
        );
        Assert.That(verdict.ExpectedSamples, Is.EqualTo(195).Within(2));
    }

    [Test]
    public void A_prediction_of_which_no_side_can_be_tested_has_no_expected_number_of_samples()
    {
        var verdict = After(Predicted(.5, .5), s_five, .5).Conclude();
        Assert.That((verdict.Kind, verdict.ExpectedSamples), Is.EqualTo((VerdictKind.Withheld, double.NaN)));
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
        var verdict = After(Predicted(predicted), s_five, 5, run => Run(run, truth)).Conclude();
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
        var options = s_five with { Indifference = indifference, IntervalLevel = .95 };
        var verdict = After(Predicted(.75, halfWidth), options, 5, run => Run(run, truth)).Conclude();
        Assert.That(verdict.Kind, Is.EqualTo(expected), verdict.Reason);
        Assert.That(verdict.Reason, Does.Contain(reason));
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
            var test = new PredictionTest(Predicted(predicted), s_five with { Test = sides, Guarantee = guarantee });
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

    [Test]
    public void The_one_sided_test_finds_a_prediction_that_is_too_low_not_worse() =>
        Assert.That(
            After(Predicted(.7), s_five with { Test = VerdictTest.OneSided }, 5, run => Run(run, .95)).Conclude().Kind,
            Is.EqualTo(VerdictKind.NotWorse)
        );

    // Each client has 44 sequences, just enough; client 7 misses one, which rejects a prediction of 1.
    [TestCase(1, VerdictKind.Worse)]
    [TestCase(.9, VerdictKind.NotWorse)]
    public void Clients_decide_for_themselves_where_that_is_asked(double share, VerdictKind expected)
    {
        var options = new VerificationOptions
        {
            Test = VerdictTest.Clients,
            AcceptingShare = share,
            MinimumRuns = 4,
        };
        var verdict = After(Predicted(1), options, 4, run => Run(run, 1100, i => run != 2 || i != 107)).Conclude();
        Assert.That(verdict.Kind, Is.EqualTo(expected), verdict.Reason);
        Assert.That(verdict.Clients, Is.EqualTo(new ClientVerdicts(99, 1, 0, 44)));
        Assert.That(
            verdict.Reason,
            Does.Contain("99 of 100 clients accept the predicted 1.000, 1 reject it").And.Contain("that of each client")
        );
    }

    // A trend too small to matter, and one that chance makes.
    [TestCase(.87, .86, .85, .84, .83)]
    [TestCase(.89, .84, .86, .82, .84)]
    public void A_drift_that_does_not_matter_or_is_not_clear_is_no_reason(params double[] shares) =>
        Assert.That(After(Predicted(.85), s_five, shares).Conclude().Kind, Is.EqualTo(VerdictKind.Confirmed));

    // VerdictReason has the sentence on the budget for a verdict that is missing.
    [TestCase(.5, true)]
    [TestCase(.85, false)]
    public void The_budget_is_no_reason_where_the_verdict_is_known_or_was_interrupted(double share, bool interrupted)
    {
        var test = After(Predicted(.85), s_five, share, share, share, share, .85);
        var verdict = test.Conclude(interrupted, TimeSpan.FromSeconds(22));
        Assert.That(verdict.Reason, Does.Not.Contain("budget"));
    }

    [Test]
    public void An_interrupted_verification_is_partial_and_keeps_what_it_saw()
    {
        var verdict = After(Predicted(.85), s_five, .85).Conclude(interrupted: true);
        Assert.That((verdict.Kind, verdict.Samples), Is.EqualTo((VerdictKind.Partial, 1000)));
        Assert.That(verdict.Path, Is.Not.Empty);
    }

    [Test]
    public void Without_any_outcome_there_is_a_reason_and_no_verdict()
    {
        var test = new PredictionTest(Predicted(.85), s_five);
        Assert.That(test.Conclude().Reason, Is.EqualTo("No sequence was observed."));
        Assert.That(
            test.AddRun([SimulatedBroker.Of(1, 0, true) with { Status = OutcomeStatus.Unfinished }]).Reason,
            Is.EqualTo("The only sequence could not be counted: the run ended before it did.")
        );
        Assert.That(test.Conclude().Interval, Is.EqualTo(new Interval(0, 1)));
    }

    // What a user is told of the error: the assumption, and what so few runs cannot show, 1 - (.01 / 2)^(1 / 5) = .653.
    [Test]
    public void A_verdict_states_its_assumption_and_what_it_cannot_exclude()
    {
        var test = After(Predicted(.85), s_five, .85, .86, .84, .85);
        Assert.That(test.Conclude().Promise, Is.Null, "nothing was decided");
        Assert.That(
            test.AddRun(Run(4, .86)).Promise,
            Is.EqualTo(
                "Wrong with a probability of at most 0.01, if runs are independent "
                    + "of each other and vary around one level like a beta law, "
                    + "with a correlation of at most .4 inside a run. "
                    + "Not excluded after 5 runs: another state of the broker, "
                    + "in up to 65 % of the runs, that none of these showed."
            )
        );
        Assert.That(
            After(Predicted(.85), new() { Points = 2 }, 8, run => Run(run, .85)).Conclude().Promise,
            Does.Contain("at most 0.005,").And.Contain("after 8 runs: another state of the broker, in up to 52 % "),
            "1 - .0025^(1/8) = .527"
        );
    }

    // Runs of .85 without a difference: (.85 / .75)^R reaches 200 = 1 / .005 with 43 runs if all is staked on every
    // run; this test, which survives a bad run, takes five more at most. The mirror test takes 5.
    [Test]
    public void Bets_confirm_a_right_prediction_after_little_more_than_the_least_number_of_runs()
    {
        var test = new PredictionTest(Predicted(.85), new() { Guarantee = Guarantee.Any, MinimumRuns = 3 });
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
        var options = new VerificationOptions { Guarantee = Guarantee.Any, MinimumRuns = 3 };
        var verdict = After(Predicted(.8), options, 100, run => Run(run, truth)).Conclude();
        Assert.That(verdict.Kind, Is.EqualTo(expected), verdict.Reason);
    }

    [Test]
    public void A_family_shares_the_error() =>
        Assert.That(
            PredictionTest.PlanFor(Predicted(.85), s_five with { Points = 15 }).Error,
            Is.EqualTo(PredictionTest.PlanFor(Predicted(.85), s_five).Error / 15).Within(1e-15)
        );

    // Alike runs are enough from the first look on, the 8th run; runs that differ wait for the third, the 18th.
    [TestCase(0, 8)]
    [TestCase(60, 18)]
    public void A_verdict_comes_at_a_look(int spread, int expected)
    {
        var options = new VerificationOptions();
        var looks = new PredictionLooks(PredictionTest.PlanFor(Predicted(.85), options), options, false);
        VerdictKind? kind = null;
        while (kind is null && looks.Runs.Count < 100)
        {
            looks.Add(new(looks.Runs.Count % 2 == 0 ? 340 - spread / 2 : 340 + spread / 2, 400));
            kind = looks.Look();
        }
        Assert.That((kind, looks.Runs.Count), Is.EqualTo((VerdictKind.Confirmed, expected)));
    }
}
