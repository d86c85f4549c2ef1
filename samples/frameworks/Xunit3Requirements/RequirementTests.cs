using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;
using MqttCheck.Testing;

namespace Xunit3Requirements;

/// <summary>
/// The requirements of this system on its MQTT broker, in xUnit v3. To see them fail, slow the embedded broker down:
/// <c>MQTTCHECK_DELAY=constant:80ms dotnet run</c>.
/// </summary>
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

    [Fact]
    public async Task Publish_is_acknowledged_in_time()
    {
        var cancellation = TestContext.Current.CancellationToken;
        await using var broker = await TestBroker.StartAsync("embedded", cancellation: cancellation);
        var measurement = await broker.Measure(s_devices, clients: 60, s_options, cancellation);
        Requirement
            .Acknowledgement(below: 50.Milliseconds(), probability: 0.9)
            .Decide(measurement, Host())
            .ThrowIfNotMet();
    }

    // Reports and pictures become attachments of the test.
    private static TestHost Host()
    {
        var context = TestContext.Current;
        return new()
        {
            Name = context.Test!.TestDisplayName,
            Directory = "mqttcheck-reports",
            WriteProgress = context.SendDiagnosticMessage,
            Attach = (path, _) =>
                context.AddAttachment(
                    Path.GetFileName(path),
                    File.ReadAllBytes(path),
                    path.EndsWith(".png") ? "image/png" : "text/html"
                ),
        };
    }
}
