using MqttCheck.Sequential;

namespace MqttCheck.Tests.Sequential;

public sealed class BayesFactorTestTests
{
    // By hand, from beta laws with whole parameters: 15 = (1 - 1/16) / (1/16); 5/11 of Beta(2, 3); and of Beta(1, 2)
    // (.64 / .36) / (.8 / .2).
    [TestCase(.5, 0, 0, 1)]
    [TestCase(.5, 3, 3, 15)]
    [TestCase(.5, 0, 3, 1 / 15.0)]
    [TestCase(.5, 1, 3, 5 / 11.0)]
    [TestCase(.2, 0, 0, 1)]
    [TestCase(.2, 0, 1, .64 / .36 / 4)]
    public void The_factor_is_that_of_the_uniform_prior(double threshold, int successes, int samples, double factor) =>
        Assert.That(
            new BayesFactorTest(threshold, 10).BayesFactor(successes, samples),
            Is.EqualTo(factor).Within(1e-9)
        );

    [TestCase(3, SprtDecision.AcceptH1)]
    [TestCase(0, SprtDecision.AcceptH0)]
    [TestCase(1, SprtDecision.Undecided)]
    public void A_factor_beyond_the_bound_decides(int successes, SprtDecision decision) =>
        Assert.That(new BayesFactorTest(.5, 14.9).Decide(successes, 3), Is.EqualTo(decision));

    [TestCase(0, 10, "in (0, 1)")]
    [TestCase(1, 10, "in (0, 1)")]
    [TestCase(.5, 1, "greater than 1")]
    [TestCase(.5, double.NaN, "greater than 1")]
    public void Thresholds_and_bounds_out_of_range_are_refused(double threshold, double bound, string allowed) =>
        Assert.That(
            () => new BayesFactorTest(threshold, bound),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains(allowed)
        );

    // A test decides when the factor reaches the bound or falls to its inverse, and not only beyond.
    [TestCase(3, SprtDecision.AcceptH1)]
    [TestCase(0, SprtDecision.AcceptH0)]
    public void A_factor_on_the_bound_decides(int successes, SprtDecision decision)
    {
        var factor = new BayesFactorTest(.5, 2).BayesFactor(successes, 3);
        var test = new BayesFactorTest(.5, Math.Max(factor, 1 / factor));
        Assert.That(test.Decide(successes, 3), Is.EqualTo(decision));
    }
}
