namespace MqttCheck.Cli.Tests.Survives;

/// <summary>The refusals of the command, before anything starts.</summary>
[TestFixture]
internal sealed class SurvivesCommandTests
{
    [TestCase("neither a broker nor a cluster", new string[0])]
    [TestCase("mosquito", new[] { "--broker", "mosquito" })]
    [TestCase("given beside", new[] { "nats-3", "--broker", "nats" })]
    [TestCase("such as 5% or 0.05", new[] { "--broker", "embedded", "--at-most", "0" })]
    [TestCase("such as 5% or 0.05", new[] { "--broker", "embedded", "--at-most", "100%" })]
    [TestCase("'earthquake' is no fault", new[] { "--broker", "embedded", "--only", "earthquake" })]
    [TestCase(
        "cannot suffice: 'at most 1 %' takes",
        new[] { "--broker", "embedded", "--only", "kill", "--at-most", "1%", "--budget", "1m" }
    )]
    [TestCase("cannot suffice: 1 run of each of", new[] { "--broker", "embedded", "--only", "kill", "--budget", "5s" })]
    public Task A_wrong_command_line_is_refused_with_what_is_allowed(string said, string[] arguments) =>
        TestTool.AssertRefusedAsync(["survives", .. arguments], said, "allowed");
}
