using System.Text.Json;

namespace MqttCheck.AcceptanceTests;

/// <summary>
/// The whole pipeline as a user runs it; the seed is the default, 1. The delays of the embedded broker are long beside
/// what a machine adds whose processors are busy, or are taken by its host, for milliseconds at a time. With the
/// default delay, 5 ms at the median, such a machine makes another broker from run to run, whose predictions are
/// rightly not confirmed. That is also why two runs may share the machine.
/// </summary>
[Parallelizable(ParallelScope.All)]
public sealed class PipelineTests
{
    // An error of .001: a right prediction is refuted in one of a thousand runs at most. An indifference of .15, and a
    // budget that is not used up, so that no verdict is withheld. Some .74 of the sequences end within 140 ms, so that
    // both sides can be tested.
    [Test]
    [Category("AloneOnTheMachine")]
    public async Task A_run_on_the_embedded_broker_confirms_its_prediction_and_ends_with_0()
    {
        const string run =
            "run --profile up2 --delay lognormal:50ms,0.5 --explore-for 30s --threshold 140ms --error 0.001 "
            + "--indifference 0.15 --budget 150s";
        using var directory = new WorkDirectory();
        var result = await ToolProcess.SucceedAsync(directory.Path, run.Split(' '));
        Assert.That(Verdicts(directory), Is.EqualTo(["up2 confirmed"]), result.ToString);
        Assert.That(result.Output, Does.Contain($"repeat: mqttcheck {run} --seed 1"));
        Assert.That(File.ReadAllText(directory.File("report.html")), Does.Contain("embedded").And.Contain("</html>"));
    }

    // Where .85 of the sequences were in time at first, hardly one is so with the second delay. Even a vague prediction
    // is refuted by that in three runs.
    [Test]
    [Category("AloneOnTheMachine")]
    public async Task A_run_whose_broker_is_slowed_after_learning_refutes_the_predictions_and_ends_with_1()
    {
        // The slowed broker makes runs longer than planned, and three of each profile are needed.
        const string run = "run --quick --delay lognormal:50ms,0.5 --verify-delay lognormal:120ms,0.5 --budget 180s";
        using var directory = new WorkDirectory();
        var result = await ToolProcess.RunAsync(directory.Path, run.Split(' '));
        Assert.That(result.ExitCode, Is.EqualTo(1), result.ToString);
        Assert.That(Verdicts(directory), Is.EqualTo(["up1 worse", "up2 worse"]), result.ToString);
        Assert.That(result.Error, Does.Contain("broker setting delay: lognormal:120ms,0.5 is measured"));
    }

    [Test]
    public async Task A_quick_run_passes_through_all_stages_with_Mosquitto_and_leaves_nothing_running()
    {
        Missing.Require("mosquitto", "apt-get install mosquitto (Debian, Ubuntu), brew install mosquitto (macOS)");
        using var directory = new WorkDirectory();
        using var tool = ToolProcess.Start(directory.Path, "run", "--quick", "--broker", "mosquitto");
        await tool.WaitForAsync(@"Explore: [3-7]\d %");
        var children = Processes.DescendantsOf(tool.Id);
        Assert.That(children, Is.Not.Empty, "the broker is a process of its own");
        var result = await tool.WaitAsync();
        // The latencies of a real broker are not known beforehand, so any verdict may come. The exit code follows from
        // it.
        var verdicts = Verdicts(directory);
        Assert.That(verdicts, Has.Length.GreaterThanOrEqualTo(1), result.ToString);
        var kinds = verdicts.Select(verdict => verdict.Split(' ')[1]).ToArray();
        var expected =
            kinds.Any(kind => kind is "worse" or "better") ? 1
            : kinds.All(kind => kind is "confirmed" or "not-worse") ? 0
            : 4;
        Assert.That(result.ExitCode, Is.EqualTo(expected), result.ToString);
        Assert.That(result.Output, Does.Contain("Coarse result of a short run."));
        Assert.That(result.Error, Does.Match(@"broker: mosquitto \d+\.\d+\.\d+ \(settings default"));
        Processes.WaitUntilGone(children);
    }

    // "up1 confirmed", by profile.
    private static string[] Verdicts(WorkDirectory directory)
    {
        using var document = JsonDocument.Parse(File.ReadAllText(directory.Only("verdicts", "*.json")));
        return
        [
            .. document
                .RootElement.GetProperty("verdicts")
                .EnumerateArray()
                .Select(verdict =>
                    $"{verdict.GetProperty("point").GetProperty("profile").GetString()} "
                    + $"{verdict.GetProperty("kind").GetString()!.ToLowerInvariant()}"
                )
                .Order(StringComparer.Ordinal),
        ];
    }
}
