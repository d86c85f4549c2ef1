using MqttCheck.App.Runs;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Tests.Cluster;

/// <summary>What is refused before anything starts.</summary>
[TestFixture]
internal sealed class ClusterCompareTests
{
    [TestCase("one topology is given; allowed: two topologies, or one with --vary", "transport-capacity")]
    [TestCase("--vary: two topologies are given", "mesh:3", "ring:3", "--vary", "hop=qos1,qos2")]
    [TestCase("has 1 values; allowed: two values", "transport-capacity", "--vary", "design=4.18")]
    [TestCase("'5' is not allowed in 'design=4.18,5'", "transport-capacity", "--vary", "design=4.18,5")]
    [TestCase("--property, column 8: unknown measure 'late'", "mesh:3", "ring:3", "-p", "ratio[ late ]")]
    [TestCase("--pairs: '1' is not allowed", "mesh:3", "ring:3", "--pairs", "1")]
    [TestCase("goes round a -> b -> c -> a without end", "mesh:3", "bridge-triangle")]
    public Task Wrong_input_is_one_message_that_says_what_is_allowed(string part, params string[] arguments) =>
        TestTool.AssertRefusedAsync(["cluster", "compare", .. arguments], part);
}
