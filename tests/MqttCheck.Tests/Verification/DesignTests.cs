using MqttCheck.Auditing.Promises;
using MqttCheck.Benchmarks.Designs;

namespace MqttCheck.Tests.Verification;

/// <summary>The designs that were kept are better than others; a benchmark prints the tables of all.</summary>
[TestFixture]
internal sealed class DesignTests
{
    private const double Threshold = VerdictDesigns.Predicted - VerdictDesigns.Indifference;

    // The kept design confirms right predictions of runs that differ a lot; one that looks after every run does not:
    // 200 simulations, seed 91. By the table, .16 and .81; a share of .5 is 8 standard errors from either.
    [Test]
    public void Looks_confirm_where_a_look_after_every_run_does_not()
    {
        var (before, kept) = LookDesigns.Chosen;
        var shares = LookDesigns.Confirmed(20, 200, before, kept);
        Assert.That(shares[0].Share, Is.LessThan(.5));
        Assert.That(shares[1].Share, Is.GreaterThan(.5));
    }

    // The design that was kept has fewer wrong verdicts than the likelihood alone where bad runs are seen, and its
    // power. 2000 and 400 simulations of the same runs, seed 71.
    [Test]
    public void Runs_that_stand_apart_lower_the_wrong_shares_without_costing_power()
    {
        var skewed = VerdictDesigns.Chosen(RunLaw.LogNormalMisses(1.5), Threshold, 12, 150, 2000);
        var rare = VerdictDesigns.Chosen(RunLaw.RareRuns(.4, .6), Threshold, 12, 150, 2000);
        var power = VerdictDesigns.Chosen(RunLaw.BetaBinomial(8), VerdictDesigns.Predicted, 8, 350, 400);
        Assert.That(skewed.Kept, Is.LessThan(skewed.Likelihood / 2), "log-normal misses");
        Assert.That(rare.Kept, Is.LessThan(rare.Likelihood * .75), "two states");
        Assert.That(power.Kept, Is.EqualTo(power.Likelihood).Within(.01), "right predictions confirmed");
    }
}
