using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;
using MqttCheck.Testing;

namespace TUnitRequirements;

/// <summary>
/// The requirements of this system on its MQTT broker, in TUnit. To see them fail, slow the embedded broker down:
/// <c>MQTTCHECK_DELAY=constant:80ms dotnet run</c>.
/// </summary>
[NotInParallel]
public sealed class RequirementTests
{
    // Sixty devices that report twenty times a second.
    private static readonly UsageProfile s_devices = new()
    {
        Name = "devices",
        WaitMilliseconds = new UniformLaw(0, 100),
        Weights = new(Connect: 1, Disconnect: 1, Publish: 8, Subscribe: 1, Unsubscribe: 1),
        SequenceLength = 4,
    };

    // Short runs: a verdict takes some seconds.
    private static readonly MeasureOptions s_options = new() { SequencesPerClient = 1 };

    [Test]
    public async Task Publish_is_acknowledged_in_time(CancellationToken cancellation)
    {
        await using var broker = await TestBroker.StartAsync("embedded");
        var measurement = await broker.Measure(s_devices, clients: 60, s_options);
        Requirement
            .Acknowledgement(below: 50.Milliseconds(), probability: 0.9)
            .Decide(measurement, Host(cancellation))
            .ThrowIfNotMet();
    }

    // Reports and pictures become artifacts of the test.
    private static TestHost Host(CancellationToken cancellation)
    {
        var context = TestContext.Current!;
        return new()
        {
            Name = context.Metadata.DisplayName,
            Directory = "mqttcheck-reports",
            Token = cancellation,
            WriteProgress = context.Output.WriteLine,
            Attach = (path, what) => context.Output.AttachArtifact(path, what),
        };
    }
}
