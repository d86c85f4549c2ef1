using MqttCheck.Clusters.Topologies;

namespace MqttCheck.Clusters.Tests.Topologies;

[TestFixture]
internal sealed class TopologyFamilyTests
{
    // Numbers of nodes and links by the definition of each graph.
    [TestCase("mesh:5", 5, 10)]
    [TestCase("mesh:1", 1, 0)]
    [TestCase("ring:6", 6, 6)]
    [TestCase("star:4", 4, 3)]
    [TestCase("line:3", 3, 2)]
    [TestCase("tree:2x3", 7, 6)]
    [TestCase("tree:3x3", 13, 12)]
    [TestCase("grid:3x3", 9, 12)]
    [TestCase("grid:2x4", 8, 10)]
    public void A_family_has_its_nodes_and_links_once_and_is_connected(string text, int nodes, int links)
    {
        Assert.That(TopologyFamily.TryParse(text, out var family));
        Assert.That((family!.NodeCount, family.Links.Count), Is.EqualTo((nodes, links)));
        Assert.That(family.Links, Is.Unique.And.All.Matches<(int From, int To)>(link => link.From < link.To));
        var reached = new HashSet<int> { 0 };
        for (var round = 0; round < nodes; round++)
        {
            foreach (var (from, to) in family.Links)
            {
                if (reached.Contains(from) || reached.Contains(to))
                    reached.UnionWith([from, to]);
            }
        }
        Assert.That(reached, Has.Count.EqualTo(nodes));
    }

    [Test]
    public void Every_node_of_a_tree_has_the_children_that_it_says()
    {
        Assert.That(TopologyFamily.TryParse("tree:2x3", out var family));
        Assert.That(
            family!.Links.GroupBy(link => link.From).Select(parent => (parent.Key, parent.Count())),
            Is.EqualTo(((int, int)[])[(0, 2), (1, 2), (2, 2)])
        );
    }

    [TestCase("mesh")]
    [TestCase("mesh:0")]
    [TestCase("mesh:-1")]
    [TestCase("mesh:2x3")]
    [TestCase("ring:2")]
    [TestCase("tree:3")]
    [TestCase("tree:2x9")]
    [TestCase("tree:256x256")]
    [TestCase("grid:16x17")]
    [TestCase("mesh:257")]
    [TestCase("wheel:5")]
    public void Any_other_text_is_no_family(string text) => Assert.That(TopologyFamily.TryParse(text, out _), Is.False);

    [Test]
    public void A_topology_of_a_family_has_the_link_that_it_is_given()
    {
        Assert.That(TopologyFamily.TryParse("line:3", out var family));
        var topology = family!.ToTopology(
            ClusterSystem.Flood,
            new TopologyLink
            {
                From = 0,
                To = 1,
                Loss = .5,
            }
        );
        Assert.That(topology.Nodes.Select(node => node.Name), Is.EqualTo(["n1", "n2", "n3"]));
        Assert.That(
            topology.Links.Select(link => (link.From, link.To, link.Loss)),
            Is.EqualTo(((int, int, double)[])[(0, 1, .5), (1, 2, .5)])
        );
    }
}
