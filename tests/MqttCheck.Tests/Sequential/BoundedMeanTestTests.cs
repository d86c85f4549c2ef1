using MqttCheck.Sequential;
using MqttCheck.Sequential.Characteristics;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Sequential;

[TestFixture]
public sealed class BoundedMeanTestTests
{
    [Test]
    public void The_order_of_zeros_and_ones_does_not_matter([Values(.1, .5, .95)] double threshold)
    {
        var random = RandomStream.For(1);
        var test = new BoundedMeanTest(threshold, .01);
        long successes = 0;
        for (var i = 1; i <= 300; i++)
        {
            var hit = random.NextDouble() < .9;
            if (hit)
                successes++;
            if (test.Add(hit ? 1 : 0) != SprtDecision.Undecided)
            {
                Assert.That(test.Decide(successes, i), Is.EqualTo(test.Decision));
                break;
            }
            Assert.That(test.Decide(successes, i), Is.EqualTo(SprtDecision.Undecided));
        }
    }

    // Computed, not simulated: the probability of a wrong decision at the threshold within 1000 outcomes, on each side.
    [Test]
    public void The_error_is_kept_at_the_threshold([Values(.0005, .01, .5, .85, .999)] double threshold)
    {
        var test = new BoundedMeanTest(threshold, .05);
        var at = SprtAudit.Compute(test.Decide, threshold, 1000);
        Assert.That(at.AcceptH0, Is.LessThanOrEqualTo(.05));
        Assert.That(at.AcceptH1, Is.LessThanOrEqualTo(.05));
    }

    // Means of 100 clients vary ten times less than one client's outcome; seed 2.
    [Test]
    public void Observations_that_vary_little_decide_sooner()
    {
        var random = RandomStream.For(2);
        BoundedMeanTest smooth = new(.8, .01),
            rough = new(.8, .01);
        while (smooth.Add(.85 + .04 * (random.NextDouble() - .5)) == SprtDecision.Undecided) { }
        while (rough.Add(random.NextDouble() < .85 ? 1 : 0) == SprtDecision.Undecided) { }
        Assert.That((smooth.Decision, rough.Decision), Is.EqualTo((SprtDecision.AcceptH1, SprtDecision.AcceptH1)));
        Assert.That(smooth.Samples, Is.LessThan(rough.Samples / 3));
    }

    [Test]
    public void Values_outside_of_their_range_are_refused()
    {
        Assert.That(() => new BoundedMeanTest(1, .01), Throws.InstanceOf<ArgumentOutOfRangeException>());
        Assert.That(() => new BoundedMeanTest(.5, .5), Throws.InstanceOf<ArgumentOutOfRangeException>());
        Assert.That(
            () => new BoundedMeanTest(.5, .1).Add(double.NaN),
            Throws.InstanceOf<ArgumentOutOfRangeException>()
        );
    }
}
