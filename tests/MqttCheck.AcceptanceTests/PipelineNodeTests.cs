namespace MqttCheck.AcceptanceTests;

/// <summary>A pipeline's brokers, log and store, each a process of its own.</summary>
[Platform("Linux")]
[Category("Whole")]
public sealed class PipelineNodeTests
{
    private const string File = """
        {
          "name": "small", "system": "pipeline",
          "nodes": [
            { "name": "b1" }, { "name": "b2" }, { "name": "log", "kind": "log" }, { "name": "store", "kind": "store" }
          ],
          "links": [
            { "between": ["b1", "log"] }, { "between": ["b2", "log"] },
            { "between": ["b1", "store"] }, { "between": ["b2", "store"] }
          ],
          "workload": {
            "name": "pairs", "publishers": 8, "subscribers": 8, "arrivals": { "constant": 80 }, "durationSeconds": 4,
            "qos": 1, "persistentSubscribers": true
          }
        }
        """;

    [Test]
    public async Task A_live_run_and_a_simulation_of_one_file_lose_nothing_and_tell_of_acknowledgements()
    {
        using var directory = new WorkDirectory();
        await System.IO.File.WriteAllTextAsync(Path.Combine(directory.Path, "small.json"), File);
        string[] properties =
        [
            .. (string[])["-p", "P[ lost = 0 & duplicates = 0 ]"],
            .. (string[])["-p", "P[ acknowledgement < 10s ]", "-p", "E[ delivery ]"],
        ];
        var live = await ToolProcess.RunAsync(
            directory.Path,
            ["cluster", "run", "small.json", "--runs", "1", .. properties]
        );
        var simulated = await ToolProcess.RunAsync(
            directory.Path,
            ["cluster", "predict", "small.json", "--replications", "2", .. properties]
        );
        foreach (var result in (ToolResult[])[live, simulated])
        {
            Assert.That(result.ExitCode, Is.Zero, result.ToString);
            Assert.That(
                result.Output,
                Does.Match(@"P\[ \(lost = 0 & duplicates = 0\) \] +1 ")
                    .And.Match(@"P\[ acknowledgement < 10000ms \] +1 ")
                    .And.Match(@"E\[ delivery \] +[0-9]"),
                result.ToString
            );
        }
    }

    [TestCase("kill log", Explicit = true)]
    [TestCase("kill store", Explicit = true)]
    [TestCase("kill b1")]
    [TestCase("power log", Explicit = true)]
    [TestCase("power store", Explicit = true)]
    [TestCase("power all")]
    public async Task A_process_that_is_killed_or_whose_power_fails_loses_nothing_that_was_acknowledged(string fault)
    {
        if (fault.StartsWith("power", StringComparison.Ordinal))
            DiskTraces.Require();
        using var directory = new WorkDirectory();
        await System.IO.File.WriteAllTextAsync(Path.Combine(directory.Path, "small.json"), File);
        var result = await ToolProcess.SucceedAsync(
            directory.Path,
            "cluster",
            "run",
            "small.json",
            "--runs",
            "1",
            "--fault",
            $"{fault} at 1s for 100ms",
            "-p",
            "P[ lost = 0 ]"
        );
        Assert.That(result.Output, Does.Contain("P[ lost = 0 ]  1 (").And.Contain(fault), result.ToString);
    }

    [Test]
    public async Task A_node_that_does_not_come_back_with_damaged_files_is_told_and_the_next_run_begins_anew()
    {
        using var directory = new WorkDirectory();
        await System.IO.File.WriteAllTextAsync(Path.Combine(directory.Path, "small.json"), File);
        var result = await ToolProcess.RunAsync(
            directory.Path,
            [
                "cluster",
                "run",
                "small.json",
                "--runs",
                "2",
                "--fault",
                "kill log at 1s for 1s",
                "--fault",
                "damage log ent* bits=50 at 1500ms",
                "-p",
                "P[ lost = 0 ]",
            ]
        );
        // Messages that the log had taken and not handed on are lost, if there were any.
        Assert.That(result.ExitCode, Is.AnyOf(0, 1), result.ToString);
        Assert.That(
            result.Output,
            Does.Contain("log/entries: 50 of its bits turned over").And.Match("in 2 runs"),
            result.ToString
        );
        Assert.That(
            result.Error + result.Output,
            Does.Contain("run 1: Node log did not come back after 'kill log at 1s for 1s': it ")
                .And.Contain("is damaged at byte")
                .And.Contain("run 2: Node log did not come back"),
            result.ToString
        );
    }
}
