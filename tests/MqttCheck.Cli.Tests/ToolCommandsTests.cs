using MqttCheck.App.Runs;
using MqttCheck.Cli.Terminal;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests;

public sealed class ToolCommandsTests : DirectoryFixture
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

    [TestCase("predict --model MODEL --profile up1 --clients 5", "No setup was simulated to its end")]
    [TestCase(
        "compare --brokers embedded,embedded:none --password secret --user me --out OUT",
        "No broker was explored"
    )]
    public async Task Interrupted_before_a_result_a_command_says_what_is_kept_and_how_to_repeat_it(
        string command,
        string kept
    )
    {
        var words = TestTool.Filled(command.Split(' '), Folder);
        var screen = new TestScreen();
        using var interruption = new Interruption();
        interruption.Interrupt();
        var code = await ToolCommands.RunAsync(words, screen.Screen, interruption);
        Assert.That(code, Is.EqualTo(ExitCode.Interrupted), screen.Error);
        Assert.That(screen.Error, Does.Contain(kept).And.Contain("interrupted before there was a result"));
        Assert.That(screen.Output, Does.Match("(?m)^repeat: mqttcheck " + words[0]).And.Not.Contain("secret"));
    }
}
