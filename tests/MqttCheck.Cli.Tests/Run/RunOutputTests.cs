using MqttCheck.Cli.Run;

namespace MqttCheck.Cli.Tests.Run;

/// <summary>A run says what would have led to a verdict.</summary>
[TestFixture]
internal sealed class RunOutputTests
{
    [Test]
    public void A_short_exploration_is_blamed_for_a_vague_prediction() =>
        Assert.That(RunOutput.Advice(TimeSpan.FromSeconds(10), isVague: true), Does.EndWith("--explore-for 60s"));

    [TestCase(60, true)]
    [TestCase(10, false)]
    public void Nothing_is_advised_otherwise(int seconds, bool isVague) =>
        Assert.That(RunOutput.Advice(TimeSpan.FromSeconds(seconds), isVague), Is.Null);
}
