using MqttCheck.Statistics;

namespace MqttCheck.Tests.Statistics;

public sealed class NormalQuantileTests
{
    // In R: options(digits = 17); qnorm(p).
    [TestCase(1e-300, -37.047096299361201)]
    [TestCase(1e-10, -6.3613409024040557)]
    [TestCase(.001, -3.0902323061678132)]
    [TestCase(.0749, -1.4402382675279632)]
    [TestCase(.0751, -1.4388253927525398)]
    [TestCase(.3, -.52440051270804067)]
    [TestCase(.5, 0)]
    [TestCase(.9, 1.2815515655446008)]
    [TestCase(.975, 1.9599639845400536)]
    [TestCase(.9999999, 5.1993375822906618)]
    public void It_is_that_of_R(double p, double expected) =>
        Assert.That(NormalQuantile.At(p), Is.EqualTo(expected).Within(1e-14 * Math.Max(1, Math.Abs(expected))));

    [Test]
    public void Its_ends_are_infinite()
    {
        Assert.That(
            (NormalQuantile.At(0), NormalQuantile.At(1)),
            Is.EqualTo((double.NegativeInfinity, double.PositiveInfinity))
        );
    }

    // The law is symmetric: exactly so where 1 - p is exact.
    [TestCase(.25)]
    [TestCase(.0625)]
    [TestCase(1 / 65536.0)]
    [TestCase(1 / 1099511627776.0)]
    public void Opposite_probabilities_have_opposite_quantiles(double p) =>
        Assert.That(NormalQuantile.At(1 - p), Is.EqualTo(-NormalQuantile.At(p)));
}
