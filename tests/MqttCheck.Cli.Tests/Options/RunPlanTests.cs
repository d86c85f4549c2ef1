using MqttCheck.App.Runs;

namespace MqttCheck.Cli.Tests.Options;

[TestFixture]
internal sealed class RunPlanTests
{
    [Test]
    public void Exploring_longer_or_shorter_changes_nothing_else_but_that_a_short_exploration_is_coarse()
    {
        Assert.That(RunPlan.Full.ExploringFor(null), Is.SameAs(RunPlan.Full));
        Assert.That(
            RunPlan.Full.ExploringFor(TimeSpan.FromSeconds(120)),
            Is.EqualTo(RunPlan.Full with { Exploration = TimeSpan.FromSeconds(120) })
        );
        Assert.That(
            RunPlan.Full.ExploringFor(TimeSpan.FromSeconds(10)),
            Is.EqualTo(RunPlan.Full with { Exploration = TimeSpan.FromSeconds(10), Coarse = true })
        );
        Assert.That(
            RunPlan.Quick.ExploringFor(TimeSpan.FromSeconds(60)).Coarse,
            Is.True,
            "what else a quick run does stays quick"
        );
    }
}
