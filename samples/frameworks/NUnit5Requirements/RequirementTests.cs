using MqttCheck.NUnit;
using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;
using MqttCheck.Testing;

namespace NUnit5Requirements;

/// <summary>
/// The requirements of this system on its MQTT broker, in NUnit 5. To see them fail, slow the embedded broker down:
/// <c>MQTTCHECK_DELAY=constant:80ms dotnet run</c>.
/// </summary>
[TestFixture("embedded")]
public sealed class RequirementTests(string broker) : BrokerFixture(broker)
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
    public async Task Publish_is_acknowledged_in_time() =>
        await Assert.ThatAsync(
            () => Broker.Measure(s_devices, clients: 60, s_options),
            Meets.Acknowledgement(below: 50.Milliseconds(), probability: 0.9)
        );
}
