using MqttCheck.Sequential;
using MqttCheck.Sequential.Characteristics;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Sequential;

[TestFixture]
public sealed class SprtTests
{
    // Exact values for Wald's bounds by dynamic programming over (n, successes), written independently in Python.
    [TestCase(.80, .90, .01, 107.431, 124.738, 276.367, .8556, .00949, .00779)]
    [TestCase(.85, .95, .05, 43.470, 54.993, 82.353, .9113, .04777, .03444)]
    [TestCase(.90, .95, .01, 230.271, 272.236, 597.104, .9281, .00975, .00788)]
    [TestCase(.95, .99, .01, 124.034, 184.403, 360.118, .9759, .00982, .00578)]
    [TestCase(.99, .999, .01, 386.186, 675.882, 1201.88, .9964, .01002, .00454)]
    [TestCase(.45, .55, .05, 135.908, 135.908, 225, .5, .04697, .04697)]
    public void Wald_has_its_known_errors_and_sample_numbers(
        double p0,
        double p1,
        double error,
        double samplesAtP0,
        double samplesAtP1,
        double largest,
        double hardest,
        double alpha,
        double beta
    )
    {
        var plan = new SprtPlan(p0, p1, error, error, SprtBounds.Wald);
        var atP0 = SprtAudit.Compute(plan, p0);
        var atP1 = SprtAudit.Compute(plan, p1);
        var (probability, atHardest) = SprtAudit.Hardest(plan);
        Assert.That(atP0.ExpectedSamples, Is.EqualTo(samplesAtP0).Within(5.1e-4));
        Assert.That(atP1.ExpectedSamples, Is.EqualTo(samplesAtP1).Within(5.1e-4));
        Assert.That(atHardest.ExpectedSamples, Is.EqualTo(largest).Within(largest > 1000 ? 5.1e-3 : 5.1e-4));
        Assert.That(probability, Is.EqualTo(hardest).Within(5.1e-5));
        Assert.That((atP0.AcceptH1, atP1.AcceptH0), Is.EqualTo((alpha, beta)).Within(5.1e-6));
    }

    // The row above with .01002 is why strict is the default.
    [Test]
    public void Strict_bounds_keep_both_errors_for_at_most_two_percent_more_samples([Values(.01, .05)] double error)
    {
        foreach (
            var (p0, p1) in new[]
            {
                (.8, .9),
                (.85, .95),
                (.9, .95),
                (.95, .99),
                (.99, .999),
                (.45, .55),
                (.0005, .005),
                (.999, .9999),
            }
        )
        {
            var strict = new SprtPlan(p0, p1, error, error);
            Assert.That(SprtAudit.Compute(strict, p0).AcceptH1, Is.LessThanOrEqualTo(error));
            Assert.That(SprtAudit.Compute(strict, p1).AcceptH0, Is.LessThanOrEqualTo(error));
            var wald = new SprtPlan(p0, p1, error, error, SprtBounds.Wald);
            Assert.That(
                SprtAudit.Compute(strict, p1).ExpectedSamples,
                Is.LessThanOrEqualTo(SprtAudit.Compute(wald, p1).ExpectedSamples * (error == .01 ? 1.02 : 1.06))
            );
        }
    }

    [Test]
    public void A_certain_hypothesis_takes_44_successes_or_one_failure()
    {
        var plan = new SprtPlan(.9, 1, .01, .01);
        var test = new SequentialProbabilityRatioTest(plan);
        for (var i = 0; i < 43; i++)
            Assert.That(test.Add(true), Is.EqualTo(SprtDecision.Undecided));
        Assert.That(test.Add(true), Is.EqualTo(SprtDecision.AcceptH1));
        Assert.That(SprtAudit.Compute(plan, 1).ExpectedSamples, Is.EqualTo(44));
        Assert.That(new SequentialProbabilityRatioTest(plan).Add(false), Is.EqualTo(SprtDecision.AcceptH0));
    }

    [TestCase(.65, SprtDecision.AcceptH1)]
    [TestCase(.9, SprtDecision.AcceptH0)]
    public void The_errors_hold_for_shares_of_any_law_with_that_mean(double mean, SprtDecision wrong)
    {
        // 2000 tests with error .05 for each law: at most .05 + 4 standard errors of .0049, seed 27.
        foreach (var spread in (double[])[0, .05, .1])
        {
            var count = 0;
            for (var repetition = 0; repetition < 2000; repetition++)
            {
                var random = RandomStream.For(27, (ulong)repetition);
                var test = new SequentialProbabilityRatioTest(new SprtPlan(.65, .9, .05, .05));
                while (test.Decision == SprtDecision.Undecided)
                    test.AddShare(
                        spread > 0 ? mean + (spread * ((2 * random.NextDouble()) - 1))
                        : random.NextDouble() < mean ? 1
                        : 0
                    );
                count += test.Decision == wrong ? 1 : 0;
            }
            Assert.That(count / 2000.0, Is.LessThan(.07), $"spread {spread}");
        }
    }

