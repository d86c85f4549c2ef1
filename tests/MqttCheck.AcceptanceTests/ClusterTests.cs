namespace MqttCheck.AcceptanceTests;

/// <summary>A cluster of installed brokers as the target of the tool.</summary>
[Platform("Linux")]
[Parallelizable(ParallelScope.All)]
public sealed class ClusterTests
{
    [Test]
    public async Task A_tool_that_is_killed_leaves_no_node_no_relay_and_no_directory()
    {
        Missing.Require("mosquitto", "apt-get install mosquitto (Debian, Ubuntu), brew install mosquitto (macOS)");
        using var directory = new WorkDirectory();
        var temporary = Directory.CreateDirectory(directory.File("temporary")).FullName;
        using var tool = ToolProcess.Start(
            directory.Path,
            new Dictionary<string, string> { ["TMPDIR"] = temporary },
            ["bench", "--broker", "cluster:bridge-pair", "--pairs", "2", "--rate", "10", "--for", "10m"]
        );
        await tool.WaitForAsync("sent, ");
        var children = Processes.DescendantsOf(tool.Id);
        Assert.That(children, Has.Count.GreaterThanOrEqualTo(2), "each node is a process of its own");
        Assert.That(Directory.GetDirectories(temporary, "mqttcheck-*"), Is.Not.Empty);
        await tool.EndAsync("KILL");
        Processes.WaitUntilGone(children);
        Assert.That(
            () => Directory.GetDirectories(temporary, "mqttcheck-*"),
            Is.Empty.After(10).Seconds.PollEvery(50).MilliSeconds
        );
    }

    [Test]
    public async Task A_bench_spreads_its_clients_over_the_nodes_and_everything_crosses_the_bridge()
    {
        Missing.Require("mosquitto", "apt-get install mosquitto (Debian, Ubuntu), brew install mosquitto (macOS)");
        using var directory = new WorkDirectory();
        var result = await ToolProcess.RunAsync(
            directory.Path,
            "bench",
            "--broker",
            "cluster:bridge-pair",
            "--pairs",
            "4",
            "--rate",
            "100",
            "--for",
            "2s"
        );
        // Other work on this machine may make the generator late; then code 4 says so.
        Assert.That(result.ExitCode, Is.AnyOf(0, 4), result.ToString);
        Assert.That(
            result.Output,
            Does.Contain("cluster:bridge-pair").And.Contain("200 delivered, 0 lost"),
            result.ToString
        );
    }
}
