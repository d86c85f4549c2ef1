using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Options;

namespace MqttCheck.Cli.Tests.Options;

[TestFixture]
internal sealed class CompareBrokersTests
{
    [TestCase("mosquitto,nats,embedded", "mosquitto|nats|embedded")]
    [TestCase("embedded:nodelay,mqttnet,mqttnet:tuned", "embedded:nodelay|mqttnet|mqttnet:tuned")]
    [TestCase("embedded,embedded:lognormal:6ms,0.5", "embedded|embedded:lognormal:6ms,0.5")]
    [TestCase(
        "mqtt://127.0.0.1:1883, exec:serve -a 1,2 {port},mosquitto:tuned",
        "mqtt://127.0.0.1:1883|exec:serve -a 1,2 {port}|mosquitto:tuned"
    )]
    public void A_list_is_split_before_brokers_only(string given, string expected) =>
        Assert.That(string.Join('|', CompareBrokers.Split([given])), Is.EqualTo(expected));

    [TestCase("embedded:constant:5ms", "embedded", "constant:5ms")]
    [TestCase("embedded:nodelay", "embedded:nodelay", null)]
    [TestCase("mosquitto:tuned", "mosquitto:tuned", null)]
    public void An_embedded_broker_may_have_a_delay_of_its_own(string given, string name, string? delay) =>
        Assert.That(BrokerSpecification.SplitDelay(given), Is.EqualTo((name, delay)));

    [Test]
    public void Brokers_of_the_same_name_get_numbers() =>
        Assert.That(
            CompareBrokers.Labels(["embedded", "nats", "embedded", "embedded"]),
            Is.EqualTo(new[] { "embedded", "nats", "embedded #2", "embedded #3" })
        );
}
