using MqttCheck.Statistics;

namespace MqttCheck.Tests.Statistics;

[TestFixture]
public sealed class ConcentrationBoundsTests
{
    [TestCase(.1, .05, 185)]
    [TestCase(.1, .01, 265)]
    [TestCase(.05, .05, 738)]
    [TestCase(.05, .01, 1060)]
    [TestCase(.02, .01, 6623)]
    [TestCase(.01, .05, 18445)]
    [TestCase(.01, .01, 26492)]
    [TestCase(.005, .01, 105967)]
    [TestCase(.001, .01, 2649159)]
    public void Okamoto_has_its_known_sample_sizes(double epsilon, double delta, long expected) =>
        Assert.That(ConcentrationBounds.OkamotoSampleSize(epsilon, delta), Is.EqualTo(expected));

    [Test]
    public void A_band_of_five_percent_at_99_percent_takes_1060_replications()
    {
        Assert.That(ConcentrationBounds.DkwSampleSize(.05, .01), Is.EqualTo(1060));
        Assert.That(
            ConcentrationBounds.DkwHalfWidth(1060, .01),
            Is.EqualTo(.05).Within(5e-5).And.LessThanOrEqualTo(.05)
        );
    }

    // By hand: sqrt(ln(200) / 2120) = .0499920.
    [Test]
    public void Hoeffding_lies_around_the_mean_and_is_cut_to_probabilities()
    {
        var middle = ConcentrationBounds.Hoeffding(.5, 1060, .01);
        Assert.That((middle.Lower, middle.Upper), Is.EqualTo((.5 - .049992, .5 + .049992)).Within(1e-6));
        Assert.That(ConcentrationBounds.Hoeffding(.99, 1060, .01).Upper, Is.EqualTo(1));
        Assert.That(ConcentrationBounds.Hoeffding(.01, 1060, .01).Lower, Is.Zero);
        Assert.That(ConcentrationBounds.Hoeffding(0, 1060, .01).Lower, Is.Zero);
        Assert.That(ConcentrationBounds.Hoeffding(1, 1060, .01).Upper, Is.EqualTo(1));
    }

    // n = 1000, V = .01, delta = .05: sqrt(.02 * 4.382027 / 1000) + 7 * 4.382027 / 2997 = .00936165 + .01023500
    [Test]
    public void Empirical_Bernstein_is_the_formula_of_Maurer_and_Pontil()
    {
        var interval = ConcentrationBounds.EmpiricalBernstein(.5, .01, 1000, .05);
        Assert.That(interval.HalfWidth, Is.EqualTo(.0195967).Within(1e-6));
        Assert.That(interval.HalfWidth, Is.LessThan(ConcentrationBounds.HoeffdingHalfWidth(1000, .05)));
    }

    [Test]
    public void One_observation_says_nothing_about_the_variance() =>
        Assert.That(ConcentrationBounds.EmpiricalBernstein(.5, 0, 1, .05), Is.EqualTo(new Interval(0, 1)));

    [TestCase(0, .01)]
    [TestCase(.1, 1)]
    [TestCase(double.NaN, .01)]
    public void Widths_and_levels_outside_of_their_range_are_refused(double epsilon, double delta) =>
        Assert.That(
            () => ConcentrationBounds.OkamotoSampleSize(epsilon, delta),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains("must be in (0, 1)")
        );

    [TestCase(-.01)]
    [TestCase(1.01)]
    [TestCase(double.NaN)]
    public void A_mean_that_is_none_of_probabilities_is_refused(double mean) =>
        Assert.That(
            () => ConcentrationBounds.Hoeffding(mean, 10, .05),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains("must be in 0 .. 1")
        );

    [Test]
    public void Impossible_samples_are_refused()
    {
        Func<double>[] widths =
        [
            () => ConcentrationBounds.HoeffdingHalfWidth(0, .05),
            () => ConcentrationBounds.HoeffdingHalfWidth(10, 1),
            () => ConcentrationBounds.EmpiricalBernstein(.5, .1, 0, .05).HalfWidth,
            () => ConcentrationBounds.EmpiricalBernstein(.5, -.1, 10, .05).HalfWidth,
            () => ConcentrationBounds.EmpiricalBernstein(.5, .1, 10, 0).HalfWidth,
        ];
        foreach (var width in widths)
            Assert.That(() => width(), Throws.InstanceOf<ArgumentOutOfRangeException>());
    }
}
