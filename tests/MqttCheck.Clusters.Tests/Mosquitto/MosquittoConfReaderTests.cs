using MqttCheck.Clusters.Mosquitto;

namespace MqttCheck.Clusters.Tests.Mosquitto;

[TestFixture]
internal sealed class MosquittoConfReaderTests : DirectoryFixture
{
    // The defaults of mosquitto.conf(5).
    [Test]
    public void An_empty_file_is_a_broker_of_this_machine_with_the_defaults()
    {
        var conf = Read("");
        Assert.That(
            (conf.Name, conf.File, conf.Lines.Count, conf.Bridges.Count),
            Is.EqualTo(("a", In("a.conf"), 0, 0))
        );
        Assert.That(
            (conf.Listeners.Single().Host, conf.Listeners[0].Port, conf.Listeners[0].IsTls),
            Is.EqualTo(("localhost", 1883, false))
        );
        Assert.That(
            (conf.IsPersistent, conf.AutosaveSeconds, conf.CountsChanges, conf.MaxQueuedMessages, conf.QueuesQos0),
            Is.EqualTo((false, 1800, false, 1000, false))
        );
    }

    [Test]
    public void Settings_of_the_broker_are_read_and_numbers_below_zero_are_zero()
    {
        var conf = Read(
            "persistence true",
            "autosave_interval 60",
            "autosave_on_changes 1",
            "max_queued_messages -5",
            "queue_qos0_messages true"
        );
        Assert.That(
            (conf.IsPersistent, conf.AutosaveSeconds, conf.CountsChanges, conf.MaxQueuedMessages, conf.QueuesQos0),
            Is.EqualTo((true, 60, true, 0, true))
        );
        Assert.That(conf.Lines[3], Is.EqualTo(new ConfLine(new(In("a.conf"), 4), "max_queued_messages", "-5")));
    }

    [Test]
    public void A_bridge_has_its_settings_and_the_defaults_of_Mosquitto()
    {
        var bridge = Read("connection site", "address far", "topic a/#").Bridges.Single();
        Assert.That(
            (bridge.Name, bridge.Place.Line, bridge.Addresses.Single(), bridge.Topics.Single().Topic.ToString()),
            Is.EqualTo(("site", 1, new ConfAddress(new(In("a.conf"), 2), "far", 1883), "a/# out 0"))
        );
        Assert.That(
            (bridge.IsCleanSession, bridge.IsLocalCleanSession, bridge.StartType, bridge.ProtocolVersion),
            Is.EqualTo((false, false, "automatic", 4))
        );
        Assert.That(
            (bridge.TriesPrivate, bridge.AttemptsUnsubscribe, bridge.Notifies, bridge.IsTls),
            Is.EqualTo((true, true, true, false))
        );
        Assert.That((bridge.RemoteClientId, bridge.LocalClientId), Is.EqualTo(((string?)null, (string?)null)));
        bridge = Read(
            "connection site",
            "addresses ::1:1884 10.0.0.1 # the nearest first",
            "topic a/# BOTH 1 l/ \"\" # comment",
            "topic \"\" in 2 here there",
            "cleansession true",
            "start_type lazy",
            "bridge_protocol_version mqttv50",
            "try_private false",
            "bridge_attempt_unsubscribe false",
            "notifications 0",
            "clientid r",
            "local_clientid l",
            "bridge_identity i",
            "bridge_psk 1234"
        )
            .Bridges.Single();
        Assert.That(
            bridge.Addresses.Select(address => (address.Host, address.Port)),
            Is.EqualTo([("::1", 1884), ("10.0.0.1", 1883)])
        );
        Assert.That(
            bridge.Topics.Select(topic => (topic.Place.Line, topic.Topic.ToString())),
            Is.EqualTo([(3, "a/# both 1 l/"), (4, "\"\" in 2 here there")])
        );
        Assert.That(
            (bridge.IsCleanSession, bridge.IsLocalCleanSession, bridge.StartType, bridge.ProtocolVersion),
            Is.EqualTo((true, true, "lazy", 5)),
            "local_cleansession is as cleansession"
        );
        Assert.That(
            (bridge.TriesPrivate, bridge.AttemptsUnsubscribe, bridge.Notifies, bridge.IsTls),
            Is.EqualTo((false, false, false, true))
        );
        Assert.That((bridge.RemoteClientId, bridge.LocalClientId), Is.EqualTo(("r", "l")));
        Assert.That(bridge.Lines.Select(line => line.Place.Line), Is.EqualTo(Enumerable.Range(1, 14)));
    }

    [Test]
    public void Listeners_are_those_that_are_opened_and_the_default_one_where_it_is_set()
    {
        var conf = Read(
            "port 1884",
            "listener 1885 10.0.0.1",
            "certfile c",
            "listener 0 /tmp/s.sock",
            "persistence true"
        );
        Assert.That(
            conf.Listeners.Select(listener => (listener.Place.Line, listener.Host, listener.Port, listener.IsTls)),
            Is.EqualTo([(2, "10.0.0.1", 1885, true), (4, "/tmp/s.sock", 0, false), (1, null, 1884, false)])
        );
        Assert.That(Read("allow_anonymous true").Listeners.Single().Host, Is.EqualTo("localhost"));
    }

    [Test]
    public void Included_files_follow_in_the_order_of_their_names_with_places_of_their_own()
    {
        Directory.CreateDirectory(In("d"));
        File.WriteAllText(In("d/b.conf"), "connection two\naddress far\ntopic b\n");
        File.WriteAllText(In("d/A.conf"), "connection one\naddress far\ntopic a\ninclude_dir nowhere\n");
        File.WriteAllText(In("d/c.txt"), "nonsense");
        var conf = Read($"include_dir {In("d")}", "persistence true");
        Assert.That(
            conf.Bridges.Select(bridge => (bridge.Name, bridge.Place)),
            Is.EqualTo([("one", new ConfPlace(In("d/A.conf"), 1)), ("two", new ConfPlace(In("d/b.conf"), 1))])
        );
        Assert.That(conf.IsPersistent);
    }

