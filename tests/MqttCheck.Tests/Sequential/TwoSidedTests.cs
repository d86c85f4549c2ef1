using MqttCheck.Sequential;
using MqttCheck.Sequential.Characteristics;
using MqttCheck.Statistics;
using MqttCheck.Verification;

namespace MqttCheck.Tests.Sequential;

[TestFixture]
public sealed class TwoSidedTests
{
    [TestCase(.99, 65, 2)]
    [TestCase(.85, 195, 2)]
    [TestCase(.5, 373, 2)]
    [TestCase(.9, 145, 1)]
    public void A_right_prediction_takes_the_known_number_of_samples(
        double predicted,
        double expected,
        double within
    ) =>
        Assert.That(
            SprtAudit.Compute(new TwoSidedPlan(predicted, .1, .01), predicted).ExpectedSamples,
            Is.EqualTo(expected).Within(within)
        );

    [Test]
    public void The_stated_error_holds_at_and_beyond_the_hypotheses(
        [Values(.05, .5, .7, .85, .9, .95, .98)] double predicted
    )
    {
        var plan = new TwoSidedPlan(predicted, .1, .05);
        var atPrediction = SprtAudit.Compute(plan, predicted);
        Assert.That(atPrediction.Worse + atPrediction.Better, Is.LessThanOrEqualTo(.05));
        Assert.That(atPrediction.Confirmed + atPrediction.Worse + atPrediction.Better, Is.EqualTo(1).Within(1e-10));
        if (plan.Lower is not null)
            Assert.That(1 - SprtAudit.Compute(plan, plan.Lower.P0).Worse, Is.LessThanOrEqualTo(.025 + 1e-10));
        if (plan.Upper is not null)
            Assert.That(1 - SprtAudit.Compute(plan, plan.Upper.P1).Better, Is.LessThanOrEqualTo(.025 + 1e-10));
    }

    // The exact probabilities describe the test itself: 4000 simulated tests, seed 1; five standard errors, false alarm
    // 1e-6.
    [Test]
    public void The_test_behaves_as_computed()
    {
        const int tests = 4000;
        var plan = new TwoSidedPlan(.85, .1, .1);
        var exact = SprtAudit.Compute(plan, .80);
        int confirmed = 0;
        long samples = 0;
        for (ulong i = 0; i < tests; i++)
        {
            var random = RandomStream.For(1, i);
            var test = new TwoSidedTest(plan);
            while (test.Add(random.NextDouble() < .80) is null) { }
            if (test.Verdict == VerdictKind.Confirmed)
                confirmed++;
            samples += test.Samples;
        }
        Assert.That((double)confirmed / tests, Is.EqualTo(exact.Confirmed).Within(5 * Math.Sqrt(.25 / tests)));
        Assert.That((double)samples / tests, Is.EqualTo(exact.ExpectedSamples).Within(exact.ExpectedSamples * .06));
    }

    [Test]
    public void A_side_without_room_for_the_indifference_is_absent()
    {
        Assert.That(new TwoSidedPlan(.89, .1, .01).Better, Is.EqualTo(.99).Within(1e-12));
        Assert.That(new TwoSidedPlan(.11, .1, .01).Worse, Is.EqualTo(.01).Within(1e-12));
        Assert.That(new TwoSidedPlan(.9, .1, .01).Upper, Is.Null, "no truth is better by the indifference");
        Assert.That(new TwoSidedPlan(.1, .1, .01).Lower, Is.Null);
        Assert.That(
            new TwoSidedPlan(.94, .05, .01).UpperIndifference,
            Is.EqualTo(.05).Within(1e-12),
            "who wants to tell .94 from .99 says so"
        );
        Assert.That(new TwoSidedPlan(1, .1, .01).Upper, Is.Null);
        Assert.That((new TwoSidedPlan(1, .1, .01).Tested, new TwoSidedPlan(1, .1, .01).Worse), Is.EqualTo((.99, .9)));
        Assert.That(new TwoSidedPlan(0, .1, .01).Lower, Is.Null);
        Assert.That(new TwoSidedPlan(.995, .002, .01).Worse, Is.EqualTo(.988).Within(1e-12), "as a prediction of .99");
    }

    [Test]
    public void Indifferences_are_those_of_the_sides_that_there_are()
    {
        using var _ = Assert.EnterMultipleScope();
        Assert.That(new TwoSidedPlan(.5, .1, .01).LowerIndifference, Is.EqualTo(.1).Within(1e-12));
        Assert.That(new TwoSidedPlan(.5, .1, .01, new(.3, .5)).LowerIndifference, Is.EqualTo(.2).Within(1e-12));
        Assert.That(new TwoSidedPlan(.5, .1, .01, new(.5, .8)).UpperIndifference, Is.EqualTo(.3).Within(1e-12));
        Assert.That(new TwoSidedPlan(0, .1, .01).LowerIndifference, Is.Zero);
        Assert.That(new TwoSidedPlan(1, .1, .01).UpperIndifference, Is.Zero);
        Assert.That(new TwoSidedPlan(.005, .002, .01).Better, Is.EqualTo(.012).Within(1e-12), "as one of .01");
        Assert.That(new TwoSidedPlan(0, .1, .01).Better, Is.EqualTo(.1).Within(1e-12));
    }

