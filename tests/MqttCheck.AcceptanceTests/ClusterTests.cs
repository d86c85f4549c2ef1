namespace MqttCheck.AcceptanceTests;

/// <summary>A cluster of installed brokers as the target of the tool.</summary>
[Platform("Linux")]
[Category("Whole")]
public sealed class ClusterTests
{
    [Test]
    public async Task A_tool_that_is_killed_leaves_no_node_no_relay_and_no_directory()
    {
        Installed.RequireMosquitto();
        using var directory = new WorkDirectory();
        var before = Directory.GetDirectories(Path.GetTempPath(), "mqttcheck-*");
        using var tool = ToolProcess.Start(
            directory.Path,
            "bench",
            "--broker",
            "cluster:bridge-pair",
            "--pairs",
            "2",
            "--rate",
            "10",
            "--for",
            "10m"
        );
        await tool.WaitForAsync("sent, ");
        var children = Processes.DescendantsOf(tool.Id);
        Assert.That(children, Has.Count.GreaterThanOrEqualTo(2), "each node is a process of its own");
        var made = Directory.GetDirectories(Path.GetTempPath(), "mqttcheck-*").Except(before).ToArray();
        Assert.That(made, Is.Not.Empty);
        tool.Signal("KILL");
        await tool.WaitAsync();
        await Processes.WaitUntilGoneAsync(children);
        Assert.That(() => made.Where(Directory.Exists), Is.Empty.After(10).Seconds.PollEvery(50).MilliSeconds);
    }

    [Test]
    public async Task A_bench_spreads_its_clients_over_the_nodes_and_everything_crosses_the_bridge()
    {
        Installed.RequireMosquitto();
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
        Assert.That(result.ExitCode, Is.Zero, result.ToString);
        Assert.That(result.Output, Does.Contain("cluster:bridge-pair"), result.ToString);
        Assert.That(result.Output, Does.Contain("200 delivered, 0 lost"), result.ToString);
    }
}
