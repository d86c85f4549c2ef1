using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Sequential;

namespace MqttCheck.Tests.Sequential;

public sealed class HolmCorrectionTests
{
    // In R: p.adjust(c(.01, .04, .03, .005, .6, .5), "holm") and p.adjust(c(.2, .3, .2), "holm").
    [Test]
    public void It_is_that_of_R()
    {
        Assert.That(
            HolmCorrection.Adjust([.01, .04, .03, .005, .6, .5]),
            Is.EqualTo(new[] { .05, .12, .12, .03, 1, 1 }).Within(1e-12)
        );
        Assert.That(HolmCorrection.Adjust([.2, .3, .2]), Is.EqualTo(new[] { .6, .6, .6 }).Within(1e-12));
        Assert.That(HolmCorrection.Adjust([0, 1]), Is.EqualTo(new double[] { 0, 1 }));
    }

    // Closed testing: at any error the same hypotheses are rejected as by going through the p-values from the smallest.
    [Test]
    public void It_rejects_what_Holms_steps_reject() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(500).WithReplay(3, 5),
            Prop.ForAll(
                Gen.Choose(0, 400).Select(value => value / 1000.0 + .0003).NonEmptyListOf().ToArbitrary(),
                Gen.Choose(1, 400).Select(value => value / 1000.0).ToArbitrary(),
                (pValues, error) =>
                {
                    var ascending = pValues.Order().ToArray();
                    var rejected = 0;
                    while (rejected < ascending.Length && ascending[rejected] * (ascending.Length - rejected) <= error)
                        rejected++;
                    return HolmCorrection.Adjust([.. pValues]).Count(adjusted => adjusted <= error) == rejected;
                }
            )
        );

    [TestCase(-.001)]
    [TestCase(1.001)]
    [TestCase(double.NaN)]
    public void A_number_that_is_no_probability_is_refused(double value) =>
        Assert.That(
            () => HolmCorrection.Adjust([.5, value]),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains("a p-value must be in 0 .. 1")
        );
}
