using MqttCheck.Predictions;
using MqttCheck.Requirements;
using MqttCheck.Sequential.Runs;
using MqttCheck.Tests.Requirements;
using MqttCheck.Verification;

namespace MqttCheck.Tests.Verification;

/// <summary>What a user vouches for: that no run has a share below some value.</summary>
[TestFixture]
internal sealed class VouchedWorstTests
{
    private static readonly PredictedPoint s_point = SimulatedBroker.Predicted(.85);

    private static readonly VerificationOptions s_any = new()
    {
        Guarantee = Guarantee.Any,
        MinimumRuns = 3,
        WorstRun = .5,
    };

    // ln(200 / .6) / ln(1 + .99 * .1 / .25) = 17.4; without it the same takes 43 or more.
    [Test]
    public void A_right_prediction_takes_fewer_runs_and_the_promise_says_what_is_vouched_for()
    {
        var test = new PredictionTest(s_point, s_any);
        Verdict verdict;
        var run = 0;
        do verdict = test.AddRun(SimulatedBroker.Run(run++, .85));
        while (!verdict.IsDecided && run < 100);
        Assert.That((verdict.Kind, run), Is.EqualTo((VerdictKind.Confirmed, 18)), verdict.Reason);
        Assert.That(
            verdict.Promise,
            Does.Contain("It holds if no run of this broker has a share below 0.5, which you vouch for.")
        );
    }

    [Test]
    public void A_run_below_it_takes_the_verdict_away_also_one_that_does_not_count([Values] bool counts)
    {
        var test = SimulatedBroker.After(s_point, s_any, 20, run => SimulatedBroker.Run(run, .85));
        Assert.That(test.Conclude().Kind, Is.EqualTo(VerdictKind.Confirmed));
        var bad = SimulatedBroker.Run(20, .4);
        var verdict = counts ? test.AddRun(bad) : test.AddInvalidRun(bad);
        Assert.That((verdict.Kind, verdict.IsHopeless), Is.EqualTo((VerdictKind.Withheld, true)));
        Assert.That(verdict.Reason, Does.Contain("Run 21 had a share of 0.400, below the 0.5 that you vouched for"));
    }

    [TestCase(.75)]
    [TestCase(.9)]
    public void It_must_lie_below_every_tested_share(double worst) =>
        Assert.That(
            () => new PredictionTest(s_point, s_any with { WorstRun = worst }),
            Throws
                .InstanceOf<InputException>()
                .With.Message.Contains("less than 0.75, the smallest share that is tested")
        );

    [Test]
    public void The_guarantee_of_a_model_refuses_it()
    {
        Assert.That(new VerificationOptions { WorstRun = .5 }.Validate("here"), Has.Count.EqualTo(1));
        Assert.That(new RequirementOptions { Probability = .9, WorstRun = .5 }.Validate("here"), Has.Count.EqualTo(1));
    }

    [Test]
    public void A_requirement_takes_fewer_runs_with_it()
    {
        var any = new RequirementOptions { Probability = .9, Guarantee = Guarantee.Any };
        var vouched = any with { WorstRun = .6 };
        var (usual, fewer) = (RequirementPlan.For(any, 60, 1), RequirementPlan.For(vouched, 60, 1));
        Assert.That(fewer.Runs, Is.LessThan(usual.Runs * 2 / 3));
        var test = new RequirementTest(vouched, fewer);
        test.AddRun(new(55, 60));
        Assert.That(test.AddRun(new(30, 60)).WhyHeldBack(_ => ""), Does.StartWith("Run 2 had a share of 0.500"));
    }

    // All others show .85. The numbers are those of the rule; that they are borne is tested below with the verdict.
    [TestCase(null, 43, 0)]
    [TestCase(null, 200, 11)]
    [TestCase(.5, 60, 7)]
    public void A_plan_says_how_many_runs_that_do_not_count_it_bears(double? worst, int runs, int borne)
    {
        var options = s_any with { WorstRun = worst };
        Assert.That(VerificationPlan.InvalidRunsBorne(s_point, options, runs), Is.EqualTo(borne));
        var test = new PredictionTest(s_point, options);
        for (var run = 0; run < borne; run++)
            test.AddInvalidRun([]);
        var verdict = test.Conclude();
        for (var run = borne; run < runs * 5 / 4; run++)
            verdict = test.AddRun(SimulatedBroker.Run(run, .85));
        Assert.That(verdict.Kind, Is.EqualTo(VerdictKind.Confirmed));
    }
}