    [TestCase(-.1, .1, .01, "predicted", "0 .. 1")]
    [TestCase(1.1, .1, .01, "predicted", "0 .. 1")]
    [TestCase(double.NaN, .1, .01, "predicted", "0 .. 1")]
    [TestCase(.5, 0, .01, "indifference", "(0, .5)")]
    [TestCase(.5, .5, .01, "indifference", "(0, .5)")]
    [TestCase(.5, .1, 0, "error", "(0, 1)")]
    [TestCase(.5, .1, 1, "error", "(0, 1)")]
    public void Plans_out_of_range_are_refused(
        double predicted,
        double indifference,
        double error,
        string name,
        string allowed
    ) =>
        Assert.That(
            () => new TwoSidedPlan(predicted, indifference, error),
            Throws
                .InstanceOf<ArgumentOutOfRangeException>()
                .With.Property(nameof(ArgumentException.ParamName))
                .EqualTo(name)
                .And.Message.Contains(allowed)
        );

    [Test]
    public void No_truth_inside_of_the_predictions_own_interval_is_worse_or_better()
    {
        Assert.That(new TwoSidedPlan(.7, .1, .01, new(.5, .75)).Worse, Is.EqualTo(.5).Within(1e-12));
        Assert.That(
            new TwoSidedPlan(.7, .1, .01, new(.5, .75)).Better,
            Is.EqualTo(.8).Within(1e-12),
            "the indifference is wider on this side"
        );
        Assert.That(new TwoSidedPlan(.8, .1, .01, new(.6, .99)).Better, Is.EqualTo(.99).Within(1e-12));
        Assert.That(new TwoSidedPlan(.8, .1, .01, new(.6, 1)).Upper, Is.Null);
    }

    [Test]
    public void A_one_sided_plan_has_the_whole_error_on_its_side()
    {
        var plan = new TwoSidedPlan(.5, .1, .01, oneSided: true);
        Assert.That((plan.Upper, plan.Lower!.Alpha, plan.Lower.Beta), Is.EqualTo(((SprtPlan?)null, .01, .01)));
        Assert.That(
            SprtAudit.Compute(plan, .9).Confirmed,
            Is.GreaterThan(.999),
            "it accepts every prediction that is too low"
        );
    }

    [Test]
    public void One_side_alone_refutes()
    {
        var low = new TwoSidedTest(new TwoSidedPlan(.7, .1, .01));
        while (low.Add(true) is null) { }
        Assert.That(low.Verdict, Is.EqualTo(VerdictKind.Better));
        var bold = new TwoSidedTest(new TwoSidedPlan(1, .1, .01));
        while (bold.Add(false) is null) { }
        Assert.That(bold.Verdict, Is.EqualTo(VerdictKind.Worse));
    }

    [Test]
    public void A_plan_tells_what_was_asked_for()
    {
        TwoSidedPlan both = new(.5, .1, .02),
            one = new(.5, .1, .02, bounds: SprtBounds.Wald, oneSided: true);
        using var _ = Assert.EnterMultipleScope();
        Assert.That((both.Predicted, both.Error, both.SideError, both.IsOneSided), Is.EqualTo((.5, .02, .01, false)));
        Assert.That((one.Predicted, one.Error, one.SideError, one.IsOneSided), Is.EqualTo((.5, .02, .02, true)));
        Assert.That((both.Lower!.Bounds, both.Upper!.Bounds), Is.EqualTo((SprtBounds.Strict, SprtBounds.Strict)));
        Assert.That((both.Upper.Alpha, both.Upper.Beta), Is.EqualTo((.01, .01)));
        Assert.That(one.Lower!.Bounds, Is.EqualTo(SprtBounds.Wald));
        Assert.That((one.Better, one.UpperIndifference), Is.EqualTo(((double?)null, 0.0)));
    }

    // Otherwise the worse probability would be the tested one, and no test tells a probability from itself.
    [Test]
    public void An_indifference_that_reaches_the_margin_counts_from_there()
    {
        using var _ = Assert.EnterMultipleScope();
        Assert.That(new TwoSidedPlan(.995, .005, .01).Worse, Is.EqualTo(.985).Within(1e-12));
        Assert.That(new TwoSidedPlan(.005, .005, .01).Better, Is.EqualTo(.015).Within(1e-12));
    }
}
