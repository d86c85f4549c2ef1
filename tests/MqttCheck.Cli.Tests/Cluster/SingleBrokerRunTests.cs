namespace MqttCheck.Cli.Tests.Cluster;

/// <summary>One broker in place of a cluster: what is refused before anything starts, and what is shown.</summary>
[TestFixture]
internal sealed class SingleBrokerRunTests
{
    [TestCase(
        "'mosquitto' given beside 'bridge-pair'; allowed: one broker alone",
        "bridge-pair",
        "--broker",
        "mosquitto"
    )]
    [TestCase("'nats' given beside 'mosquitto'", "--broker", "nats", "--broker", "mosquitto")]
    [TestCase("there is no option 'autosav'; allowed: autosave=TIME", "--broker", "mosquitto:autosav=1s")]
    [TestCase("or one broker, such as --broker mosquitto")]
    [TestCase("over TCP", "--broker", "mosquitto:tls")]
    [TestCase("unknown node 'b'; allowed: mosquitto", "--broker", "mosquitto", "--fault", "kill b at 1s")]
    [TestCase("node broker runs already", "--broker", "mqtt://127.0.0.1:1", "--fault", "kill any at 1s")]
    public Task Wrong_input_is_one_message_that_says_what_is_allowed(string part, params string[] arguments) =>
        TestTool.AssertRefusedAsync(["cluster", "run", .. arguments], part);
}
