using MqttCheck.Captures.Tests;

namespace MqttCheck.AcceptanceTests;

/// <summary>A model is learned from a capture as from a log.</summary>
[TestFixture]
internal sealed class LearnFromCaptureTests
{
    [Test]
    public async Task Learn_takes_a_capture_in_the_place_of_a_log()
    {
        using var directory = new WorkDirectory();
        await File.WriteAllBytesAsync(
            Path.Combine(directory.Path, "traffic.pcapng"),
            Scenes.Plant(publications: 200).PcapNg()
        );

        var learned = await ToolProcess.SucceedAsync(
            directory.Path,
            "learn",
            "traffic.pcapng",
            "--learner",
            "binned-quantiles"
        );

        Assert.That(learned.Output, Does.Contain("capture: 204 exchanges of 2 clients on 1 topics in"));
        Assert.That(learned.Output, Does.Contain("times: broker and clients were on one machine"));
        Assert.That(learned.Output, Does.Contain("exchanges: 2 connect, 1 disconnect, 200 publish, 1 subscribe"));
        Assert.That(File.Exists(Path.Combine(directory.Path, "models", "traffic.json")), learned.ToString);
        // The log that was made is one as any other.
        await ToolProcess.SucceedAsync(
            directory.Path,
            "learn",
            Path.Combine("logs", "traffic.csv"),
            "--learner",
            "binned-quantiles"
        );
    }

    [Test]
    public async Task Options_of_captures_are_refused_without_one()
    {
        using var directory = new WorkDirectory();

        var result = await ToolProcess.RunAsync(
            directory.Path,
            "learn",
            RepositoryFiles.At("samples/logs/embedded.csv.gz"),
            "--port",
            "1883"
        );

        Assert.That(result.Output + result.Error, Does.Contain("--port: none of the files is a capture of packets"));
    }
}
