using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Tests.Terminal;

[TestFixture]
internal sealed class ValuesTests
{
    [TestCase("500ms", 500)]
    [TestCase("0.5ms", 0.5)]
    [TestCase("250us", 0.25)]
    [TestCase("60s", 60_000)]
    [TestCase("1.5s", 1500)]
    [TestCase("3m", 180_000)]
    [TestCase("1h", 3_600_000)]
    public void A_duration_has_a_unit(string text, double milliseconds)
    {
        Assert.That(Values.TryDuration(text, out var duration), Is.True);
        Assert.That(duration.TotalMilliseconds, Is.EqualTo(milliseconds).Within(1e-9));
    }

    [TestCase("")]
    [TestCase("20")]
    [TestCase("ms")]
    [TestCase("-5ms")]
    [TestCase("0s")]
    [TestCase("NaNs")]
    [TestCase("1,5s")]
    [TestCase("25h")]
    [TestCase("1e300s")]
    [TestCase("5 parsecs")]
    public void Anything_else_is_no_duration(string text) => Assert.That(Values.TryDuration(text, out _), Is.False);
}
