using MqttCheck.NUnit;
using MqttCheck.Testing;

namespace BrokerRequirements;

/// <summary>
/// Whether the broker answers as the MQTT standard says. To see it fail, make the embedded broker lose messages:
/// <c>dotnet test --environment MQTTCHECK_FAULTS=lose:0.2</c>; to check another one, name it:
/// <c>--environment MQTTCHECK_BROKER=mosquitto</c>.
/// </summary>
[TestFixture("env:MQTTCHECK_BROKER|embedded")]
public sealed class ConformanceTests(string broker) : BrokerFixture(broker)
{
    [Test, CancelAfter(120_000)]
    public async Task Answers_conform_to_the_standard(CancellationToken cancellation) =>
        await Assert.ThatAsync(() => Broker.Check(10.Seconds(), cancellation: cancellation), Conforms.ToMqtt());
}
