using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Tests.Simulation;

/// <summary>Trees, costs and message counts that follow from the rules by hand.</summary>
[TestFixture]
internal sealed class KnownAnswerTests
{
    private const string MeshOfFive = "12:10 13:8 14:14 15:9 23:5 24:7 25:11 34:4 35:11 45:6";

    // Costs are round trips: twice the one-way delays of the graph. Nodes count from 1, a parent of 0 is none.
    [TestCase(MeshOfFive, "", 0, "0 1 1 3 1", "0 20 16 24 18", TestName = "A mesh of 5")]
    [TestCase(MeshOfFive, "", 1, "- 0 2 2 2", "- 0 10 14 22", TestName = "A mesh of 5 without its root")]
    [TestCase("12:10 13:10 24:10 34:12", "", 0, "0 1 1 2", "0 20 20 40", TestName = "A diamond")]
    [TestCase("12:10 13:10 24:10 34:12", "0 0 0 1", 0, "2 4 4 0", "40 20 24 0", TestName = "A diamond with a fit node")]
    public void The_tree_has_the_parents_and_path_costs_of_the_graph(
        string links,
        string capabilities,
        int killed,
        string parents,
        string costsMilliseconds
    )
    {
        double[] fit = [.. capabilities.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(double.Parse)];
        var topology = Graphs.Of(links, fit);
        SimulationStep[] steps = killed == 0 ? [] : [Graphs.Kill(killed - 1, 10)];
        var tree = TreeOf(topology, steps);
        var nodes = Enumerable.Range(0, topology.Nodes.Count).ToList();
        Assert.Multiple(() =>
        {
            Assert.That(
                string.Join(' ', nodes.Select(n => tree.IsMember(n) ? $"{tree.Parents[n] + 1}" : "-")),
                Is.EqualTo(parents)
            );
            Assert.That(
                string.Join(
                    ' ',
                    nodes.Select(n => tree.IsMember(n) ? $"{tree.Costs[n] / (double)Graphs.Millisecond}" : "-")
                ),
                Is.EqualTo(costsMilliseconds)
            );
        });
    }

    [Test]
    public void The_link_of_the_diamond_that_is_in_no_tree_is_blocked_at_both_ends()
    {
        var tree = TreeOf(Graphs.Of("12:10 13:10 24:10 34:12"));
        int[] roles = [tree.Role(2, 3), tree.Role(3, 2), tree.Role(3, 1), tree.Role(1, 3)];
        Assert.That(roles, Is.EqualTo((int[])[0, 0, (int)LinkRole.Root, (int)LinkRole.Designated]));
    }

    private static TreeState TreeOf(Topology topology, params SimulationStep[] steps)
    {
        var log = new EventLog();
        new ClusterSimulator(Graphs.Plan(topology, new SpanningTreeOptions(), 20, steps), log).Run(1, 0);
        return log.Tree(topology);
    }

    // A tree of n nodes has n - 1 links; the paper's roles send over each of the L links.
    [TestCase(3, TreeRules.Safe, 2)]
    [TestCase(5, TreeRules.Safe, 4)]
    [TestCase(8, TreeRules.Safe, 7)]
    [TestCase(3, TreeRules.Paper, 3)]
    [TestCase(5, TreeRules.Paper, 10)]
    [TestCase(8, TreeRules.Paper, 28)]
    public void A_publication_crosses_as_many_links_as_the_roles_say(int nodes, TreeRules rules, int messages)
    {
        var topology = Graphs.Of(Graphs.Mesh(nodes), new ConstantLaw(10));
        foreach (var qos in Enum.GetValues<QualityOfService>())
        {
            var plan = Graphs.Plan(topology, new SpanningTreeOptions { Rules = rules }, 30, Publication(1, 20, qos));
            var totals = new ClusterSimulator(plan).Run(1, 0);
            var answers =
                totals.Of(HopPacketKind.Puback)
                + totals.Of(HopPacketKind.Pubrec)
                + totals.Of(HopPacketKind.Pubrel)
                + totals.Of(HopPacketKind.Pubcomp);
            // QoS 1 doubles the packets, QoS 2 has four for each message (MQTT 5, section 4.3).
            var perMessage = qos switch
            {
                QualityOfService.AtMostOnce => 1,
                QualityOfService.AtLeastOnce => 2,
                _ => 4,
            };
            Assert.That(
                (totals.DataPublishes, totals.DataPublishes + answers),
                Is.EqualTo(((long)messages, (long)messages * perMessage)),
                $"{qos}"
            );
        }
    }

