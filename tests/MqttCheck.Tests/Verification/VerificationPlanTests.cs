using MqttCheck.Auditing;
using MqttCheck.Auditing.Promises;
using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;
using MqttCheck.Tests.Requirements;
using MqttCheck.Verification;

namespace MqttCheck.Tests.Verification;

public sealed class VerificationPlanTests
{
    private static readonly VerificationOptions s_usual = new() { PlannedRuns = 8 };

    // By hand: .5^8 = .0039 is the first below .005, .5^7 = .0078 the first below .01, .5^11 = .00049 below .0005.
    [TestCase(VerdictTest.TwoSided, 1, 8)]
    [TestCase(VerdictTest.OneSided, 1, 7)]
    [TestCase(VerdictTest.Clients, 1, 7)]
    [TestCase(VerdictTest.TwoSided, 10, 11)]
    public void A_state_of_half_of_the_runs_is_shown_by_so_many(VerdictTest test, int points, int runs) =>
        Assert.That(VerificationPlan.RunsThatShowHalf(s_usual with { Test = test, Points = points }), Is.EqualTo(runs));

    // So many sequences in each of R runs suffice for R runs, and one sequence less does not.
    [TestCase(.85, 8)]
    [TestCase(.85, 12)]
    [TestCase(.4, 8)]
    [TestCase(.97, 8)]
    [TestCase(.03, 8)]
    public void The_length_of_runs_and_their_number_are_planned_alike(double predicted, int runs)
    {
        var point = SimulatedBroker.Predicted(predicted);
        var options = s_usual with { MinimumRuns = runs, PlannedRuns = runs };
        var sequences = VerificationPlan.SequencesNeeded(point, options, runs);
        Assert.That(VerificationPlan.RunsNeeded(point, options, sequences), Is.EqualTo(runs));
        Assert.That(VerificationPlan.RunsNeeded(point, options, sequences - 1), Is.GreaterThan(runs));
    }

    // The plan is for a truth that is off by a fifth of the indifference, and for runs 1.2 times as rough as chance.
    [TestCase(.85)]
    [TestCase(.5)]
    public void Runs_as_long_as_planned_confirm_a_truth_that_is_a_little_off(double predicted)
    {
        var point = SimulatedBroker.Predicted(predicted);
        var sequences = VerificationPlan.SequencesNeeded(point, s_usual, s_usual.MinimumRuns);
        Assert.That(
            (Verdict(predicted - .02), Verdict(predicted + .02)),
            Is.EqualTo((VerdictKind.Confirmed, VerdictKind.Confirmed))
        );

        VerdictKind Verdict(double truth)
        {
            return SimulatedBroker
                .After(
                    point,
                    s_usual,
                    s_usual.MinimumRuns,
                    run => SimulatedBroker.Run(run, sequences, i => (long)(i + 1) * truth % 1 < truth)
                )
                .Conclude()
                .Kind;
        }
    }

    [Test]
    public void Rougher_runs_smaller_errors_and_smaller_indifferences_take_more_sequences_and_more_runs_fewer()
    {
        var usual = Needed(s_usual, 8, VerificationPlan.QuietInflation);
        Assert.That(Needed(s_usual, 8, 4), Is.GreaterThan(2 * usual));
        Assert.That(Needed(s_usual with { Error = .001 }, 8), Is.GreaterThan(usual));
        Assert.That(Needed(s_usual with { Indifference = .05 }, 8), Is.GreaterThan(3 * usual));
        Assert.That(Needed(s_usual, 16), Is.LessThanOrEqualTo(usual), "a later look can only help");
        Assert.That(Needed(s_usual with { MinimumRuns = 12, PlannedRuns = 12 }, 12), Is.LessThan(usual));
        Assert.That(Needed(s_usual with { Test = VerdictTest.OneSided }, 8), Is.LessThanOrEqualTo(usual));

        static int Needed(VerificationOptions options, int runs, double inflation = VerificationPlan.QuietInflation) =>
            VerificationPlan.SequencesNeeded(SimulatedBroker.Predicted(.85), options, runs, inflation);
    }

    // Runs of one sequence say nothing of how runs differ; and a quarter of a million bets were not enough for .85
    // against .84.
    [Test]
    public void Where_no_number_of_runs_suffices_there_is_none()
    {
        var point = SimulatedBroker.Predicted(.85);
        Assert.That(VerificationPlan.RunsNeeded(point, s_usual with { Indifference = .01 }, 10), Is.Null);
        Assert.That(
            VerificationPlan.RunsNeeded(point, new() { Guarantee = Guarantee.Any, Indifference = .01 }, 10),
            Is.Null
        );
    }

