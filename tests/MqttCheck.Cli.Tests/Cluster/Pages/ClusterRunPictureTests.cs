using MqttCheck.Cli.Cluster.Pages;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Properties.Histories;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Reports.Documents.Lanes;

namespace MqttCheck.Cli.Tests.Cluster.Pages;

/// <summary>The picture of a run.</summary>
[TestFixture]
internal sealed class ClusterRunPictureTests
{
    private static readonly Topology s_pair = TopologyFile.Read("bridge-pair") with
    {
        Scenario = ClusterInput.Scenario("node-dies"),
    };

    [Test]
    public void A_node_has_a_lane_with_its_messages_by_fate_and_its_faults()
    {
        var run = new RunTape(s_pair)
            .Sent(0, came: 10)
            .Fault(4000, 8000, 0)
            .Sent(5000)
            .Sent(10_000, came: 10_010, node: 1)
            .Record();
        var picture = Draw(s_pair, run.Outcome.History!);
        Assert.That(picture.Lanes.Select(lane => lane.Name), Is.EqualTo(["a", "b"]));
        var (a, b) = (picture.Lanes[0], picture.Lanes[1]);
        Assert.That(a.Strips.Select(strip => (strip.Word, strip.Total)), Is.EqualTo([("lost", 1L), ("in time", 1L)]));
        Assert.That(b.Strips.Select(strip => (strip.Word, strip.Total)), Is.EqualTo([("in time", 1L)]));
        Assert.That(a.Shades, Is.EqualTo([new LaneShade(.4, .8)]));
        Assert.That(a.Notes, Is.EqualTo(["was killed at 4.0 s, was back at 8.0 s"]));
        Assert.That(b.Shades, Is.Empty);
        Assert.That(picture.Moments, Is.EqualTo([.4, .8]));
        Assert.That(picture.Meanings.Select(meaning => meaning.Word), Is.EqualTo(["lost", "in time"]));
        Assert.That(a.Strips[0].Counts[FateBins.Columns / 2], Is.EqualTo(1), "5 s of 10 s are in the middle");
    }

    [Test]
    public void A_fault_of_a_link_is_shaded_at_both_ends()
    {
        var run = new RunTape(s_pair)
            .Fault(1000, 2000, 0, peer: 1, kind: FaultKind.Cut)
            .Sent(4000, came: 4010)
            .Record();
        var picture = Draw(s_pair, run.Outcome.History!);
        Assert.That(picture.Lanes.Select(lane => lane.Shades), Has.All.EqualTo(new[] { new LaneShade(.25, .5) }));
        Assert.That(picture.Lanes[1].Notes, Is.EqualTo(["link a-b was cut at 1.0 s, was whole at 2.0 s"]));
    }

    [Test]
    public void Many_nodes_share_lanes_and_those_that_lost_something_have_their_own()
    {
        var mesh = ClusterInput.Topology("mesh:30");
        var tape = new RunTape(mesh);
        for (var node = 0; node < 30; node++)
            tape.Sent(1000 * node, node, came: node == 25 ? null : (1000 * node) + 10, node: node);
        var history = tape.Record().Outcome.History!;
        var picture = Draw(mesh, history);
        Assert.That(picture.Lanes, Has.Count.EqualTo(12));
        Assert.That(
            picture.Lanes.Select(lane => lane.Name),
            Does.Contain(mesh.Nodes[25].Name).And.Contain("19 other nodes")
        );
        Assert.That(picture.Lanes.Sum(lane => lane.Strips.Sum(strip => strip.Total)), Is.EqualTo(30));
        Assert.That(
            picture.Lanes.Single(lane => lane.Name == mesh.Nodes[25].Name).Strips.Single().Word,
            Is.EqualTo("lost")
        );
    }

    private static LanePicture Draw(Topology topology, RunHistory history) =>
        ClusterRunPicture.Of(topology, history, "Run 1");
}
