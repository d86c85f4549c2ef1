using MqttCheck.Clusters.Mosquitto;

namespace MqttCheck.Clusters.Tests.Mosquitto.Linting;

[TestFixture]
internal sealed class PeerFindingsTests : Lint
{
    // RabbitMQ 3.10.8 closes connections with level 0x84 and with MQTT 5; Mosquitto comes again with the same level.
    [TestCase("rabbitmq", "", "closes the connection of a bridge")]
    [TestCase("rabbitmq", "try_private false", null)]
    [TestCase("rabbitmq", "bridge_protocol_version mqttv50", "does not take MQTT 5 (tried)")]
    [TestCase("hivemq", "", "closes the connection of a bridge")]
    [TestCase("hivemq", "bridge_protocol_version mqttv50", null)]
    [TestCase("vernemq", "", "allows protocol version 132")]
    [TestCase("vernemq", "bridge_protocol_version mqttv31", "allows protocol version 131")]
    [TestCase("vernemq", "try_private false", null)]
    [TestCase("emqx", "", null)]
    [TestCase("other", "", null)]
    [TestCase("mosquitto", "", null)]
    public void A_broker_that_does_not_take_the_bridge_is_told(string broker, string setting, string? remark) =>
        Assert.That(
            Remarks(ConfRule.Refused, [$"b={broker}"], A("topic x/# both 1", setting), B()),
            remark is null ? Is.Empty : Has.One.Contains(remark)
        );

    // Mosquitto 2.0.11 refuses a CONNECT with a retained will if retained messages are not available.
    [TestCase("", true)]
    [TestCase("notifications false", false)]
    [TestCase("notifications_local_only true", false)]
    [TestCase("bridge_outgoing_retain false", false)]
    public void A_broker_without_retained_messages_refuses_a_bridge_that_announces_itself(
        string setting,
        bool isTold
    ) =>
        Assert.That(
            Remarks(ConfRule.Refused, A("topic x/# out 1", setting), B() + "retain_available false\n"),
            isTold ? Has.One.Contains("b takes no retained messages (b.conf:") : Is.Empty
        );

    // mosquitto_sub at a listener with a mount point gets the topics with it (2.0.11).
    [TestCase("topic x/# out 1", "at b all topics of this bridge stand below 'm/' (b.conf:1)")]
    [TestCase("topic x/# in 1", "which Mosquitto 2.0.11 does not take off what it sends (tried)")]
    public void A_mount_point_of_the_far_listener_is_told(string line, string expected)
    {
        Assert.That(Remarks(ConfRule.MountPoint, A(line), B() + "mount_point m/\n"), Has.One.Contains(expected));
        Assert.That(Remarks(ConfRule.MountPoint, A(line), B()), Is.Empty);
    }

    [Test]
    public void AWS_IoT_wants_settings_of_its_own()
    {
        const string Address = "listener 1883\nconnection c\naddress a1-ats.iot.eu-west-1.amazonaws.com:8883\n";
        var remarks = Remarks(ConfRule.Refused, Address + "bridge_cafile ca.pem\ntopic x/# both 2\ntopic y/# out 1\n");
        Assert.That(remarks, Has.Length.EqualTo(5));
        Assert.That(remarks, Has.One.StartsWith("a.conf:5: ").And.Contain("takes QoS 1 at most"));
        foreach (
            var setting in (string[])
                [
                    "'try_private false'",
                    "'notifications false'",
                    "'bridge_attempt_unsubscribe false'",
                    "'cleansession true'",
                ]
        )
            Assert.That(remarks, Has.One.EndsWith(" | " + setting).And.Contain("by documentation, not tried"));
        Assert.That(
            Remarks(
                ConfRule.Refused,
                Address
                    + "bridge_cafile ca.pem\ntopic x/# both 1\ntopic y/# out 1\ntry_private false\n"
                    + "notifications false\nbridge_attempt_unsubscribe false\ncleansession true\n"
            ),
            Is.Empty
        );
    }

    [TestCase("remote_clientid same", "remote_clientid same", true)]
    [TestCase("remote_clientid one", "remote_clientid two", false)]
    [TestCase("", "", true)]
    [TestCase("remote_clientid one", "", false)]
    public void Two_bridges_with_one_client_identifier_throw_each_other_out(string one, string other, bool isTold) =>
        Assert.That(
            Remarks(
                ConfRule.SameClientId,
                A("topic x/# out 1", one),
                B(),
                $"listener 1885\nconnection c\naddress 127.0.0.1:1884\ntopic y/# out\n{other}\n"
            ),
            isTold
                ? Has.One.StartsWith("c.conf:").And.Contain("a.conf:3 has the same client identifier at b")
                : Is.Empty
        );

    [Test]
    public void One_client_identifier_at_two_brokers_is_right() =>
        Assert.That(
            Remarks(
                ConfRule.SameClientId,
                A("topic x/# out 1", "remote_clientid me"),
                B("connection on", "address 127.0.0.1:1885", "topic y/# out", "remote_clientid me"),
                "listener 1885\n"
            ),
            Is.Empty
        );
}