    // (.85 / .75)^43 is the first power above 200; see the tests of bets for the others.
    [Test]
    public void Bets_need_little_more_than_the_least_number_of_runs() =>
        Assert.That(
            VerificationPlan.RunsNeeded(SimulatedBroker.Predicted(.85), new() { Guarantee = Guarantee.Any }, 10_000),
            Is.InRange(43, 50)
        );

    [Test]
    public void A_budget_below_the_first_look_and_runs_of_nothing_are_refused()
    {
        var point = SimulatedBroker.Predicted(.85);
        Assert.That(
            () => VerificationPlan.SequencesNeeded(point, s_usual, 7),
            Throws.InstanceOf<ArgumentOutOfRangeException>()
        );
        Assert.That(
            () => VerificationPlan.RunsNeeded(point, s_usual, 0),
            Throws.InstanceOf<ArgumentOutOfRangeException>()
        );
    }

    // R runs suffice, and R - 1 runs of the same length do not: the length that fewer runs need is greater.
    [TestCase(.85, 9)]
    [TestCase(.85, 13)]
    [TestCase(.4, 11)]
    [TestCase(.97, 11)]
    public void The_number_of_runs_is_the_smallest_that_suffices(double predicted, int runs)
    {
        var point = SimulatedBroker.Predicted(predicted);
        var (few, many) = (LengthFor(runs - 1), LengthFor(runs));
        Assume.That(many, Is.LessThan(few));
        Assert.That(VerificationPlan.RunsNeeded(point, s_usual, many), Is.EqualTo(runs));
        Assert.That(VerificationPlan.RunsNeeded(point, s_usual, few - 1), Is.EqualTo(runs));

        int LengthFor(int count) =>
            VerificationPlan.SequencesNeeded(point, s_usual with { PlannedRuns = count }, count);
    }

    // The plan promises about .95 on a quiet broker, whose truth is off by a fifth of the indifference to the side
    // where shares vary more. 400 simulated verifications, seed 31, have a standard error of .011. Half the length
    // does not do.
    [TestCase(.85, .83)]
    [TestCase(.5, .52)]
    [TestCase(.3, .32)]
    public void A_right_prediction_is_confirmed_as_often_as_planned(double predicted, double truth)
    {
        var point = SimulatedBroker.Predicted(predicted);
        var sequences = VerificationPlan.SequencesNeeded(point, s_usual, s_usual.MinimumRuns);
        Assert.That(Confirmed(sequences), Is.InRange(.91, .985));
        Assert.That(Confirmed(sequences / 2), Is.LessThan(.85));

        double Confirmed(int length)
        {
            var tally = VerificationAudit.Run(
                point,
                s_usual,
                truth,
                RunLaw.BetaBinomial(VerificationPlan.QuietInflation),
                length,
                s_usual.MinimumRuns,
                400,
                31,
                2
            );
            return tally.Confirmed / 400.0;
        }
    }

    // Runs without a single miss decide as well, and so do those with one miss each in some of them.
    [TestCase(.85)]
    [TestCase(.97)]
    public void Runs_of_planned_length_with_hardly_a_miss_are_not_worse(double predicted)
    {
        var point = SimulatedBroker.Predicted(predicted);
        var sequences = VerificationPlan.SequencesNeeded(point, s_usual, s_usual.MinimumRuns);
        var plan = PredictionTest.PlanFor(point, s_usual);
        var bound = RunLikelihood.DevianceBound(
            8,
            PredictionLooks.SideErrorAfter(8, s_usual, s_usual.Looks),
            plan.Worse!.Value,
            areAbove: true
        );
        using var _ = Assert.EnterMultipleScope();
        for (var missing = 0; missing <= 8; missing++)
        {
            var runs = Enumerable
                .Range(0, 8)
                .Select(run => new RunCount(sequences - (run < missing ? 1 : 0), sequences))
                .ToArray();
            Assert.That(
                RunLikelihood.SignedDeviance(runs, plan.Worse!.Value),
                Is.GreaterThanOrEqualTo(bound),
                $"{missing} runs with a miss"
            );
        }
    }

    // Where the indifference leaves no worse hypothesis no client can decide, and the plan is the least.
    [Test]
    public void Clients_without_a_worse_hypothesis_are_planned_with_one_sequence() =>
        Assert.That(
            VerificationPlan.SequencesNeeded(
                SimulatedBroker.Predicted(.05),
                s_usual with
                {
                    Test = VerdictTest.Clients,
                },
                8
            ),
            Is.EqualTo(1)
        );

    [Test]
    public void Clients_are_planned_with_twice_their_44_sequences_in_three_runs() =>
        Assert.That(
            VerificationPlan.SequencesNeeded(
                SimulatedBroker.Predicted(1),
                new() { Test = VerdictTest.Clients, MinimumRuns = 3 },
                3
            ),
            Is.EqualTo(100 * 30)
        );
}
