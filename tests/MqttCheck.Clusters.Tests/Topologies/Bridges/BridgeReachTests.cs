using System.Text;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.Clusters.Tests.Topologies.Bridges;

[TestFixture]
internal sealed class BridgeReachTests
{
    // Mosquitto takes off the local prefix and puts the remote one in front.
    [TestCase("plant/", "from-a/", null)]
    [TestCase(
        "plant/",
        "plant/",
        "a message of load 'cluster-pairs' on 'plant/mqttcheck/x/0' from a arrives at b as 'from-a/mqttcheck/x/0', "
            + "and the subscriber there gets 'plant/mqttcheck/x/0' only"
    )]
    [TestCase(
        "hall/",
        "from-a/",
        "no bridge takes a message of load 'cluster-pairs' on 'hall/mqttcheck/x/0' from a to b"
    )]
    public void A_site_has_the_topics_under_which_renamed_publications_arrive(string ofA, string ofB, string? gap) =>
        Assert.That(new BridgeReach(Renaming(ofA, ofB)).Gap(), Is.EqualTo(gap));

    [Test]
    public void A_topic_that_arrives_under_another_name_does_not_reach_its_own_subscribers()
    {
        var reach = new BridgeReach(Renaming("plant/", "from-a/"));
        Assert.That(reach.Topics(0, "plant/x")[1], Is.EquivalentTo(["from-a/x"]));
        Assert.That(reach.Reaches(0, 1, "plant/x"), Is.False);
        Assert.That(reach.Reaches(0, 0, "plant/x"));
    }

    // Each round puts a level in front, so that the topics have no end.
    [Test]
    public void Topics_that_grow_without_end_are_followed_for_a_while()
    {
        var growing = Parse(
            """
            { "name": "x", "system": "mosquitto-bridge", "nodes": [ { "name": "a" }, { "name": "b" } ],
              "links": [ { "between": ["a", "b"], "topics": "# out 1 \"\" p/" }, { "between": ["b", "a"], "topics": "# out 1" } ] }
            """
        );
        Assert.That(new BridgeReach(growing).Topics(0, "t")[1], Does.Contain("p/t").And.Contain("p/p/t"));
    }

    private static Topology Renaming(string ofA, string ofB) =>
        Parse(
            $$"""
            { "name": "x", "system": "mosquitto-bridge", "nodes": [ { "name": "a" }, { "name": "b" } ],
              "links": [ { "between": ["a", "b"], "topics": "# out 1 plant/ from-a/" } ],
              "sites": [ { "name": "p", "at": "a", "publishers": 1, "topicPrefix": "{{ofA}}" },
                         { "name": "s", "at": "b", "subscribers": 1, "topicPrefix": "{{ofB}}" } ] }
            """
        );

    private static Topology Parse(string json) => TopologyFile.Parse(Encoding.UTF8.GetBytes(json), "x.json");
}
