using MqttCheck.Cli.Live;

namespace MqttCheck.Cli.Tests.Live;

[TestFixture]
internal sealed class StageSeedsTests
{
    [Test]
    public void Every_stage_makes_its_own_choices() =>
        Assert.That(
            new[]
            {
                StageSeeds.Explore(1),
                StageSeeds.Predict(1),
                StageSeeds.Verify(1),
                StageSeeds.Broker(1),
                StageSeeds.Explore(2),
            },
            Is.Unique
        );
}
