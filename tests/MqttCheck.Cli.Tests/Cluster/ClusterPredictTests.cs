using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Tests.Cluster;

/// <summary>What is refused before anything is simulated, and what a table leaves out.</summary>
[TestFixture]
internal sealed class ClusterPredictTests
{
    private const string Short = "E[ lost ]";

    // A fault after the end of a run never comes: each run would count as repaired.
    [TestCase("it begins at the end or later; allowed: before 3s", "--fault", "kill n1 at 3s")]
    [TestCase("unknown node 'n9'; allowed: n1, n2, n3", "--fault", "kill n9 at 1s")]
    [TestCase("--fault: 'burn n1 at 1s' is not a fault", "--fault", "burn n1 at 1s")]
    [TestCase("names what the topology has not", "--vary", "link(n1,n9).delay=10..80ms:5")]
    public async Task Wrong_input_is_one_message_that_says_what_is_allowed(string part, params string[] arguments)
    {
        var (code, error, _) = await RunAsync(arguments);
        Assert.That(code, Is.EqualTo(ExitCode.WrongInput));
        Assert.That(error, Does.Contain(part));
    }

    [Test]
    public async Task A_topology_whose_links_take_no_time_is_named()
    {
        var (code, _, output) = await RunAsync("--replications", "2");
        Assert.That(code, Is.EqualTo(ExitCode.Success));
        Assert.That(output, Does.Contain("line-3: no link has a delay"));
    }

    [Test]
    public async Task A_variation_of_a_delay_is_the_delay_that_messages_have()
    {
        var (code, _, output) = await RunAsync(
            "-p",
            "Q0.95[ delivery ]",
            "--vary",
            "link(n1,n2).delay=10..80ms:2",
            "--replications",
            "4"
        );
        Assert.That(code, Is.EqualTo(ExitCode.Success));
        Assert.Multiple(() =>
        {
            Assert.That(output, Does.Match(@"delay=10ms +Q0\.95\[ delivery \] +10 "));
            Assert.That(output, Does.Match(@"delay=80ms +Q0\.95\[ delivery \] +80 "));
            Assert.That(output, Does.Not.Contain("no link has a delay"));
        });
    }

    private static async Task<(int Code, string Error, string Output)> RunAsync(params string[] arguments)
    {
        var screen = new TestScreen();
        using var interruption = new Interruption();
        string[] all = ["cluster", "predict", "line:3", "--for", "3s", "-p", Short, .. arguments];
        var code = await ToolCommands.RunAsync(all, screen.Screen, interruption);
        return (code, screen.Error, screen.Output);
    }
}
