using MqttCheck.App.Runs;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Tests.Cluster;

[TestFixture]
internal sealed class ClusterShowTests
{
    [Test]
    public async Task A_triangle_of_bridges_ends_with_code_1_and_its_loop_by_name()
    {
        var (code, output, _) = await ShowAsync("bridge-triangle");
        Assert.That(code, Is.EqualTo(ExitCode.Refuted));
        Assert.That(
            output,
            Does.Contain("loop: a publication on '#' at a goes round a -> b -> c -> a without end")
                .And.Contain("both 1")
        );
    }

    [Test]
    public async Task A_chain_of_bridges_has_routes_and_the_messages_of_each_link()
    {
        var (code, output, _) = await ShowAsync("bridge-chain");
        Assert.That(code, Is.EqualTo(ExitCode.Success));
        Assert.That(output, Does.Contain("no loop").And.Contain("together 2 for one publication"));
        Assert.That(output, Does.Match("a +# +b, c +1 +2"));
    }

    [Test]
    public async Task A_family_shows_its_tree()
    {
        var (code, output, _) = await ShowAsync("line:3");
        Assert.That(code, Is.EqualTo(ExitCode.Success));
        Assert.That(output.ReplaceLineEndings("\n"), Does.Contain("n1  root\n  n2  0 ms\n    n3  0 ms\n"));
    }

    [TestCase("nowhere.json", "there is no such file")]
    [TestCase("mesh:1000", "there is no such file")]
    public async Task Any_other_name_is_wrong_input(string name, string part)
    {
        var (code, _, error) = await ShowAsync(name);
        Assert.That(code, Is.EqualTo(ExitCode.WrongInput));
        Assert.That(error, Does.Contain(part).And.Contain("bridge-pair"));
    }

    private static async Task<(int Code, string Output, string Error)> ShowAsync(string name)
    {
        var screen = new TestScreen();
        using var interruption = new Interruption();
        var code = await ToolCommands.RunAsync(["cluster", "show", name], screen.Screen, interruption);
        return (code, screen.Output, screen.Error);
    }
}
