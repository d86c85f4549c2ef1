using System.Text.Json;
using MqttCheck.Captures.Tests;
using MqttCheck.Learning.Data;
using MqttCheck.Logs;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests.Bench;

/// <summary>A capture is sent to a broker as a bench, with a log to learn from.</summary>
[TestFixture]
internal sealed class BenchReplayTests : DirectoryFixture
{
    private const int Publications = 120;

    private string Capture => In("plant.pcapng");

    [SetUp]
    public void WriteCapture() => File.WriteAllBytes(Capture, Scenes.Plant(Publications).PcapNg());

    [Test]
    public async Task A_replay_prints_its_measures_and_writes_a_log_to_learn_from()
    {
        string[] replay = ["bench", "--replay", Capture, "--speed", "5", "--out", Folder];
        var (code, screen) = await TestTool.RunAsync(replay);

        // On a loaded machine the generator may be late, which is said; nothing else may be wrong.
        Assert.That(code, Is.EqualTo(ExitCode.Success).Or.EqualTo(ExitCode.Withheld), screen.Error);
        Assert.That(
            screen.Output,
            Does.Contain("replay of plant.pcapng: 2 clients")
                .And.Contain("at its times, 5 times as fast")
                .And.Contain($"{Publications + 4} success")
                .And.Contain("send lag of the generator itself")
        );
        using var json = JsonDocument.Parse(await File.ReadAllTextAsync(In("bench.json")));
        var run = json.RootElement.GetProperty("runs")[0];
        Assert.That(run.GetProperty("latency").GetProperty("count").GetInt64(), Is.EqualTo(Publications));
        var log = ExchangeLogReader.Read(In("exchanges.csv"));
        Assert.That(log.Exchanges, Has.Length.EqualTo(Publications + 4));
        Assert.That(TrainingData.From(log).Runs.Single().Clients, Is.EqualTo(2));
    }

    [Test]
    public async Task Options_that_do_not_fit_are_refused()
    {
        await TestTool.AssertRefusedAsync(["bench", "--speed", "2"], "--speed", "--replay");
        await TestTool.AssertRefusedAsync(["bench", "--replay", Capture, "--share", "0%"], "'0%'", "100%");
        await TestTool.AssertRefusedAsync(["bench", "--replay", Capture, "--rate", "5"], "--rate", "--replay");
        await TestTool.AssertRefusedAsync(["bench", "--replay", In("none.pcap")], "none.pcap", "pcapng");
        await File.WriteAllTextAsync(In("log.csv"), "message,active_messages\n");
        await TestTool.AssertRefusedAsync(
            ["bench", "--replay", In("log.csv")],
            "is no capture",
            "pcapng",
            "Next step",
            "--profile"
        );
    }
}
