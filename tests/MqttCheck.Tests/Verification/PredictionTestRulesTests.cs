using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Tests.Requirements;
using MqttCheck.Verification;

namespace MqttCheck.Tests.Verification;

/// <summary>What a test of a prediction may spend, what it refuses, and what it says around a verdict.</summary>
public sealed class PredictionTestRulesTests
{
    private static readonly VerificationOptions s_five = new() { MinimumRuns = 5 };

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
            var point = SimulatedBroker.Predicted(.85);
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
            () => new PredictionTest(SimulatedBroker.Predicted(predicted), s_five),
            Throws
                .TypeOf<InputException>()
                .With.Message.EqualTo($"verification: the predicted probability is {said}; it must be in 0 .. 1.")
        );

    [TestCase(0)]
    [TestCase(1)]
    public void A_certain_prediction_can_be_tested(double predicted) =>
        Assert.That(() => new PredictionTest(SimulatedBroker.Predicted(predicted), s_five), Throws.Nothing);

    [TestCase(0, "0")]
    [TestCase(-1, "-1")]
    [TestCase(double.NaN, "NaN")]
    public void A_threshold_that_is_none_is_told(double threshold, string said) =>
        Assert.That(
            () => new PredictionTest(SimulatedBroker.Predicted(.85) with { ThresholdMilliseconds = threshold }, s_five),
            Throws
                .TypeOf<InputException>()
                .With.Message.EqualTo($"verification: the threshold is {said} ms; it must be positive.")
        );

    [Test]
    public void Options_that_are_wrong_are_told_as_those_of_a_verification() =>
        Assert.That(
            () => new PredictionTest(SimulatedBroker.Predicted(.85), s_five with { Error = .6 }),
            Throws.TypeOf<InputException>().With.Message.Contains("verification: the error is 0.6")
        );

    [Test]
    public void A_prediction_below_the_indifference_leaves_clients_nothing_to_reject() =>
        Assert.That(
            () => new PredictionTest(SimulatedBroker.Predicted(.05), s_five with { Test = VerdictTest.Clients }),
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
            () =>
                new PredictionTest(SimulatedBroker.Predicted(.85), s_five).AddRun([
                    SimulatedBroker.Of(1, 0, true),
                    SimulatedBroker.Of(2, 1, true),
                ]),
            Throws.ArgumentException.With.Message.Contains("The outcomes belong to different runs.")
        );

    [Test]
    public void An_interruption_after_the_verdict_does_not_take_it_back()
    {
        var test = new PredictionTest(SimulatedBroker.Predicted(.85), s_five);
        for (var run = 0; run < 5; run++)
            test.AddRun(Run(run, .85));
        Assert.That(test.Conclude(interrupted: true).Kind, Is.EqualTo(VerdictKind.Confirmed));
    }

    [Test]
    public void What_failed_or_did_not_count_adds_up_over_the_runs()
    {
        var test = new PredictionTest(SimulatedBroker.Predicted(.85), s_five);
        Verdict verdict = null!;
        for (var run = 0; run < 2; run++)
            verdict = test.AddRun([
                SimulatedBroker.Of(run, 0, true) with
                {
                    Status = OutcomeStatus.Failed,
                },
                SimulatedBroker.Of(run, 1, true),
                SimulatedBroker.Of(run, 2, true),
                SimulatedBroker.Of(run, 3, true) with
                {
                    Status = OutcomeStatus.Unfinished,
                },
                SimulatedBroker.Of(run, 4, true),
            ]);
        Assert.That((verdict.Samples, verdict.Successes, verdict.Failed, verdict.NotCounted), Is.EqualTo((6, 4, 2, 4)));
        Assert.That(verdict.Observed, Is.EqualTo(4 / 6.0));
    }

    // Two runs tell how much runs differ; the interval of the verdict waits for the first look.
    [Test]
    public void Intervals_begin_with_the_second_run_and_with_the_first_look()
    {
        var test = new PredictionTest(SimulatedBroker.Predicted(.85), s_five);
        var verdicts = Enumerable.Range(0, 5).Select(run => test.AddRun(Run(run, .85))).ToArray();
        var all = new Interval(0, 1);
        using var _ = Assert.EnterMultipleScope();
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
        var point = SimulatedBroker.Predicted(.85);
        var test = new PredictionTest(point, options);
        double[] shares = [.84, .78, .95, .85, .72, .9, .93, .81];
        Verdict latest = null!;
        for (var run = 0; run < 8; run++)
            latest = test.AddRun(Run(run, shares[run]));
        var verdict = test.Conclude();
        using var _ = Assert.EnterMultipleScope();
        Assert.That(latest.RunsNeeded, Is.Null, "more runs may come");
        Assert.That(
            verdict.RunsNeeded,
            Is.EqualTo(VerificationPlan.RunsNeeded(point, options, 1000, verdict.Variation.Inflation))
        );
        Assert.That(test.Conclude(interrupted: true).RunsNeeded, Is.Null);
    }

    // Runs that hardly differ would have confirmed a right prediction already.
    [Test]
    public void Where_a_right_prediction_would_be_confirmed_by_now_no_more_runs_are_said_to_do()
    {
        var test = new PredictionTest(SimulatedBroker.Predicted(.85), s_five);
        foreach (var (run, share) in new[] { .755, .75, .76, .745, .757 }.Index())
            test.AddRun(Run(run, share));
        var verdict = test.Conclude();
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
        var test = new PredictionTest(SimulatedBroker.Predicted(.85), new());
        for (var run = 0; run < 8; run++)
            test.AddRun([
                .. Enumerable
                    .Range(0, 1000)
                    .Select(i =>
                        SimulatedBroker.Of(run, i, i * 207 % 500 < Math.Round(500 * (i < 500 ? first : second)))
                    ),
            ]);
        var verdict = test.Conclude();
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
        var test = new PredictionTest(
            SimulatedBroker.Predicted(1),
            new()
            {
                Test = VerdictTest.Clients,
                MinimumRuns = 3,
                AcceptingShare = .07,
            }
        );
        for (var run = 0; run < 3; run++)
            test.AddRun([.. Enumerable.Range(0, 4400).Select(i => SimulatedBroker.Of(run, i, i % 100 < accepting))]);
        Assert.That(test.Conclude().Kind, Is.EqualTo(expected));
    }

    // All clients would reject at once; but the runs become better all the way.
    [TestCase(true, VerdictKind.Withheld)]
    [TestCase(false, VerdictKind.Worse)]
    public void Runs_that_drift_withhold_the_verdict_of_clients_too(bool drifts, VerdictKind expected)
    {
        var test = new PredictionTest(
            SimulatedBroker.Predicted(.95),
            new() { Test = VerdictTest.Clients, MinimumRuns = 4 }
        );
        for (var run = 0; run < 4; run++)
            test.AddRun(Run(run, drifts ? .3 + .05 * run : .4));
        Assert.That(test.Conclude().Kind, Is.EqualTo(expected));
    }

    // Clients are asked whether they accept the prediction, whatever its own interval.
    [TestCase(VerdictTest.TwoSided, true)]
    [TestCase(VerdictTest.Clients, false)]
    public void A_prediction_is_vague_only_where_its_interval_counts(VerdictTest kind, bool isVague) =>
        Assert.That(
            new PredictionTest(SimulatedBroker.Predicted(.5, .4), s_five with { Test = kind }).Conclude().IsVague,
            Is.EqualTo(isVague)
        );

    // 207 has no common divisor with 1000, so hits are spread evenly over the run.
    private static Outcome[] Run(int run, double share) =>
        [
            .. Enumerable
                .Range(0, 1000)
                .Select(i => SimulatedBroker.Of(run, i, i * 207 % 1000 < Math.Round(1000 * share))),
        ];
}
