using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Clusters.Topologies.Systems;

namespace MqttCheck.Clusters.Tests.Topologies.Files;

[TestFixture]
internal sealed class OverlayFormatTests
{
    [Test]
    public void Every_key_of_an_overlay_is_read()
    {
        var overlay = Parse(
            "topic-overlay",
            "mesh:5",
            """
            { "advertisement": "bare", "root": "balance", "gamma": 2, "delta": 0, "counts": "filters",
              "announceSeconds": 0.5, "announceLoss": 0.25, "collectSeconds": 19.3,
              "silenceSeconds": 39.6, "topics": 60, "localityPercent": 0, "multicast": "239.1.2.3:4000" }
            """
        ).Overlay;
        Assert.That(
            overlay,
            Is.EqualTo(
                new OverlaySettings
                {
                    Advertisement = AdvertisementMode.Bare,
                    Root = RootRule.Balance,
                    Balance = new RootBalance
                    {
                        Gamma = 2,
                        Delta = 0,
                        CountsFilters = true,
                    },
                    AnnounceSeconds = 0.5,
                    AnnounceLoss = 0.25,
                    CollectSeconds = 19.3,
                    SilenceSeconds = 39.6,
                    Topics = 60,
                    LocalityPercent = 0,
                    Multicast = new MulticastGroup(IPAddress.Parse("239.1.2.3"), 4000),
                }
            )
        );
    }

    [TestCase("topic-overlay", "mesh:5", """{ "advertisement": "loud" }""", "allowed: \"carry\", \"bare\"")]
    [TestCase("topic-overlay", "mesh:5", """{ "root": "luck" }""", "allowed: \"capacity\", \"balance\"")]
    [TestCase("topic-overlay", "mesh:5", """{ "announceLoss": 1.5 }""", "allowed: a number, 0 .. 1")]
    [TestCase("topic-overlay", "mesh:5", """{ "gamma": -1 }""", "allowed: a number, 0 .. 1000000")]
    [TestCase("topic-overlay", "mesh:5", """{ "counts": "all" }""", "allowed: \"clients\", \"filters\"")]
    [TestCase("single-overlay", "mesh:5", """{ "localityPercent": 30 }""", "30 given; allowed: 0, 50, 100")]
    [TestCase("single-overlay", "mesh:5", """{ "topics": 0 }""", "allowed: an integer, 1 .. 100000")]
    [TestCase("single-overlay", "mesh:5", """{ "colour": 1 }""", "advertisement")]
    [TestCase("single-overlay", "mesh:5", """{ "multicast": "224.0.0.1:4000" }""", "a group in 239.0.0.0/8")]
    [TestCase("single-overlay", "mesh:5", """{ "multicast": "239.1.2.3" }""", "such as 239.255.77.113:18839, or none")]
    [TestCase("single-overlay", "mesh:5", """{ "multicast": "239.1.2.3:70000" }""", "a group in 239.0.0.0/8")]
    [TestCase("single-overlay", "mesh:5", """{ "multicast": 4000 }""", "4000 given; allowed: a group in 239.0.0.0/8")]
    [TestCase("flood", "mesh:5", """{ "topics": 3 }""", "allowed: with spanning-tree, single-overlay, topic-overlay")]
    [TestCase("topic-overlay", "ring:5", "{ }", "no link joins n1 and n3; allowed: links between all pairs of nodes")]
    public void What_is_wrong_is_named(string system, string family, string overlay, string message)
    {
        var wrong = Assert.Throws<InputException>(() => Parse(system, family, overlay))!;
        Assert.That(wrong.Message, Does.Contain(message));
    }

    [Test]
    public void Reader_and_schema_know_the_same_keys_and_the_reader_its_defaults()
    {
        using var stream = typeof(TopologyFile).Assembly.GetManifestResourceStream("clusters/cluster.schema.json")!;
        var keys = JsonNode.Parse(stream)!["properties"]!["overlay"]!["properties"]!.AsObject().Select(key => key.Key);
        var wrong = Assert.Throws<InputException>(() => Parse("single-overlay", "mesh:5", """{ "colour": 1 }"""))!;
        var allowed = wrong.Message[(wrong.Message.IndexOf("allowed: ", StringComparison.Ordinal) + 9)..].Trim();
        Assert.That(allowed.TrimEnd('.').Split(", "), Is.EquivalentTo(keys));
        Assert.That(Parse("single-overlay", "mesh:5", "{ }").Overlay, Is.EqualTo(new OverlaySettings()));
    }

    [TestCase("spanning-tree", "239.1.2.3:4000")]
    [TestCase("single-overlay", "239.1.2.3:4000")]
    [TestCase("topic-overlay", "none")]
    public void What_is_written_for_a_node_is_read_again(string system, string multicast)
    {
        var overlay = $$"""
            { "advertisement": "bare", "root": "balance", "gamma": 0.5, "delta": 2, "counts": "filters",
              "announceSeconds": 0.5, "announceLoss": 0.25, "collectSeconds": 19.3,
              "silenceSeconds": 39.6, "topics": 60, "localityPercent": 0, "multicast": "{{multicast}}" }
            """;
        var topology = Parse(system, "mesh:5", overlay);
        Assert.That(TopologyFile.Parse(TopologyFile.Write(topology), "written").Overlay, Is.EqualTo(topology.Overlay));
    }

    private static Topology Parse(string system, string family, string overlay) =>
        TopologyFile.Parse(
            Encoding.UTF8.GetBytes(
                $$"""{ "name": "x", "system": "{{system}}", "family": "{{family}}", "overlay": {{overlay}} }"""
            ),
            "test.json"
        );
}
