using System.Text.Json;

namespace MqttCheck.AcceptanceTests;

/// <summary>The table of what survives, from live brokers.</summary>
[Platform("Linux")]
[Parallelizable(ParallelScope.All)]
public sealed class SurvivesTests
{
    // The embedded broker keeps everything in memory: a kill loses it, and a pause loses nothing.
    [Test]
    public async Task A_broker_that_keeps_nothing_loses_all_by_a_kill_and_nothing_by_a_pause()
    {
        using var directory = new WorkDirectory();
        var result = await ToolProcess.RunAsync(
            directory.Path,
            "survives",
            "--broker",
            "embedded",
            "--only",
            "kill",
            "--only",
            "freeze",
            "--runs",
            "1"
        );
        Assert.That(result.ExitCode, Is.EqualTo(1), result.ToString);
        var cells = Cells(directory);
        foreach (var column in (string[])["qos1", "qos2", "retained", "sessions"])
        {
            Assert.That(cells[("kill", column)], Is.EqualTo("lost"), result.ToString);
            Assert.That(cells[("freeze", column)], Is.EqualTo("survives"), result.ToString);
        }
        Assert.That(File.Exists(directory.File("survives.html")), Is.True);
        Assert.That(
            result.Output,
            Does.Contain("repeat: mqttcheck survives --broker embedded --only kill --runs 1 --seed 1")
        );
    }

    [Test]
    public async Task An_interrupted_table_is_written_and_the_broker_is_gone()
    {
        using var directory = new WorkDirectory();
        using var tool = ToolProcess.Start(
            directory.Path,
            "survives",
            "--broker",
            "embedded",
            "--only",
            "freeze",
            "--budget",
            "5m"
        );
        await tool.WaitForAsync("run 2;");
        var children = Processes.DescendantsOf(tool.Id);
        var result = await tool.EndAsync("INT");
        Assert.That(result.ExitCode, Is.EqualTo(130), result.ToString);
        Assert.That(Cells(directory)[("freeze", "qos1")], Is.EqualTo("survives"), result.ToString);
        Processes.WaitUntilGone(children);
    }

    private static Dictionary<(string Row, string Column), string> Cells(WorkDirectory directory) =>
        JsonElement
            .Parse(File.ReadAllText(directory.File("survives.json")))
            .GetProperty("rows")
            .EnumerateArray()
            .SelectMany(
                row => row.GetProperty("cells").EnumerateArray(),
                (row, cell) =>
                    (
                        Key: (row.GetProperty("name").GetString()!, cell.GetProperty("column").GetString()!),
                        Verdict: cell.GetProperty("verdict").GetString()!
                    )
            )
            .ToDictionary(cell => cell.Key, cell => cell.Verdict);
}