    [Test]
    public void A_wrong_line_of_an_included_file_is_named_by_that_file_and_a_missing_folder_by_the_line_that_names_it()
    {
        Directory.CreateDirectory(In("d"));
        File.WriteAllText(In("d/x.conf"), "persistence true\nmax_qos 3\n");
        Assert.That(Refusal($"include_dir {In("d")}"), Does.StartWith($"{In("d/x.conf")}:2: max_qos: '3' is refused"));
        Assert.That(
            Refusal("persistence true", "include_dir nowhere"),
            Does.StartWith($"{In("a.conf")}:2: include_dir:")
        );
        Assert.That(Refusal("include_dir  d"), Does.Contain("' d'"), "Mosquitto takes the second blank for the path");
        Directory.CreateDirectory(In("d/y.conf"));
        File.Delete(In("d/x.conf"));
        Assert.That(Refusal($"include_dir {In("d")}"), Does.StartWith($"{In("a.conf")}:1: include_dir:"));
    }

    [Test]
    public void A_bridge_is_open_only_to_the_end_of_its_file_and_in_no_included_one()
    {
        Directory.CreateDirectory(In("d"));
        File.WriteAllText(In("d/x.conf"), "connection x\naddress far\ntopic a\n");
        Assert.That(
            Refusal($"include_dir {In("d")}", "topic b"),
            Does.StartWith($"{In("a.conf")}:2: topic: it belongs")
        );
        File.WriteAllText(In("d/x.conf"), "topic a\n");
        Assert.That(
            Refusal("connection x", "address far", $"include_dir {In("d")}", "topic b"),
            Does.StartWith($"{In("d/x.conf")}:1: topic: it belongs")
        );
    }

    [Test]
    public void A_word_below_a_secret_is_not_shown_as_a_line_break_may_have_cut_it()
    {
        Assert.That(Refusal("connection a", "remote_password", "correct horse"), Does.Not.Contain("correct"));
        Assert.That(Refusal("connection a", "remote_pasword a", "correct horse"), Does.Not.Contain("correct"));
        Assert.That(Refusal("connection a", "topic a", "correct horse"), Does.Contain("unknown key 'correct'"));
    }

    [Test]
    public void Everything_wrong_is_named_at_once_with_the_value_what_is_allowed_and_the_next_step()
    {
        var refusal = Refusal(
            "persistance true",
            "max_qos 3\t\e",
            "connection a",
            "topic # sideways",
            "address x:0",
            "start_type manual"
        );
        Assert.That(
            refusal.Split('\n'),
            Is.EqualTo(
                (string[])
                    [
                        $"{In("a.conf")}:1: unknown key 'persistance'; allowed: the keys of mosquitto.conf(5)"
                            + "; did you mean 'persistence'?",
                        $@"{In("a.conf")}:2: max_qos: '3\t\e' is refused; allowed: 0 to 2",
                        $"{In("a.conf")}:4: topic: '# sideways': 'sideways' is no direction; allowed: "
                            + "PATTERN [out|in|both [QOS [LOCAL-PREFIX [REMOTE-PREFIX]]]], such as '# both 1'",
                        $"{In("a.conf")}:5: address: 'x:0' has no port of 1 to 65535 behind its last colon; allowed: "
                            + "HOST:PORT, also for an address of IPv6",
                        $"{In("a.conf")}:6: start_type: 'manual' is refused; allowed: automatic, lazy, once",
                    ]
            )
        );
        Assert.That(Refusal([.. Enumerable.Repeat("x", 30)]).Split('\n'), Has.Length.EqualTo(21));
    }

    // Each line holds the word S3cr3t where a person may write it by mistake.
    [TestCase("remote_password S3cr3t")]
    [TestCase("remote_pasword S3cr3t", "did you mean 'remote_password'?")]
    [TestCase("remote_passwordS3cr3t", "'remote_password' is followed by another character than a blank")]
    [TestCase("remote_password=S3cr3t", "'remote_password' is followed by another character than a blank")]
    [TestCase("remote_password\tS3cr3t", "'remote_password' is followed by another character than a blank")]
    [TestCase("bridge_psk S3cr3t\t")]
    [TestCase("auth_opt_pass=S3cr3t")]
    [TestCase("auth_opt_pass_S3cr3t x")]
    [TestCase("S3cr3t", "unknown key, not shown")]
    [TestCase("remote_password\nsecret S3cr3t", "no value")]
    [TestCase("topic # both 1remote_password S3cr3t", "break the line before it")]
    [TestCase("include_dir /etcremote_password S3cr3t", "break the line before it")]
    [TestCase("tls_engine_kpass_sha1 S3cr3t", "the value, which is not shown, is refused")]
    public void No_secret_is_shown_or_kept_wherever_it_stands(string line, string part = "")
    {
        var path = In("a.conf");
        File.WriteAllText(path, $"plugin p\nconnection a\naddress b\ntopic c\n{line}\n");
        var said = SecretSearch.Said("a", path);
        Assert.That(said, Does.Not.Contain("S3cr3t").And.Contains(part));
    }

    private MosquittoConf Read(params string[] lines)
    {
        File.WriteAllLines(In("a.conf"), lines);
        return MosquittoConfReader.Read("a", In("a.conf"));
    }

    private string Refusal(params string[] lines) => Assert.Throws<InputException>(() => Read(lines))!.Message;
}
