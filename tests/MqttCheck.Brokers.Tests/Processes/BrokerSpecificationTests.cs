using MqttCheck.Brokers.Processes;

namespace MqttCheck.Brokers.Tests.Processes;

internal sealed class BrokerSpecificationTests
{
    [TestCase("embedded", BrokerKind.Embedded, false)]
    [TestCase("embedded:nodelay", BrokerKind.Embedded, false)]
    [TestCase("mqttnet", BrokerKind.MqttNet, false)]
    [TestCase("mqttnet:tuned", BrokerKind.MqttNet, true)]
    [TestCase("mosquitto", BrokerKind.Mosquitto, false)]
    [TestCase(" mosquitto:tuned ", BrokerKind.Mosquitto, true)]
    [TestCase("rabbitmq", BrokerKind.RabbitMq, false)]
    [TestCase("ejabberd:tuned", BrokerKind.Ejabberd, true)]
    [TestCase("nats", BrokerKind.Nats, false)]
    public void A_broker_is_known_by_its_name(string text, BrokerKind kind, bool isTuned)
    {
        var specification = BrokerSpecification.Parse(text);
        Assert.That(
            (specification.Kind, specification.IsTuned, specification.Name),
            Is.EqualTo((kind, isTuned, text.Trim()))
        );
    }

    [Test]
    public void A_name_with_nodelay_asks_for_the_embedded_broker_without_delay()
    {
        Assert.That(BrokerSpecification.Parse("embedded:nodelay").IsWithoutDelay, Is.True);
        Assert.That(BrokerSpecification.Parse("embedded").IsWithoutDelay, Is.False);
    }

    [Test]
    public void A_broker_that_comes_with_the_program_is_not_one_to_install()
    {
        Assert.That(BrokerSpecification.Names, Is.SupersetOf(new[] { "embedded", "mqttnet", "mosquitto" }));
        Assert.That(
            BrokerSpecification.InstalledNames,
            Does.Contain("mosquitto").And.No.Member("mqttnet").And.No.Member("embedded")
        );
    }

    [TestCase("mqtt://localhost", "localhost", 1883, "mqtt://localhost:1883")]
    [TestCase("MQTT://Broker.example.org:2883/", "broker.example.org", 2883, "mqtt://broker.example.org:2883")]
    [TestCase("mqtt://127.0.0.1:1", "127.0.0.1", 1, "mqtt://127.0.0.1:1")]
    [TestCase("mqtt://[::1]:1884", "::1", 1884, "mqtt://[::1]:1884")]
    [TestCase("mqtts://broker", "broker", 8883, "mqtts://broker:8883")]
    [TestCase("ws://broker", "broker", 80, "ws://broker:80/mqtt")]
    [TestCase("WSS://broker/ws?token=s3cret", "broker", 443, "wss://broker:443/ws")]
    public void A_running_broker_is_known_by_its_address(string text, string host, int port, string name)
    {
        var specification = BrokerSpecification.Parse(text);
        Assert.That(
            (specification.Kind, specification.Host, specification.Port, specification.Name),
            Is.EqualTo((BrokerKind.Running, host, port, name))
        );
        Assert.That(BrokerSpecification.Parse(name).Name, Is.EqualTo(name), "the normal form names the same broker");
    }

    [TestCase("mosquitto:tls", "mosquitto:tls", BrokerTransport.Tls, false)]
    [TestCase("mosquitto:wss:tuned", "mosquitto:tuned:wss", BrokerTransport.SecureWebSocket, true)]
    [TestCase("mosquitto:ws", "mosquitto:ws", BrokerTransport.WebSocket, false)]
    [TestCase("mqtts://broker", "mqtts://broker:8883", BrokerTransport.Tls, false)]
    public void A_transport_is_part_of_the_name(string text, string name, BrokerTransport transport, bool isTuned)
    {
        var specification = BrokerSpecification.Parse(text);
        Assert.That(
            (specification.Name, specification.Transport, specification.IsTuned),
            Is.EqualTo((name, transport, isTuned))
        );
    }

    [TestCase("ws://broker", "/mqtt")]
    [TestCase("ws://broker/", "/")]
    [TestCase("wss://broker/ws?token=s3cret", "/ws?token=s3cret")]
    public void A_path_is_asked_for_as_given(string text, string path) =>
        Assert.That(BrokerSpecification.Parse(text).Path, Is.EqualTo(path));

    [TestCase("wss://anna:secret@host/mqtt")]
    [TestCase("wss://anna:secret@host/mqtt?token=secret")]
    [TestCase("wss://host:0/mqtt?token=secret")]
    [TestCase("mqtt://host?token=secret")]
    [TestCase("wss://anna:secret?@host")]
    public void A_message_about_an_address_shows_no_secret(string text) =>
        Assert.That(
            () => BrokerSpecification.Parse(text),
            Throws.TypeOf<InputException>().With.Message.Not.Contain("secret").And.Message.Contain("host")
        );

