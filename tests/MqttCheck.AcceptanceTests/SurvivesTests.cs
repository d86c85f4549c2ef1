using System.Text.Json;
using MqttCheck.App.Clusters.Survival.Search;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Survives;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.Recipes;

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

    // The embedded broker keeps nothing, so that one kill is the smallest schedule that loses something.
    [Test]
    public async Task The_worst_schedule_is_a_scenario_that_the_printed_command_runs()
    {
        using var directory = new WorkDirectory();
        var worst = new SearchSchedule([new("kill", "any", 1000, 500)], Pairs: 2, Messages: 40);
        var topology = SingleBroker.TopologyOf(BrokerSpecification.Parse("embedded"));
        await File.WriteAllBytesAsync(
            directory.File("worst.json"),
            ScenarioFile.ToBytes(worst.ScenarioOf(topology, TimeSpan.FromSeconds(.5), maximumQos: 2))
        );
        string[] searched = ["survives", "--broker", "embedded", "--search", "--only=kill", "--budget", "6m"];
        var command = SurvivesRepeat.OfWorst(searched, 1, "worst.json");
        Assert.That(
            command,
            Is.EqualTo("mqttcheck cluster run --broker embedded --scenario worst.json --runs 5 --seed 1")
        );
        var result = await ToolProcess.RunAsync(
            directory.Path,
            command.Replace("--runs 5", "--runs 1", StringComparison.Ordinal).Split(' ')[1..]
        );
        Assert.That(result.ExitCode, Is.AnyOf(1, 4), result.ToString);
        Assert.That(result.Output, Does.Match(@"\b[1-9]\d* lost"), result.ToString);
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
