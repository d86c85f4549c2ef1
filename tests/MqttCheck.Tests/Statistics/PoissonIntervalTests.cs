using MqttCheck.Statistics;

namespace MqttCheck.Tests.Statistics;

[TestFixture]
internal sealed class PoissonIntervalTests
{
    // Garwood, Fiducial limits for the Poisson distribution, Biometrika 28 (1936), and Ulm, Am. J. Epidemiol. 131
    // (1990), table 1: exact 95 % limits. For 0 the one-sided limit: the rule of three. Those of 90 % in R: qchisq(.05,
    // 14) / 2 and qchisq(.95, 16) / 2; for 0 the one-sided -log(.1).
    [TestCase(0, .95, 0, 2.9957)]
    [TestCase(1, .95, .0253, 5.5716)]
    [TestCase(3, .95, .6187, 8.7673)]
    [TestCase(10, .95, 4.7954, 18.3904)]
    [TestCase(50, .95, 37.1110, 65.9188)]
    [TestCase(7, .9, 3.285315691894672, 13.1481138024321176)]
    [TestCase(0, .9, 0, 2.3025850929940455)]
    public void The_limits_are_the_exact_ones(long count, double confidence, double lower, double upper)
    {
        var interval = PoissonInterval.Of(count, confidence);
        Assert.That((interval.Lower, interval.Upper), Is.EqualTo((lower, upper)).Within(5e-4));
    }

    [TestCase(-1, .95)]
    [TestCase(1, 0)]
    [TestCase(1, 1)]
    public void What_is_no_count_or_no_confidence_is_refused(long count, double confidence) =>
        Assert.That(() => PoissonInterval.Of(count, confidence), Throws.InstanceOf<ArgumentOutOfRangeException>());

    [Test]
    public void A_refused_confidence_is_told_its_range() =>
        Assert.That(
            () => PoissonInterval.Of(1, double.NaN),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains("above 0 and below 1")
        );
}
