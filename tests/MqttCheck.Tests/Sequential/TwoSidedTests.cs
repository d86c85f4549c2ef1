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

    // A side is absent where no truth is worse, or better, by the indifference; a prediction beyond .01 and .99 counts
    // as one there if the indifference is smaller. Without an interval of its own its ends are the prediction.
    [TestCase(.5, .1, null, null, .4, .6)]
    [TestCase(.89, .1, null, null, .79, .99)]
    [TestCase(.11, .1, null, null, .01, .21)]
    [TestCase(.9, .1, null, null, .8, null)]
    [TestCase(.1, .1, null, null, null, .2)]
    [TestCase(.94, .05, null, null, .89, .99)]
    [TestCase(1, .1, null, null, .9, null)]
    [TestCase(0, .1, null, null, null, .1)]
    [TestCase(.995, .002, null, null, .988, null)]
    [TestCase(.005, .002, null, null, null, .012)]
    [TestCase(.995, .005, null, null, .985, null)]
    [TestCase(.005, .005, null, null, null, .015)]
    [TestCase(.5, .1, .3, .5, .3, .6)]
    [TestCase(.5, .1, .5, .8, .4, .8)]
    [TestCase(.7, .1, .5, .75, .5, .8)]
    [TestCase(.8, .1, .6, .99, .6, .99)]
    [TestCase(.8, .1, .6, 1, .6, null)]
    public void A_side_lies_as_far_as_the_indifference_or_the_end_of_the_interval(
        double predicted,
        double indifference,
        double? lower,
        double? upper,
        double? worse,
        double? better
    )
    {
        var interval = lower is { } from ? new Interval(from, upper!.Value) : default(Interval?);
        var plan = new TwoSidedPlan(predicted, indifference, .01, interval);
        Assert.That(
            (plan.Worse, plan.Better, plan.LowerIndifference),
            Is.EqualTo((worse, better, predicted - (worse ?? predicted))).Within(1e-12)
        );
        Assert.That(plan.UpperIndifference, Is.EqualTo((better ?? predicted) - predicted).Within(1e-12));
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
        Assert.That((both.Predicted, both.Error, both.SideError, both.IsOneSided), Is.EqualTo((.5, .02, .01, false)));
        Assert.That((one.Predicted, one.Error, one.SideError, one.IsOneSided), Is.EqualTo((.5, .02, .02, true)));
        Assert.That(
            (both.Lower!.Bounds, both.Upper!.Bounds, both.Upper.Alpha, both.Upper.Beta),
            Is.EqualTo((SprtBounds.Strict, SprtBounds.Strict, .01, .01))
        );
        Assert.That(
            (one.Lower!.Bounds, one.Better, one.UpperIndifference),
            Is.EqualTo((SprtBounds.Wald, (double?)null, 0.0))
        );
    }
}
