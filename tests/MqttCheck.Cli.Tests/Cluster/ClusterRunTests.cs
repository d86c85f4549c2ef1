using MqttCheck.App.Runs;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Tests.Cluster;

/// <summary>What is refused before anything starts.</summary>
[TestFixture]
internal sealed class ClusterRunTests
{
    [Test]
    public async Task Bridges_that_loop_are_refused_with_the_loop_by_name()
    {
        var (code, error) = await RunAsync("bridge-triangle");
        Assert.That(code, Is.EqualTo(ExitCode.WrongInput));
        Assert.That(error, Does.Contain("goes round a -> b -> c -> a without end").And.Contain("--allow-loops"));
    }

    [TestCase("--fault: 'burn a at 1s' is not a fault", "bridge-pair", "--fault", "burn a at 1s")]
    [TestCase("unknown node 'z'; allowed: a, b", "bridge-pair", "--fault", "kill z at 1s")]
    [TestCase("begins at the end or later", "bridge-pair", "--fault", "kill a at 1s", "--for", "500ms")]
    [TestCase("--property, column 4: unknown measure 'late'", "bridge-pair", "-p", "P[ late = 0 ]")]
    [TestCase("scenario \"nothing\": there is no such file", "bridge-pair", "--scenario", "nothing")]
    [TestCase("--error: '0.6' is not allowed", "bridge-pair", "--error", "0.6")]
    public async Task Wrong_input_is_one_message_that_says_what_is_allowed(string part, params string[] arguments)
    {
        var (code, error) = await RunAsync(arguments);
        Assert.That(code, Is.EqualTo(ExitCode.WrongInput));
        Assert.That(error, Does.Contain(part));
    }

    private static async Task<(int Code, string Error)> RunAsync(params string[] arguments)
    {
        var screen = new TestScreen();
        using var interruption = new Interruption();
        var code = await ToolCommands.RunAsync(["cluster", "run", .. arguments], screen.Screen, interruption);
        return (code, screen.Error);
    }
}
