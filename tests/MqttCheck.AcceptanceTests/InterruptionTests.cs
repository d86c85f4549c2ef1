namespace MqttCheck.AcceptanceTests;

/// <summary>Ctrl-C is a normal way to end: whole files, no process left, a partial result that says so.</summary>
[Platform("Linux")]
[Parallelizable(ParallelScope.All)]
public sealed class InterruptionTests
{
    [TestCase("INT", 1)]
    [TestCase("INT", 2, Explicit = true)]
    [TestCase("TERM", 1, Explicit = true)]
    public async Task Interrupted_while_exploring_the_log_is_whole_and_the_broker_is_gone(string signal, int times)
    {
        using var directory = new WorkDirectory();
        using var tool = ToolProcess.Start(directory.Path, "run", "--quick");
        await tool.WaitForAsync(@"Explore: [3-7]\d %");
        var children = Processes.DescendantsOf(tool.Id);
        Assert.That(children, Is.Not.Empty, "the broker is a process of its own");
        for (var i = 0; i < times; i++)
            tool.Signal(signal);
        var result = await tool.WaitAsync();

        Assert.That(result.ExitCode, Is.EqualTo(130), result.ToString);
        Assert.That(result.Output, Does.Contain("partial"), result.ToString);
        Assert.That(result.Error, Does.Not.Contain("   at "), result.ToString);
        Processes.WaitUntilGone(children);
        var log = directory.Only("logs", "*.csv");
        AssertWhole(log);
        await ToolProcess.SucceedAsync(directory.Path, "learn", log);
        Assert.That(File.ReadAllText(directory.Only("reports", "*.html")), Does.Contain("</html>"));
        Assert.That(directory.File("report.html"), Does.Not.Exist, "which is a copy of the last good report");
    }

    [Test]
    public async Task Interrupted_while_verifying_what_was_learned_and_predicted_is_kept_and_printed()
    {
        using var directory = new WorkDirectory();
        using var tool = ToolProcess.Start(directory.Path, "run", "--quick");
        // On a busy machine runs may not count; that one goes on is said all the same.
        await tool.WaitForAsync(@"Verify: \d+ %, run \d");
        var children = Processes.DescendantsOf(tool.Id);
        var result = await tool.EndAsync("INT");

        Assert.That(result.ExitCode, Is.EqualTo(130), result.ToString);
        Assert.That(result.Output, Does.Contain("Interrupted: what follows is partial."));
        Assert.That(
            result.Output,
            Does.Match(@"(partial|withheld) +up[12], \d+ clients, .*: predicted 0\.\d+"),
            result.ToString
        );
        Processes.WaitUntilGone(children);
        AssertWhole(directory.Only("logs", "*.csv", without: ".verify."));
        AssertWhole(directory.Only("logs", "*.verify.csv"));
        Assert.That(directory.Only("models", "*.json"), Does.Exist);
        Assert.That(directory.Only("predictions", "*.json"), Does.Exist);
    }

    [Test]
    public async Task A_killed_tool_leaves_no_broker_behind()
    {
        using var directory = new WorkDirectory();
        using var tool = ToolProcess.Start(directory.Path, "run", "--quick");
        await tool.WaitForAsync("broker: embedded");
        var children = Processes.DescendantsOf(tool.Id);
        Assert.That(children, Is.Not.Empty);
        await tool.EndAsync("KILL");
        Processes.WaitUntilGone(children);
    }

    private static void AssertWhole(string log)
    {
        var text = File.ReadAllText(log);
        Assert.That(text, Does.EndWith("\n"));
        var lines = text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        var columns = lines[0].Count(c => c == ',');
        Assert.That(lines, Has.All.Matches<string>(line => line.Count(c => c == ',') == columns), log);
    }
}