    [Test]
    public void A_tempered_likelihood_takes_so_many_times_the_samples()
    {
        var test = new SequentialProbabilityRatioTest(new SprtPlan(.9, 1, .01, .01));
        while (test.Add(true, .25) == SprtDecision.Undecided) { }
        Assert.That(test.Samples, Is.EqualTo(175), "4.60517 / (.25 * .10536) rounded up");
    }

    [Test]
    public void A_ratio_on_a_bound_decides([Values] SprtBounds bounds)
    {
        var plan = new SprtPlan(.8, .9, .01, .05, bounds);
        Assert.That(
            (plan.Decide(plan.UpperBound), plan.Decide(Math.BitDecrement(plan.UpperBound))),
            Is.EqualTo((SprtDecision.AcceptH1, SprtDecision.Undecided))
        );
        Assert.That(
            (plan.Decide(plan.LowerBound), plan.Decide(Math.BitIncrement(plan.LowerBound))),
            Is.EqualTo((SprtDecision.AcceptH0, SprtDecision.Undecided))
        );
    }

    // At 0 no success is allowed, at 1 no failure: an infinite increment of nothing is nothing.
    [Test]
    public void A_hypothesis_of_0_is_refuted_by_the_first_success()
    {
        var plan = new SprtPlan(0, .1, .01, .01);
        Assert.That(plan.Decide(1, 1), Is.EqualTo(SprtDecision.AcceptH1));
        Assert.That(plan.Decide(0, 43), Is.EqualTo(SprtDecision.Undecided), "44 failures take ln .01 / ln .9 = 43.7");
        Assert.That((plan.Decide(0, 44), plan.LogLikelihoodRatio(0, 0)), Is.EqualTo((SprtDecision.AcceptH0, 0)));
    }

    [TestCase(0)]
    [TestCase(1.001)]
    [TestCase(double.NaN)]
    public void A_weight_out_of_range_is_refused(double weight) =>
        Assert.That(
            () => new SequentialProbabilityRatioTest(new SprtPlan(.8, .9, .1, .1)).Add(true, weight),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains("must be in (0, 1]")
        );

    // In R: the first n with pbinom(qbinom(1 - alpha, n, p0), n, p1) <= beta.
    [TestCase(.3, .5, .1, .2, 30, 12)]
    [TestCase(.8, .9, .05, .05, 135, 115)]
    [TestCase(.5, .9, .05, .1, 11, 8)]
    public void A_single_sampling_plan_is_the_smallest(
        double p0,
        double p1,
        double alpha,
        double beta,
        int samples,
        int acceptance
    ) =>
        Assert.That(
            SingleSamplingPlan.For(p0, p1, alpha, beta),
            Is.EqualTo(new SingleSamplingPlan(samples, acceptance))
        );

    [Test]
    public void A_single_sampling_plan_always_takes_its_samples()
    {
        var at = new SingleSamplingPlan(2, 1).Characteristics(.5);
        Assert.That((at.AcceptH0, at.AcceptH1), Is.EqualTo((.75, .25)).Within(1e-12));
        Assert.That((at.ExpectedSamples, at.Undecided), Is.EqualTo((2.0, 0.0)));
    }

    [Test]
    public void A_truncated_test_shares_its_errors_and_ends_with_the_plan()
    {
        var test = new TruncatedSprt(.8, .9, .1, .2);
        Assert.That(
            (test.Sequential.Alpha, test.Sequential.Beta, test.Last),
            Is.EqualTo((.05, .1, SingleSamplingPlan.For(.8, .9, .05, .1)))
        );
        var (last, accepted) = (test.Last.Samples, test.Last.AcceptanceNumber);
        Assert.That(
            (test.Decide(accepted, last), test.Decide(accepted + 1, last)),
            Is.EqualTo((SprtDecision.AcceptH0, SprtDecision.AcceptH1))
        );
        Assert.That(test.Decide(accepted, last - 1), Is.EqualTo(SprtDecision.Undecided));
        Assert.That(test.Decide(40, 40), Is.EqualTo(SprtDecision.AcceptH1), "before the last sample");
    }

