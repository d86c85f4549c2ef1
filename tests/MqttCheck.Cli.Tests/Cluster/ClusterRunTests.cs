using MqttCheck.App.Runs;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Tests.Cluster;

/// <summary>What is refused before anything starts.</summary>
[TestFixture]
internal sealed class ClusterRunTests
{
    [Test]
    public Task Bridges_that_loop_are_refused_with_the_loop_by_name() =>
        TestTool.AssertRefusedAsync(
            ["cluster", "run", "bridge-triangle"],
            "goes round a -> b -> c -> a without end",
            "--allow-loops"
        );

    [TestCase("--fault: 'burn a at 1s' is not a fault", "bridge-pair", "--fault", "burn a at 1s")]
    [TestCase("unknown node 'z'; allowed: a, b", "bridge-pair", "--fault", "kill z at 1s")]
    [TestCase("begins at the end or later", "bridge-pair", "--fault", "kill a at 1s", "--for", "500ms")]
    [TestCase("--property, column 4: unknown measure 'late'", "bridge-pair", "-p", "P[ late = 0 ]")]
    [TestCase("scenario \"nothing\": there is no such file", "bridge-pair", "--scenario", "nothing")]
    [TestCase("--error: '0.6' is not allowed", "bridge-pair", "--error", "0.6")]
    public Task Wrong_input_is_one_message_that_says_what_is_allowed(string part, params string[] arguments) =>
        TestTool.AssertRefusedAsync(["cluster", "run", .. arguments], part);
}
