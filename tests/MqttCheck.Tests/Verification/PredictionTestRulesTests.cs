using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Tests.Requirements;
using MqttCheck.Verification;
using static MqttCheck.Tests.Requirements.SimulatedBroker;

namespace MqttCheck.Tests.Verification;

/// <summary>What a test of a prediction may spend, what it refuses, and what it says around a verdict.</summary>
public sealed class PredictionTestRulesTests
{
    private static readonly VerificationOptions s_five = new() { MinimumRuns = 5 },
        s_clients = new() { Test = VerdictTest.Clients, MinimumRuns = 3 };

    // By hand: one planned look has .97 of .01, or of half of it, and the next one, after 7 runs, half of the rest.
    [TestCase(VerdictTest.TwoSided, 3, .00485)]
    [TestCase(VerdictTest.TwoSided, 5, .00485)]
    [TestCase(VerdictTest.TwoSided, 6, .000075)]
    [TestCase(VerdictTest.TwoSided, 8, .0000375)]
    [TestCase(VerdictTest.OneSided, 5, .0097)]
    public void A_side_spends_its_error_at_the_looks(VerdictTest test, int runs, double error)
    {
        var options = s_five with { Test = test, PlannedRuns = 5 };
        Assert.That(PredictionLooks.SideErrorAfter(runs, options, options.Looks), Is.EqualTo(error).Within(1e-15));
    }

    // A bet that won 1 / error times its stake rejects, whenever it did; the likelihood has a bound for each look.
    [Test]
    public void The_bound_is_that_of_the_guarantee()
    {
        using var _ = Assert.EnterMultipleScope();
        Assert.That(BoundAfter(9, s_five with { Guarantee = Guarantee.Any, Points = 2 }), Is.EqualTo(Math.Log(400)));
        Assert.That(BoundAfter(3, s_five), Is.EqualTo(RunLikelihood.DevianceBound(5, .00485, .75, true)).Within(1e-9));
        Assert.That(BoundAfter(6, s_five), Is.EqualTo(RunLikelihood.DevianceBound(7, .000075, .75, true)).Within(1e-9));

        double BoundAfter(int runs, VerificationOptions options)
        {
            options = options with { PlannedRuns = 5 };
            var point = Predicted(.85);
            var looks = new PredictionLooks(PredictionTest.PlanFor(point, options), options, false);
            for (var run = 0; run < runs; run++)
                looks.Add(new(85, 100));
            return looks.Side(.75).Bound;
        }
    }

    [TestCase(-.01, "-0.01")]
    [TestCase(1.01, "1.01")]
    [TestCase(double.NaN, "NaN")]
    public void A_probability_that_is_none_is_told(double predicted, string said) =>
        Assert.That(
            () => new PredictionTest(Predicted(predicted), s_five),
            Throws
                .TypeOf<InputException>()
                .With.Message.EqualTo($"verification: the predicted probability is {said}; it must be in 0 .. 1.")
        );

    [TestCase(0)]
    [TestCase(1)]
    public void A_certain_prediction_can_be_tested(double predicted) =>
        Assert.That(() => new PredictionTest(Predicted(predicted), s_five), Throws.Nothing);

    [TestCase(0, "0")]
    [TestCase(-1, "-1")]
    [TestCase(double.NaN, "NaN")]
    public void A_threshold_that_is_none_is_told(double threshold, string said) =>
        Assert.That(
            () => new PredictionTest(Predicted(.85) with { ThresholdMilliseconds = threshold }, s_five),
            Throws
                .TypeOf<InputException>()
                .With.Message.EqualTo($"verification: the threshold is {said} ms; it must be positive.")
        );

    [Test]
    public void Options_that_are_wrong_are_told_as_those_of_a_verification() =>
        Assert.That(
            () => new PredictionTest(Predicted(.85), s_five with { Error = .6 }),
            Throws.TypeOf<InputException>().With.Message.Contains("verification: the error is 0.6")
        );

    [Test]
    public void A_prediction_below_the_indifference_leaves_clients_nothing_to_reject() =>
        Assert.That(
            () => new PredictionTest(Predicted(.05), s_five with { Test = VerdictTest.Clients }),
            Throws
                .TypeOf<InputException>()
                .With.Message.EqualTo(
                    "verification: the predicted probability is 0.05; with a test of each client it must "
                        + "be greater than the indifference 0.1."
                )
        );

    [Test]
    public void Outcomes_of_different_runs_are_refused_with_the_reason() =>
        Assert.That(
            () => new PredictionTest(Predicted(.85), s_five).AddRun([Of(1, 0, true), Of(2, 1, true)]),
            Throws.ArgumentException.With.Message.Contains("The outcomes belong to different runs.")
        );

    [Test]
    public void An_interruption_after_the_verdict_does_not_take_it_back() =>
        Assert.That(
            After(Predicted(.85), s_five, 5, run => Run(run, .85)).Conclude(interrupted: true).Kind,
            Is.EqualTo(VerdictKind.Confirmed)
        );