    [TestCase(.9, .8, .01, .01, "less than p1 = 0.8")]
    [TestCase(.9, .9, .01, .01, "less than p1 = 0.9")]
    [TestCase(.9, 1.1, .01, .01, "p1")]
    [TestCase(-.1, .8, .01, .01, "p0")]
    [TestCase(double.NaN, .8, .01, .01, "p0")]
    [TestCase(.7, .8, .01, 0, "beta")]
    [TestCase(.7, .8, .5, .01, "alpha")]
    [TestCase(.7, .8, 0, .01, "alpha")]
    [TestCase(.7, .8, .01, .5, "beta")]
    [TestCase(.7, .8, .01, double.NaN, "an error probability must be in (0, .5)")]
    public void A_refusal_says_what_is_allowed(double p0, double p1, double alpha, double beta, string said) =>
        Assert.That(
            () => new SprtPlan(p0, p1, alpha, beta),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains(said)
        );

    // Wald's own bounds and those of Ville's inequality, with errors that differ.
    [Test]
    public void Bounds_follow_from_both_errors()
    {
        SprtPlan strict = new(.8, .9, .01, .05),
            wald = new(.8, .9, .01, .05, SprtBounds.Wald);
        Assert.That((strict.Bounds, wald.Bounds), Is.EqualTo((SprtBounds.Strict, SprtBounds.Wald)));
        Assert.That((strict.LowerBound, strict.UpperBound), Is.EqualTo((Math.Log(.05), Math.Log(100))).Within(1e-12));
        Assert.That((wald.LowerBound, wald.UpperBound), Is.EqualTo((Math.Log(.05 / .99), Math.Log(95))).Within(1e-12));
        Assert.That((wald.P0, wald.P1, wald.Alpha, wald.Beta), Is.EqualTo((.8, .9, .01, .05)));
    }

    [TestCase(-.001)]
    [TestCase(1.001)]
    [TestCase(double.NaN)]
    public void A_share_out_of_range_is_refused(double share) =>
        Assert.That(
            () => new SequentialProbabilityRatioTest(new SprtPlan(.8, .9, .1, .1)).AddShare(share),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains("must be in 0 .. 1")
        );

    // By hand: a quarter of a success adds ln(9/8) / 4, and the rest of it 3 ln(1/2) / 4.
    [Test]
    public void A_share_counts_as_the_parts_of_both_outcomes()
    {
        var test = new SequentialProbabilityRatioTest(new SprtPlan(.8, .9, .01, .01));
        test.AddShare(.25);
        test.AddShare(1);
        Assert.That(test.LogLikelihoodRatio, Is.EqualTo(1.25 * Math.Log(9 / 8.0) - .75 * Math.Log(2)).Within(1e-12));
        Assert.That((test.Samples, test.Successes, test.Decision), Is.EqualTo((2L, 1L, SprtDecision.Undecided)));
    }

    // At a hypothesis of 0 the increment of a success is infinite, and must not count in a share of 0.
    [Test]
    public void A_share_of_0_says_nothing_of_successes()
    {
        var test = new SequentialProbabilityRatioTest(new SprtPlan(0, .1, .01, .01));
        Assert.That(test.AddShare(0), Is.EqualTo(SprtDecision.Undecided));
        Assert.That(test.LogLikelihoodRatio, Is.EqualTo(Math.Log(.9)).Within(1e-12));
        Assert.That(test.AddShare(.001), Is.EqualTo(SprtDecision.AcceptH1), "no success is allowed at 0");
    }

    [Test]
    public void A_decision_stays_and_later_outcomes_and_shares_are_not_counted()
    {
        var test = new SequentialProbabilityRatioTest(new SprtPlan(.9, 1, .01, .01));
        test.AddShare(.5);
        Assert.That(
            (test.AddShare(1), test.Add(true), test.Samples, test.Successes),
            Is.EqualTo((SprtDecision.AcceptH0, SprtDecision.AcceptH0, 1L, 0L))
        );
    }

    // Errors are the largest that are allowed, so the plan that has exactly these is good enough.
    [Test]
    public void A_single_sampling_plan_may_use_up_its_errors()
    {
        var plan = new SingleSamplingPlan(11, 8);
        var (alpha, beta) = (plan.Characteristics(.5).AcceptH1, plan.Characteristics(.9).AcceptH0);
        Assert.That(
            (SingleSamplingPlan.For(.5, .9, alpha, .1), SingleSamplingPlan.For(.5, .9, .05, beta)),
            Is.EqualTo((plan, plan))
        );
    }

    [Test]
    public void A_single_sampling_plan_refuses_what_a_sequential_one_refuses() =>
        Assert.That(
            () => SingleSamplingPlan.For(.5, .9, .05, .5),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains("beta")
        );
}
