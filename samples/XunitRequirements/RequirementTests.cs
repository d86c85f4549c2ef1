using MqttCheck.Brokers.Processes;
using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;
using MqttCheck.Testing;
using Xunit.Abstractions;

namespace XunitRequirements;

/// <summary>
/// The requirements of this system on its MQTT broker, in xUnit. To see them fail, slow the embedded broker down:
/// <c>dotnet test --environment MQTTCHECK_DELAY=constant:150ms</c>.
/// </summary>
public sealed class RequirementTests(ITestOutputHelper output) : IAsyncLifetime
{
    // Sixty devices that report five times a second.
    private static readonly UsageProfile s_devices = new()
    {
        Name = "devices",
        WaitMilliseconds = new UniformLaw(0, 400),
        Weights = new MessageWeights(Connect: 1, Disconnect: 1, Publish: 8, Subscribe: 1, Unsubscribe: 1),
    };

    private IBrokerUnderTest? _broker;

    public async Task InitializeAsync() => _broker = await TestBroker.StartAsync("embedded");

    public async Task DisposeAsync() => await _broker!.DisposeAsync();

    [Fact]
    public async Task Publish_is_acknowledged_in_time()
    {
        var measurement = await _broker!.Measure(s_devices, clients: 60);
        var decision = Requirement
            .Acknowledgement(below: 100.Milliseconds(), probability: 0.9)
            .Decide(measurement, new TestHost { WriteProgress = output.WriteLine });
        decision.ThrowIfNotMet();
    }

    [Fact]
    public async Task Answers_conform_to_the_standard()
    {
        var result = await _broker!.Check(5.Seconds());
        Requirement.Conformance().Decide(result).ThrowIfNotMet();
    }
}
