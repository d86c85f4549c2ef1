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

    // The capture of the repository: sensors and dashboards that paho ran on Mosquitto.
    [Test]
    public async Task The_profile_of_the_clients_stands_beside_the_model_and_is_predicted_as_it_is()
    {
        using var directory = new WorkDirectory();

        var learned = await ToolProcess.SucceedAsync(
            directory.Path,
            "learn",
            RepositoryFiles.At("samples/captures/plant.pcap"),
            "--names",
            "--learner",
            "binned-quantiles"
        );

        Assert.That(learned.Output, Does.Contain("population: 8 clients in 2 groups"));
        Assert.That(
            learned.Output,
            Does.Match("sensor: 6 clients, every 50\\d.* 40 to 60 bytes, QoS 1, to a topic of")
        );
        Assert.That(learned.Output, Does.Contain("dashboard: 2 clients, subscribed at QoS 0 to plant/+/temp"));
        Assert.That(learned.Output, Does.Contain("profile: models/plant.profile.json"));
        var predicted = await ToolProcess.SucceedAsync(
            directory.Path,
            "predict",
            "--model",
            "models/plant.json",
            "--profile",
            "models/plant.profile.json",
            "--clients",
            "8",
            "--threshold",
            "20ms",
            "--replications",
            "20"
        );
        Assert.That(predicted.Output, Does.Contain("captured"));
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