    // The first and the last sequence come in the order of issue, and what comes after the unfinished one is left out.
    [Test]
    public void What_failed_or_did_not_count_adds_up_over_the_runs()
    {
        var verdict = After(
                Predicted(.85),
                s_five,
                2,
                run =>
                    [
                        Of(run, 4, true),
                        Of(run, 0, true) with
                        {
                            Status = OutcomeStatus.Failed,
                        },
                        Of(run, 3, true) with
                        {
                            Status = OutcomeStatus.Unfinished,
                        },
                        Of(run, 2, true),
                        Of(run, 1, true),
                    ]
            )
            .Conclude();
        Assert.That(
            (verdict.Samples, verdict.Successes, verdict.Failed, verdict.NotCounted, verdict.Observed),
            Is.EqualTo((6, 4, 2, 4, 4 / 6.0))
        );
    }

    // Two runs tell how much runs differ; the interval of the verdict waits for the first look.
    [Test]
    public void Intervals_begin_with_the_second_run_and_with_the_first_look()
    {
        var test = new PredictionTest(Predicted(.85), s_five);
        var verdicts = Enumerable.Range(0, 5).Select(run => test.AddRun(Run(run, .85))).ToArray();
        var all = new Interval(0, 1);
        Assert.That(
            verdicts.Select(verdict => verdict.Interval == all),
            Is.EqualTo(new[] { true, false, false, false, false })
        );
        Assert.That(
            verdicts.Select(verdict => verdict.VerdictInterval == all),
            Is.EqualTo(new[] { true, true, true, true, false })
        );
    }

    // The number is that of the plan for runs that differ as much; it is told only at the end.
    [Test]
    public void The_runs_that_would_do_are_those_of_the_plan()
    {
        var options = new VerificationOptions();
        var test = After(Predicted(.85), options, .84, .78, .95, .85, .72, .9, .93);
        Assert.That(test.AddRun(Run(7, .81)).RunsNeeded, Is.Null, "more runs may come");
        var verdict = test.Conclude();
        Assert.That(
            verdict.RunsNeeded,
            Is.EqualTo(VerificationPlan.RunsNeeded(Predicted(.85), options, 1000, verdict.Variation.Inflation))
                .And.InRange(9, 60)
        );
        Assert.That(verdict.Reason, Does.Contain($"takes about {verdict.RunsNeeded} runs of this length"));
        Assert.That(test.Conclude(interrupted: true).RunsNeeded, Is.Null);
    }

    // Runs that hardly differ would have confirmed a right prediction already.
    [Test]
    public void Where_a_right_prediction_would_be_confirmed_by_now_no_more_runs_are_said_to_do()
    {
        var verdict = After(Predicted(.85), s_five, .755, .75, .76, .745, .757).Conclude();
        Assert.That((verdict.Kind, verdict.RunsNeeded), Is.EqualTo((VerdictKind.Withheld, (int?)null)));
        Assert.That(verdict.Reason, Does.EndWith(" More or longer runs help."));
    }

    // Changes by .08 inside of runs and by .04: half of the indifference is .05.
    [TestCase(.89, .81, VerdictKind.Withheld)]
    [TestCase(.87, .83, VerdictKind.Confirmed)]
    public void Halves_that_differ_by_half_of_the_indifference_withhold_the_verdict(
        double first,
        double second,
        VerdictKind expected
    )
    {
        bool IsHit(int i) => i * 207 % 500 < Math.Round(500 * (i < 500 ? first : second));
        var verdict = After(Predicted(.85), new(), 8, run => Run(run, 1000, IsHit)).Conclude();
        Assert.That(verdict.Kind, Is.EqualTo(expected), verdict.Reason);
        if (expected == VerdictKind.Withheld)
            Assert.That(
                verdict.Reason,
                Is.EqualTo(
                    "6800 of 8000 sequences in time (0.850) in 8 runs; but inside the runs the share changes from "
                        + "0.890 in the first half to 0.810 in the second: the broker has not settled, and what is "
                        + "seen depends on how long the runs are. Let it settle first, or ask it for less."
                )
            );
    }

    // .07 * 100 is rounded to more than 7.
    [TestCase(7, VerdictKind.NotWorse)]
    [TestCase(6, VerdictKind.Worse)]
    public void As_many_clients_as_are_asked_for_are_enough(int accepting, VerdictKind expected)
    {
        var options = s_clients with { AcceptingShare = .07 };
        var test = After(Predicted(1), options, 3, run => Run(run, 4400, i => i % 100 < accepting));
        Assert.That(test.Conclude().Kind, Is.EqualTo(expected));
    }

    // All clients would reject at once; but the runs become better all the way.
    [TestCase(true, VerdictKind.Withheld)]
    [TestCase(false, VerdictKind.Worse)]
    public void Runs_that_drift_withhold_the_verdict_of_clients_too(bool drifts, VerdictKind expected)
    {
        var options = s_clients with { MinimumRuns = 4 };
        var test = After(Predicted(.95), options, 4, run => Run(run, drifts ? .3 + .05 * run : .4));
        Assert.That(test.Conclude().Kind, Is.EqualTo(expected));
    }

    // Clients are asked whether they accept the prediction, whatever its own interval.
    [TestCase(VerdictTest.TwoSided, true)]
    [TestCase(VerdictTest.Clients, false)]
    public void A_prediction_is_vague_only_where_its_interval_counts(VerdictTest kind, bool isVague) =>
        Assert.That(
            new PredictionTest(Predicted(.5, .4), s_five with { Test = kind }).Conclude().IsVague,
            Is.EqualTo(isVague)
        );
}
