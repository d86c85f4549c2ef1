using System.Net;
using MqttCheck.Clusters.Mosquitto;
using MqttCheck.Clusters.Mosquitto.Reading;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.LiveClusters.Recipes;
using MqttCheck.Protocol;

namespace MqttCheck.LiveClusters.Tests.Recipes;

internal sealed class LocalConfigurationTests
{
    private const string Secret = "vault-7731";

    private static readonly IPEndPoint s_relay = new(IPAddress.Loopback, 4711);

    private string _directory = "";

    [SetUp]
    public void MakeDirectory() => _directory = Directory.CreateTempSubdirectory("conf-").FullName;

    [TearDown]
    public void RemoveDirectory() => Directory.Delete(_directory, recursive: true);

    [Test]
    public void Ports_and_addresses_are_those_of_the_run_and_all_that_decides_about_messages_stays()
    {
        const string Kept = """
            max_queued_messages 5
            queue_qos0_messages true
            persistence true
            autosave_interval 30
            """;
        const string Bridge = """
            topic sensors/# both 2 "" plant/
            cleansession true
            local_cleansession false
            bridge_protocol_version mqttv50
            start_type lazy
            notifications false
            """;
        var text = Local(
            $"listener 1883 10.0.0.1\n{Kept}\nlog_dest file /var/log/m.log\nconnection up\naddress hq.example:8883\n"
                + $"bridge_cafile /etc/ca.pem\n{Bridge}\n"
        );
        Assert.That(
            text.Split('\n').Skip(1),
            Is.EqualTo(
                $"listener 7001 127.0.0.1\n{Kept}\nconnection up\naddress 127.0.0.1:4711\n{Bridge}\n".Split('\n')
            )
        );
    }

    // Mosquitto 2.0.11 lets clients of this machine in where no listener is configured, and nobody where one is.
    [TestCase("", "listener 7001 127.0.0.1\nallow_anonymous true\n")]
    [TestCase("listener 1883\n", "listener 7001 127.0.0.1\n")]
    [TestCase("port 1884\n", "listener 7001 127.0.0.1\n")]
    [TestCase("listener 1883\nallow_anonymous true\n", "listener 7001 127.0.0.1\nallow_anonymous true\n")]
    public void Who_may_come_without_a_login_stays(string given, string expected) =>
        Assert.That(Local(given)[(Local(given).IndexOf('\n', StringComparison.Ordinal) + 1)..], Is.EqualTo(expected));

    [Test]
    public void The_first_listener_that_speaks_MQTT_serves_with_its_own_settings()
    {
        var text = Local(
            "per_listener_settings true\nlistener 9001\nprotocol websockets\nmount_point web/\nlistener 1883\n"
                + "mount_point plant/\nallow_anonymous true\nlistener 1885\nmount_point other/\nallow_anonymous false\n"
        );
        Assert.That(
            text.Split('\n').Skip(1),
            Is.EqualTo((string[])["per_listener_settings true", "listener 7001 127.0.0.1", "allow_anonymous true", ""])
        );
    }

    [Test]
    public void Names_stay_and_passwords_are_drawn_for_the_run()
    {
        File.WriteAllText(Path.Combine(_directory, "acl"), "user edge\ntopic write plant/#\n");
        var text = Local(
            $"listener 1883\npassword_file {_directory}/users\nacl_file {_directory}/acl\nconnection up\n"
                + $"address hq.example\ntopic # out 1\nremote_username edge\nremote_password {Secret}\n"
        );
        Assert.That(
            text,
            Does.Contain("remote_username edge\nremote_password ")
                .And.Not.Contain(Secret)
                .And.Contain($"password_file {_directory}/run-passwords\nacl_file {_directory}/run-acl")
        );
        Assert.That(
            File.ReadAllText(Path.Combine(_directory, "run-acl")),
            Is.EqualTo("user edge\ntopic write plant/#\n\nuser mqttcheck\ntopic readwrite #\n")
        );
        Assert.That(
            File.ReadLines(Path.Combine(_directory, "run-passwords")).Select(line => line.Split(':')[0]),
            Is.EqualTo((string[])["edge", "mqttcheck"])
        );
    }

    [Test]
    public void Where_certificates_or_plug_ins_say_who_a_client_is_everybody_may_come()
    {
        var conf = Read(
            "listener 8883\ncafile /etc/ca.pem\ncertfile /etc/c.pem\nkeyfile /etc/k.pem\nrequire_certificate true\n"
                + "use_identity_as_username true\nallow_anonymous false\n"
        );
        var local = Of(conf);
        Assert.That(
            local.Text(7001, _ => new(s_relay), Write),
            Does.EndWith("allow_anonymous true\nlistener 7001 127.0.0.1\n")
        );
        Assert.That(
            LocalConfiguration.LeftOut(conf),
            Is.EqualTo(
                (string[])
                    [
                        "cafile",
                        "certfile",
                        "keyfile",
                        "require_certificate",
                        "use_identity_as_username",
                        "allow_anonymous",
                    ]
            )
        );
    }

    [Test]
    public void A_mount_point_of_the_remote_broker_stands_in_front_of_the_topics_of_the_bridge()
    {
        BridgeTopic[] topics =
        [
            new("t/#", BridgeDirection.Out, QualityOfService.AtLeastOnce, "", "plant/"),
            new("c", BridgeDirection.In, QualityOfService.AtMostOnce, "l/", "plant/r/"),
        ];
        Assert.That(
            Of(Read("listener 1883\nconnection up\naddress b\ntopic t/# out 1\ntopic c in 0 l/ r/\n"))
                .Text(7001, name => new(s_relay, name == "up" ? topics : null), Write),
            Does.EndWith("topic t/# out 1 \"\" plant/\ntopic c in 0 l/ plant/r/\n")
        );
    }

    [Test]
    public void At_a_broker_that_runs_already_a_bridge_has_the_login_of_the_user() =>
        Assert.That(
            Of(
                    Read(
                        "listener 1883\nconnection up\naddress b\ntopic t/# out 1\n"
                            + "remote_username edge\nremote_password p\n"
                    )
                )
                .Text(7001, _ => new(s_relay, Login: new("other", "given")), Write),
            Does.EndWith("remote_username other\nremote_password given\n")
        );

    [Test]
    public void An_access_list_that_cannot_be_read_is_named_with_its_line() =>
        Assert.That(
            () => Local("listener 1883\nacl_file /nowhere/acl\n"),
            Throws
                .TypeOf<InputException>()
                .With.Message.Contains("broker.conf:2: acl_file '/nowhere/acl' cannot be read")
        );

    private string Local(string text) => Of(Read(text)).Text(7001, _ => new(s_relay), Write);

    private static LocalConfiguration Of(MosquittoConf conf) =>
        new(conf, new LocalLogins(LocalConfiguration.Users(conf), client: null));

    private MosquittoConf Read(string text)
    {
        var path = Path.Combine(_directory, "broker.conf");
        File.WriteAllText(path, text);
        return MosquittoConfReader.Read("broker", path);
    }

    private string Write(string name, string text)
    {
        var path = Path.Combine(_directory, "run-" + name);
        File.WriteAllText(path, text);
        return path;
    }
}
