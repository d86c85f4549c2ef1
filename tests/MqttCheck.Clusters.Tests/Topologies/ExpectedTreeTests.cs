using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clusters.Tests.Topologies;

[TestFixture]
internal sealed class ExpectedTreeTests
{
    // The known answers of the design's section on the spanning tree; node numbers there begin at 1.
    private static readonly (int A, int B, double Milliseconds)[] s_mesh =
    [
        (1, 2, 10),
        (1, 3, 8),
        (1, 4, 14),
        (1, 5, 9),
        (2, 3, 5),
        (2, 4, 7),
        (2, 5, 11),
        (3, 4, 4),
        (3, 5, 11),
        (4, 5, 6),
    ];

    private static readonly (int A, int B, double Milliseconds)[] s_diamond =
    [
        (1, 2, 10),
        (1, 3, 10),
        (2, 4, 10),
        (3, 4, 12),
    ];

    [Test]
    public void The_mesh_of_five_has_its_known_tree()
    {
        var tree = new ExpectedTree(Graph(5, s_mesh));
        Assert.That(
            (tree.Parents, tree.CostsMilliseconds),
            Is.EqualTo(((int[])[-1, 0, 0, 2, 0], (int[])[0, 20, 16, 24, 18]))
        );
    }

    [Test]
    public void The_diamond_has_its_known_trees_with_and_without_a_fitter_node()
    {
        var tree = new ExpectedTree(Graph(4, s_diamond));
        Assert.That((tree.Root, tree.Parents[3], tree.CostsMilliseconds[3]), Is.EqualTo((0, 1, 40.0)));
        var graph = Graph(4, s_diamond);
        var fitter = graph with { Nodes = [.. graph.Nodes.Take(3), graph.Nodes[3] with { Capability = 1 }] };
        var other = new ExpectedTree(fitter);
        Assert.That((other.Root, other.Parents[0]), Is.EqualTo((3, 1)));
    }

    // n - 1 messages with a tree, and 2 L - (n - 1) when all links flood.
    [TestCase("mesh:3", 2, 4)]
    [TestCase("mesh:5", 4, 16)]
    [TestCase("mesh:8", 7, 49)]
    [TestCase("ring:6", 5, 7)]
    [TestCase("line:4", 3, 3)]
    public void Messages_for_one_publication_are_counted(string family, int ofTree, int ofFlood)
    {
        Assert.That(LinkLoads.PerPublication(TopologyFile.Read(family))!.Sum(), Is.EqualTo(ofTree).Within(1e-9));
        Assert.That(
            LinkLoads.PerPublication(TopologyFile.Read(family, ClusterSystem.Flood))!.Sum(),
            Is.EqualTo(ofFlood).Within(1e-9)
        );
        Assert.That(LinkLoads.PerPublication(TopologyFile.Read(family, ClusterSystem.Nats)), Is.Null);
    }

    private static Topology Graph(int nodes, IEnumerable<(int A, int B, double Milliseconds)> links) =>
        TopologyFile.Read($"mesh:{nodes}") with
        {
            Links =
            [
                .. links.Select(link => new TopologyLink
                {
                    From = link.A - 1,
                    To = link.B - 1,
                    DelayMilliseconds = new ConstantLaw(link.Milliseconds),
                }),
            ],
        };
}
