using MqttCheck.NUnit;
using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;
using MqttCheck.Testing;

namespace BrokerRequirements;

/// <summary>
/// The requirements of this system on its MQTT broker. To see them fail, slow the embedded broker down:
/// <c>dotnet test --environment MQTTCHECK_DELAY=constant:150ms</c>.
/// </summary>
[TestFixture("embedded")]
[TestFixture("mosquitto", Category = "mosquitto")]
public sealed class RequirementTests(string broker) : BrokerFixture(broker)
{
    // Sixty devices that report five times a second. UP1 and UP2 of MqttCheck.Testing.UsageProfiles are slower
    // ones.
    private static readonly UsageProfile s_devices = new()
    {
        Name = "devices",
        WaitMilliseconds = new UniformLaw(0, 400),
        Weights = new MessageWeights(Connect: 1, Disconnect: 1, Publish: 8, Subscribe: 1, Unsubscribe: 1),
    };

    [Test]
    public async Task Publish_is_acknowledged_in_time() =>
        await Assert.ThatAsync(
            () => Broker.Measure(s_devices, clients: 60),
            Meets.Acknowledgement(below: 100.Milliseconds(), probability: 0.9)
        );

    [Test, CancelAfter(60_000)]
    public async Task Messages_reach_all_subscribers_in_time(CancellationToken cancellation) =>
        await Assert.ThatAsync(
            () => Broker.Measure(s_devices, clients: 60, cancellation: cancellation),
            Meets.Delivery(below: 100.Milliseconds(), probability: 0.95).PerMessage()
        );
}
