using MqttCheck.Logs;

namespace MqttCheck.Tests.Logs;

/// <summary>A broker of a log, and the broker that a command measures.</summary>
internal sealed class LoggedBrokerTests
{
    [TestCase("mosquitto:tuned", "mosquitto:tuned")]
    [TestCase(LoggedBroker.CapturedName, "mqtt://HOST:PORT")]
    [TestCase("unknown", "mqtt://HOST:PORT")]
    public void A_command_gets_the_name_of_a_broker_only_if_it_can_start_it(string name, string expected) =>
        Assert.That((LoggedBroker.Unknown with { Name = name }).OnCommandLine, Is.EqualTo(expected));
}
