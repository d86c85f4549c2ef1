using MqttCheck.Clients;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;

namespace MqttCheck.Tests.Sequential.Runs;

[TestFixture]
public sealed class RareStateTestTests
{
    // Were the mean .75, a state of .51 beside one of .85 would hold in (.85 - .75) / (.85 - .51) = .294 of the runs;
    // one or none of 12 then has the binomial probability .706^12 + 12 x .294 x .706^11 = .0919.
    [TestCase(.091, false)]
    [TestCase(.093, true)]
    public void A_run_that_stands_apart_is_excluded_by_the_probability_of_so_few(double error, bool excludes) =>
        Assert.That(
            RareStateTest.Excludes(Runs(.51, .85, .85, .85, .85, .85, .85, .85, .85, .85, .85, .85), .75, error),
            Is.EqualTo(excludes)
        );

    // In R: pbinom(2, 12, (.85 - .75) / (.85 - .51)) = .26717. The worst alone gives less, .21395, and so do the three
    // worst, .14827.
    [TestCase(.266, false)]
    [TestCase(.268, true)]
    public void Two_runs_that_stand_apart_are_taken_together(double error, bool excludes) =>
        Assert.That(
            RareStateTest.Excludes(Runs(.51, .51, .85, .85, .85, .85, .85, .85, .85, .85, .85, .85), .75, error),
            Is.EqualTo(excludes)
        );

    // The mirror image: rare good runs among bad ones, for a verdict that the broker is worse.
    [TestCase(.091, false)]
    [TestCase(.093, true)]
    public void Rare_good_runs_are_seen_as_rare_bad_ones_are(double error, bool excludes) =>
        Assert.That(
            RareStateTest.Excludes(Runs(.49, .15, .15, .15, .15, .15, .15, .15, .15, .15, .15, .15), .25, error),
            Is.EqualTo(excludes)
        );

    // Half of the runs would be in each state, and one or none of two then is: 3/4, which the error may be.
    [Test]
    public void So_few_runs_as_the_error_allows_are_excluded()
    {
        var probability = new SingleSamplingPlan(2, 1).Characteristics(.5).AcceptH0;
        Assert.That(RareStateTest.Excludes(Runs(0, 1), .5, probability), Is.True);
        Assert.That(RareStateTest.Excludes(Runs(0, 1), .5, Math.BitDecrement(probability)), Is.False);
    }

    // All runs on one side say nothing of rare states, nor do runs that vary around one level: to have a mean of .75,
    // more than nine tenths would have to be as the worst.
    [TestCase(1e-9, .8, .82, .84, .85, .86, .88, .9, .85)]
    [TestCase(.005, .73, .80, .83, .85, .87, .89, .91, .92)]
    [TestCase(1e-9, .85, .85, .85)]
    public void Runs_that_vary_around_one_level_are_not_held_up(double error, params double[] shares) =>
        Assert.That(RareStateTest.Excludes(Runs(shares), .75, error), Is.True);

    private static RunCount[] Runs(params double[] shares) =>
        Array.ConvertAll(shares, share => new RunCount((int)Math.Round(share * 1000), 1000));
}