    [Test]
    public void A_period_costs_a_statement_a_ping_and_its_answer_in_each_direction_of_a_link()
    {
        var topology = Graphs.Of(Graphs.Mesh(3), new ConstantLaw(10));
        var options = new SpanningTreeOptions { KeepAliveNanoseconds = 10 * Graphs.Second };
        var early = new ClusterSimulator(Graphs.Plan(topology, options, 45)).Run(1, 0);
        var late = new ClusterSimulator(Graphs.Plan(topology, options, 55)).Run(1, 0);
        HopPacketKind[] kinds = [HopPacketKind.Publish, HopPacketKind.Pingreq, HopPacketKind.Pingresp];
        Assert.That(kinds.Select(kind => late.Of(kind) - early.Of(kind)), Is.EqualTo((long[])[6, 6, 6]));
        // PUBLISH has a header of 2, the topic's length and 12 characters, no properties, and nine numbers.
        Assert.That(late.SignallingBytes - early.SignallingBytes, Is.EqualTo(6 * (2 + 14 + 1 + 72 + 2 + 2)));
    }

    // As published: PINGREQ carries the statement, and is 36 bytes longer by it.
    [Test]
    public void In_band_a_period_costs_one_longer_ping_and_its_answer_in_each_direction_of_a_link()
    {
        var topology = Graphs.Of(Graphs.Mesh(3), new ConstantLaw(10)) with { IsInBand = true, KeepAliveSeconds = 10 };
        var options = ClusterCores.OptionsOf(topology);
        var hop = ClusterCores.HopOf(topology);
        var early = new ClusterSimulator(Graphs.Plan(topology, options, 45) with { Hop = hop }).Run(1, 0);
        var late = new ClusterSimulator(Graphs.Plan(topology, options, 55) with { Hop = hop }).Run(1, 0);
        HopPacketKind[] kinds = [HopPacketKind.Publish, HopPacketKind.Pingreq, HopPacketKind.Pingresp];
        Assert.That(kinds.Select(kind => late.Of(kind) - early.Of(kind)), Is.EqualTo((long[])[0, 6, 6]));
        Assert.That(late.SignallingBytes - early.SignallingBytes, Is.EqualTo(6 * (2 + 36 + 2)));
    }

    // One-way milliseconds: clients in California (CA) are at Oregon (OR), those in Germany (DE) at Ireland (IE).
    [TestCase("OR", 22, 54.75, 86, 65.0)]
    [TestCase("IE", 22, 54.75, 86, 193 / 3.0)]
    [TestCase("VA", 22, 58, 92.5, 46)]
    public void Brokers_in_three_regions_deliver_in_the_times_of_their_paths(
        string root,
        double all,
        double half,
        double none,
        double betweenBrokers
    )
    {
        string[] names = ["OR", "VA", "IE"];
        var topology = Graphs.Of("12:35 13:62.5 23:34", [.. names.Select(name => name == root ? 1.0 : 0)]);
        var times = PropagationMilliseconds(topology);
        double california = 11,
            germany = 12.5;
        var crossing = california + times[0, 2] + germany;
        Assert.Multiple(() =>
        {
            Assert.That(
                (2 * california, (2 * california + 2 * germany + 2 * crossing) / 4),
                Is.EqualTo((all, half)).Within(0.01)
            );
            Assert.That(crossing, Is.EqualTo(none).Within(0.01));
            var pairs = times[0, 1] + times[0, 2] + times[1, 0] + times[1, 2] + times[2, 0] + times[2, 1];
            Assert.That(pairs / 6, Is.EqualTo(betweenBrokers).Within(0.01));
        });
    }

    private static double[,] PropagationMilliseconds(Topology topology)
    {
        var count = topology.Nodes.Count;
        List<SimulationStep> steps = [];
        for (var node = 0; node < count; node++)
        {
            steps.Add(Subscription(node, 1));
            steps.Add(Publication(node, 10 + node, QualityOfService.AtMostOnce));
        }
        var log = new EventLog();
        var plan = Graphs.Plan(topology, new SpanningTreeOptions(), 20, [.. steps.OrderBy(step => step.AtNanoseconds)]);
        new ClusterSimulator(plan, log).Run(1, 0);
        var published = log
            .Events.Where(e => e.Kind == ClusterEventKind.Published)
            .ToDictionary(e => e.Message, e => (e.Node, e.Nanoseconds));
        var times = new double[count, count];
        foreach (var delivered in log.Events.Where(e => e.Kind == ClusterEventKind.Delivered))
        {
            var (node, at) = published[delivered.Message];
            times[node, delivered.Node] = (delivered.Nanoseconds - at) / (double)Graphs.Millisecond;
        }
        return times;
    }

    private static SimulationStep Publication(int node, double seconds, QualityOfService qos) =>
        new()
        {
            Kind = SimulationStepKind.Publish,
            AtNanoseconds = (long)(seconds * Graphs.Second),
            Node = node,
            Client = node,
            Topic = "t",
            Qos = qos,
        };

    private static SimulationStep Subscription(int node, double seconds) =>
        new()
        {
            Kind = SimulationStepKind.Subscribe,
            AtNanoseconds = (long)(seconds * Graphs.Second),
            Node = node,
            Client = 100 + node,
            Topic = "#",
            Qos = QualityOfService.ExactlyOnce,
        };
}
