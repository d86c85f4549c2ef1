using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;
using MqttCheck.Testing;

// A test that loads a broker measures nothing beside another one.
[assembly: DoNotParallelize]

namespace MSTestSdkRequirements;

/// <summary>
/// The requirements of this system on its MQTT broker, in MSTest.Sdk. To see them fail, slow the embedded broker down:
/// <c>MQTTCHECK_DELAY=constant:80ms dotnet run</c>.
/// </summary>
[TestClass]
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

    public required TestContext TestContext { get; init; }

    [TestMethod]
    public async Task Publish_is_acknowledged_in_time()
    {
        await using var broker = await TestBroker.StartAsync("embedded");
        var measurement = await broker.Measure(s_devices, clients: 60, s_options);
        Requirement
            .Acknowledgement(below: 50.Milliseconds(), probability: 0.9)
            .Decide(measurement, Host())
            .ThrowIfNotMet();
    }

    // Reports and pictures become attachments of the test.
    private TestHost Host() =>
        new()
        {
            Name = $"{TestContext.FullyQualifiedTestClassName}.{TestContext.TestName}",
            Directory = "mqttcheck-reports",
            Token = TestContext.CancellationToken,
            WriteProgress = TestContext.WriteLine,
            Attach = (path, _) => TestContext.AddResultFile(path),
        };
}
