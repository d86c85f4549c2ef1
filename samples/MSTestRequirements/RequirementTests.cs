using MqttCheck.Brokers.Processes;
using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;
using MqttCheck.Testing;

// A test that loads a broker measures nothing beside another one.
[assembly: DoNotParallelize]

namespace MSTestRequirements;

/// <summary>
/// The requirements of this system on its MQTT broker, in MSTest. To see them fail, slow the embedded broker down:
/// <c>dotnet test --environment MQTTCHECK_DELAY=constant:150ms</c>.
/// </summary>
[TestClass]
public sealed class RequirementTests
{
    // Sixty devices that report five times a second.
    private static readonly UsageProfile s_devices = new()
    {
        Name = "devices",
        WaitMilliseconds = new UniformLaw(0, 400),
        Weights = new MessageWeights(Connect: 1, Disconnect: 1, Publish: 8, Subscribe: 1, Unsubscribe: 1),
    };

    private IBrokerUnderTest? _broker;

    public required TestContext TestContext { get; init; }

    [TestInitialize]
    public async Task Start() => _broker = await TestBroker.StartAsync("embedded");

    [TestCleanup]
    public async Task End() => await _broker!.DisposeAsync();

    [TestMethod]
    public async Task Publish_is_acknowledged_in_time()
    {
        var measurement = await _broker!.Measure(s_devices, clients: 60);
        var decision = Requirement
            .Acknowledgement(below: 100.Milliseconds(), probability: 0.9)
            .Decide(measurement, new TestHost { WriteProgress = TestContext.WriteLine });
        decision.ThrowIfNotMet();
    }

    [TestMethod]
    public async Task Answers_conform_to_the_standard()
    {
        var result = await _broker!.Check(5.Seconds());
        Requirement.Conformance().Decide(result).ThrowIfNotMet();
    }
}
