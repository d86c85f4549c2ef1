using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Tests.Terminal;

[TestFixture]
internal sealed class RatesTests
{
    [TestCase("800", 800)]
    [TestCase("1k", 1000)]
    [TestCase("2.5k", 2500)]
    [TestCase("1M", 1_000_000)]
    public void A_rate_may_have_a_factor(string text, double rate)
    {
        Assert.That(Rates.TryParse(text, out var read));
        Assert.That(read, Is.EqualTo(rate));
    }

    [TestCase("0")]
    [TestCase("-1")]
    [TestCase("1,5k")]
    [TestCase("11M")]
    [TestCase("k")]
    [TestCase("NaN")]
    public void Other_texts_are_no_rate(string text) => Assert.That(Rates.TryParse(text, out _), Is.False);

    [Test]
    public void Steps_have_a_constant_ratio_to_two_digits() =>
        Assert.That(
            Rates.Geometric(1000, 50_000, 5),
            Is.EqualTo((double[])[1000, 2700, 7100, 19_000, 50_000]).Within(1e-6)
        );

    [Test]
    public void Ends_are_kept_exactly() => Assert.That(Rates.Geometric(123, 456, 2), Is.EqualTo((double[])[123, 456]));
}
