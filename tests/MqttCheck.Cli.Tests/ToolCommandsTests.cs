using MqttCheck.App.Runs;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Tests;

public sealed class ToolCommandsTests
{
    [Test]
    public void A_command_is_made_under_the_name_that_it_has()
    {
        using var interruption = new Interruption();
        foreach (var (name, create) in ToolCommands.Commands(new TestScreen().Screen, interruption, []))
            Assert.That(create().Name, Is.EqualTo(name));
    }

    // A line that names a command makes that command only: what is meant by another name has to be known still.
    [Test]
    public Task A_command_that_does_not_exist_is_compared_with_all_that_do() =>
        TestTool.AssertRefusedAsync(["predikt"], "predict");
}
