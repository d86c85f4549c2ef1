using MathNet.Numerics;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Statistics;

[TestFixture]
public sealed class LogGammaTests
{
    // By python3: math.lgamma(x).
    [TestCase(1e-9, 20.723265836369194)]
    [TestCase(.5, 0.5723649429247004)]
    [TestCase(1, 0)]
    [TestCase(2, 0)]
    [TestCase(9.999, 12.799575780077417)]
    [TestCase(10, 12.801827480081469)]
    [TestCase(1234.5, 7550.550901077896)]
    public void The_logarithm_of_the_gamma_function_is_the_known_one(double x, double expected) =>
        Assert.That(LogGamma.Of(x), Is.EqualTo(expected).Within(1e-14 * Math.Max(1, expected)));

    [Test]
    public void It_is_that_of_the_library_from_the_smallest_to_the_largest_arguments_of_a_likelihood()
    {
        for (var x = 1e-6; x < 1e7; x *= 1.01)
        {
            var expected = SpecialFunctions.GammaLn(x);
            Assert.That(LogGamma.Of(x), Is.EqualTo(expected).Within(1e-14 * Math.Max(10, Math.Abs(expected))), $"{x}");
        }
    }
}