    [Test]
    public void An_at_sign_in_the_query_is_no_credential() =>
        Assert.That(BrokerSpecification.Parse("wss://host/mqtt?user=a@b").Path, Is.EqualTo("/mqtt?user=a@b"));

    [TestCase("exec:broker -p {port}", new[] { "broker", "-p", "{port}" })]
    [TestCase("exec:\"broker -p {port}\"", new[] { "broker", "-p", "{port}" })]
    [TestCase("exec:'a b' \"c d\" e\\ f --port={port} ''", new[] { "a b", "c d", "e f", "--port={port}", "" })]
    [TestCase("exec:\"/opt/my broker\" {port} \"x\"", new[] { "/opt/my broker", "{port}", "x" })]
    public void A_command_is_split_into_words(string text, string[] words)
    {
        var specification = BrokerSpecification.Parse(text);
        Assert.That((specification.Kind, specification.Command), Is.EqualTo((BrokerKind.Command, words)));
    }

    [TestCase("hivemq", "mosquitto")]
    [TestCase("", "embedded")]
    [TestCase("embedded:tuned", "embedded")]
    [TestCase("embedded:nodelay:tuned", "embedded:nodelay")]
    [TestCase("mqttnet:foo", "mqttnet")]
    [TestCase("mqttnet:tls", "mosquitto also with :tls")]
    [TestCase("mqttnet:nodelay", "of these also with :tuned")]
    [TestCase("Mosquitto", "mosquitto")]
    [TestCase("mqtt://", "mqtt://HOST[:PORT]")]
    [TestCase("mqtt://host:0", "1 .. 65535")]
    [TestCase("mqtt://host:70000", "1 .. 65535")]
    [TestCase("mqtt://host/path", "mqtt://HOST[:PORT]")]
    [TestCase("mqtt://host?x=1", "mqtt://HOST[:PORT]")]
    [TestCase("http://host", "mqtt://HOST[:PORT]")]
    [TestCase("mqtts://host/path", "mqtts://HOST[:PORT]")]
    [TestCase("ws://host:80/mqtt#part", "ws://HOST[:PORT][/PATH]")]
    [TestCase("nats:tls", "mosquitto also with :tls")]
    [TestCase("mosquitto:tls:ws", "mosquitto")]
    [TestCase("mosquitto:tuned:tuned", "mosquitto")]
    [TestCase("exec:", "{port}")]
    [TestCase("exec:broker -p 1883", "{port}")]
    [TestCase("exec:broker '{port}", "quote")]
    public void Anything_else_is_refused_with_what_is_allowed(string text, string expected)
    {
        var failure = Assert.Throws<InputException>(() => BrokerSpecification.Parse(text));
        Assert.That(failure!.Message, Does.Contain(expected));
    }

    [TestCase("mqtt://anna:s3cret@host:1883")]
    [TestCase("mqtts://anna:s3cret@host")]
    [TestCase("mqtt://anna:s3@cret@host")]
    [TestCase("mqtt://s3cret@host")]
    public void Credentials_in_an_address_are_refused_and_not_repeated(string text)
    {
        var failure = Assert.Throws<InputException>(() => BrokerSpecification.Parse(text));
        Assert.That(failure!.Message, Does.Contain("options").And.Not.Contain("anna").And.Not.Contain("s3"));
    }

    [Test]
    public void A_list_can_name_a_cluster_that_runs_beside_other_brokers()
    {
        var names = BrokerSpecification.SplitList("cluster:mqtt://a+ws://b:81/x+y,mqtt://c,mosquitto").ToList();
        Assert.That(names, Is.EqualTo(["cluster:mqtt://a+ws://b:81/x+y", "mqtt://c", "mosquitto"]));
        var cluster = BrokerSpecification.Parse(names[0]);
        Assert.That(
            (cluster.Kind, cluster.Nodes.Select(node => node.Name)),
            Is.EqualTo((BrokerKind.Cluster, (string[])["mqtt://a:1883", "ws://b:81/x+y"]))
        );
        Assert.That(
            (cluster.Name, BrokerSpecification.Parse(cluster.Name).Name),
            Is.EqualTo(("cluster:mqtt://a:1883+ws://b:81/x+y", cluster.Name))
        );
        Assert.That(
            () => BrokerSpecification.Parse("cluster:mqtt://a"),
            Throws.TypeOf<InputException>().With.Message.Contains("names one broker; allowed: several with +")
        );
    }
}
