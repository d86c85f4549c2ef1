using MqttCheck.Clusters.Mosquitto;

namespace MqttCheck.Clusters.Tests.Mosquitto.Linting;

[TestFixture]
internal sealed class RouteFindingsTests : Lint
{
    private const string Back = "connection back\naddress 127.0.0.1:1883\ntopic ";

    [Test]
    public void Two_bridges_against_each_other_are_a_loop_with_both_lines_and_one_bridge_is_the_remedy() =>
        Assert.That(
            Remarks(ConfRule.Loop, A("topic x/# out 1"), B(Back + "x/+ out 2")),
            Is.EqualTo([
                "a.conf:5: a publication on 'x/+' at a goes round a -> b -> a without end, by this line and b.conf:5 | "
                    + "one bridge for both ways, 'topic x/# both 2', without the line of the other one",
            ])
        );

    [TestCase("x/# both 1", "x/# both 1", true)]
    [TestCase("x/# out 1", "y/# out 1", false)]
    [TestCase("x/# out 1", "x/# in 1", false)]
    [TestCase("x/# out 1 \"\" p/", "x/# out 1", false)]
    [TestCase("# out 1 \"\" p/", "# out 1", true)]
    public void A_loop_needs_a_way_back_for_the_same_topic(string there, string back, bool isLoop) =>
        Assert.That(Remarks(ConfRule.Loop, A("topic " + there), B(Back + back)), isLoop ? Is.Not.Empty : Is.Empty);

    [Test]
    public void A_loop_with_prefixes_grows_and_is_ended_by_prefixes() =>
        Assert.That(
            Remarks(ConfRule.Loop, A("topic # out 1 \"\" p/"), B(Back + "# out 1")),
            Has.Some.Contains("without end, and its topic grows").And.Contain("a prefix of its own for each site")
        );

    [Test]
    public void A_bridge_to_the_broker_itself_is_a_loop()
    {
        var text = "listener 1883\nconnection c\naddress localhost\ntopic x/# out\n";
        Assert.That(
            Remarks(ConfRule.Loop, text),
            Has.One.Contains("a goes round a -> a without end").And.Contain("no bridge")
        );
        Assert.That(Remarks(ConfRule.Loop, text.Replace("x/# out", "x/# out 0 \"\" y/")), Is.Empty);
    }

    [Test]
    public void Two_ways_to_one_broker_are_copies_and_their_lines_are_told() =>
        Assert.That(
            Remarks(ConfRule.Copies, A("topic x/# out 1"), B(Back + "x/# in 1")),
            Is.EqualTo([
                "b.conf:5: a publication on 'x/#' at a reaches b twice: a -> b by a.conf:5, and a -> b by b.conf:5 | "
                    + "only one of these ways, by filters for different topics or a line less",
            ])
        );

    [Test]
    public void Copies_are_told_where_they_are_made_and_not_again_at_each_broker_behind() =>
        Assert.That(
            Remarks(
                ConfRule.Copies,
                A("topic x/# out 1"),
                B(Back + "x/# in 1", "connection on", "address 127.0.0.1:1885", "topic x/# out 1"),
                "listener 1885\nconnection up\naddress 127.0.0.1:1883\ntopic x/# out 1\ntopic y/# in 1\n"
            ),
            Has.Length.LessThan(3).And.All.Contains("reaches b twice").Or.All.Contains("goes round")
        );

    [TestCase("x/# out 1", "y/# in 1")]
    [TestCase("x/# out 1", "x/# in 1 p/")]
    [TestCase("x/# out 1 \"\" p/", "x/# in 1 q/")]
    public void Different_topics_are_no_copies(string there, string back) =>
        Assert.That(Remarks(ConfRule.Copies, A("topic " + there), B(Back + back)), Is.Empty);

    // Mosquitto 2.0.11: three copies with QoS 0, 1 and 2 at the far end, and one with MQTT 3.1.1.
    [Test]
    public void Overlapping_lines_of_a_bridge_of_version_5_are_copies()
    {
        string[] lines = ["topic a/# out 1", "topic a/b out 0", "topic a/+ out 2"];
        Assert.That(
            Remarks(ConfRule.Copies, A([.. lines, "bridge_protocol_version mqttv50"]), B()),
            Has.Some.Contains("'a/b' at a reaches b 3 times: a -> b by a.conf:6, and a -> b by a.conf:7")
        );
        Assert.That(Remarks(ConfRule.Copies, A(lines), B()), Is.Empty);
    }

    // Mosquitto 2.0.11: a subscriber of a gets it twice without the bit, and once with it or with MQTT 5.
    [Test]
    public void An_echo_is_told_with_what_ends_it()
    {
        Assert.That(
            Remarks(ConfRule.Echo, A("topic x/# both 1", "try_private false"), B()),
            Is.EqualTo([
                "a.conf:5: b (Mosquitto) sends back to a what it gets here, so clients of a get it twice (tried) | "
                    + "'try_private true', so that the far end knows the bridge",
            ])
        );
        Assert.That(
            Remarks(ConfRule.Echo, ["b=emqx"], A("topic x/# both 1"), B()),
            Has.One.Contains("(by documentation, not tried) | mqtt.ignore_loop_deliver = true in EMQX")
        );
    }

    [TestCase("x/# both 1", "try_private true", "mosquitto")]
    [TestCase("x/# both 1", "bridge_protocol_version mqttv50", "emqx")]
    [TestCase("x/# out 1", "try_private false", "emqx")]
    [TestCase("x/# both 1 \"\" p/", "bridge_protocol_version mqttv50", "hivemq")]
    public void A_bridge_with_protection_or_one_way_is_not_echoed(string topic, string setting, string broker) =>
        Assert.That(Remarks(ConfRule.Echo, [$"b={broker}"], A("topic " + topic, setting), B()), Is.Empty);

    [Test]
    public void The_lowest_quality_of_service_of_a_way_is_told_with_the_line_that_gives_more()
    {
        var third = "listener 1885\npersistence true\n";
        string On(int qos) => B("connection on", "address 127.0.0.1:1885", $"topic x/# out {qos}");
        Assert.That(
            Remarks(ConfRule.MixedQos, A("topic x/# out 1"), On(0), third),
            Is.EqualTo([
                "b.conf:5: on the way a -> b -> c this line gives QoS 0 and a.conf:5 QoS 1: what arrives has at most "
                    + "the lower one | one QoS for the whole way, here 'topic x/# out 1'",
            ])
        );
        Assert.That(Remarks(ConfRule.MixedQos, A("topic x/# out 1"), On(1), third), Is.Empty);
        Assert.That(Remarks(ConfRule.MixedQos, A("topic y/# out 2"), On(0), third), Is.Empty);
    }
}
