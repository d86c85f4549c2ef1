using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Protocol;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Tests.Simulation;

/// <summary>
/// Claims C1 and C2 about MQTT-ST, where each node is a server of its own that takes 50 us for a packet of a link, a
/// publication or a delivery, and every subscriber wants every message.
/// </summary>
[TestFixture]
internal sealed class ThroughputClaimsTests
{
    private const int Brokers = 5;
    private const double ServiceMilliseconds = .05;
    private const long Seconds = 2;

    /// <summary>
    /// C1, by arithmetic: one broker takes 1 + M times the service time for a message. Of five brokers with a tree each
    /// takes its share of publications and deliveries, and the packets of links.
    /// </summary>
    [Test, Category("Whole")]
    public void Throughput_is_highest_over_all_brokers_and_lowest_at_one_of_them()
    {
        double? before = null;
        foreach (var subscribers in (int[])[10, 50, 200])
        {
            var one = Capacity(nodes: 1, subscribers, isSpread: false);
            var spread = Capacity(Brokers, subscribers, isSpread: true);
            var atOne = Capacity(Brokers, subscribers, isSpread: false);
            TestContext.Out.WriteLine(
                $"{subscribers} subscribers: {spread:0} messages/s over five brokers, {one:0} at a single one, "
                    + $"{atOne:0} at one of five"
            );
            Assert.That(one, Is.EqualTo(1000 / ServiceMilliseconds / (1 + subscribers)).Within(10).Percent);
            Assert.That(spread, Is.GreaterThan(one));
            Assert.That(atOne, Is.LessThan(one));
            Assert.That(
                spread / one,
                Is.GreaterThan(before ?? 0).And.LessThan(Brokers),
                "the gain grows with the load"
            );
            before = spread / one;
        }
    }

    /// <summary>
    /// C2, at a fixed rate of each publisher. Twice the publishers are more work than twice the subscribers, which
    /// tells where nodes are busy. Where they are not, a message only waits for the deliveries before its own.
    /// </summary>
    [TestCase(4, false)]
    [TestCase(25, true)]
    public void Delay_grows_more_with_publishers_where_nodes_are_busy_and_with_subscribers_where_they_are_not(
        double perPublisher,
        bool isBusy
    )
    {
        var usual = Delay(20, 20, perPublisher);
        var publishers = Delay(40, 20, perPublisher);
        var subscribers = Delay(20, 40, perPublisher);
        TestContext.Out.WriteLine(
            $"{perPublisher} messages/s each: mean delay {usual:0.00} ms with 20 and 20, {publishers:0.00} with 40 "
                + $"publishers, {subscribers:0.00} with 40 subscribers"
        );
        Assert.That(Math.Min(publishers, subscribers), Is.GreaterThan(usual));
        Assert.That(publishers > subscribers, Is.EqualTo(isBusy));
    }

    // The highest rate that is delivered within the time in which it comes.
    private static double Capacity(int nodes, int subscribers, bool isSpread)
    {
        var (low, high) = (1.0, 4 * 1000 / ServiceMilliseconds / (1 + subscribers) * Brokers);
        while (high / low > 1.02)
        {
            var rate = Math.Sqrt(low * high);
            var (behind, _) = Measure(nodes, Brokers, subscribers, rate, isSpread);
            (low, high) = behind < .05 * Seconds * Graphs.Second ? (rate, high) : (low, rate);
        }
        return low;
    }

    private static double Delay(int publishers, int subscribers, double perPublisher) =>
        Measure(Brokers, publishers, subscribers, publishers * perPublisher, isSpread: true).MeanMilliseconds;

    private static (long BehindNanoseconds, double MeanMilliseconds) Measure(
        int nodes,
        int publishers,
        int subscribers,
        double rate,
        bool isSpread
    )
    {
        var start = 10 * Graphs.Second;
        var steps = new List<SimulationStep>();
        for (var i = 0; i < subscribers; i++)
            steps.Add(
                new SimulationStep
                {
                    AtNanoseconds = Graphs.Second,
                    Kind = SimulationStepKind.Subscribe,
                    Node = isSpread ? i % nodes : 0,
                    Client = publishers + i,
                    Topic = "t",
                    Qos = QualityOfService.ExactlyOnce,
                }
            );
        var random = RandomStream.For(27, (ulong)publishers, (ulong)subscribers);
        var at = (double)start;
        for (var i = 0; i < rate * Seconds; i++)
        {
            // Poisson arrivals.
            at -= Math.Log(random.NextOpenDouble()) / rate * Graphs.Second;
            steps.Add(
                new SimulationStep
                {
                    AtNanoseconds = (long)at,
                    Kind = SimulationStepKind.Publish,
                    Node = isSpread ? i % publishers % nodes : 0,
                    Client = i % publishers,
                    Topic = "t",
                    Qos = QualityOfService.ExactlyOnce,
                }
            );
        }
        var topology = nodes == 1 ? Alone() : Graphs.Of(Graphs.Mesh(nodes), new ConstantLaw(.1));
        var law = new ConstantLaw(ServiceMilliseconds);
        topology = topology with
        {
            Nodes = [.. topology.Nodes.Select(node => node with { ServiceMilliseconds = law })],
        };
        var log = new EventLog();
        new ClusterSimulator(
            new SimulationPlan
            {
                Topology = topology,
                Core = ClusterCores.SpanningTree(topology, new SpanningTreeOptions()),
                Hop = new HopOptions(),
                Steps = steps,
                DeliveryMilliseconds = law,
                DurationNanoseconds = start + (60 * Graphs.Second),
            },
            log
        ).Run(27, 0);
        var published = new Dictionary<long, long>();
        var (last, sum, count) = (0L, 0.0, 0);
        foreach (var e in log.Events)
            if (e.Kind == ClusterEventKind.Published)
                published[e.Message] = e.Nanoseconds;
            else if (e.Kind == ClusterEventKind.Delivered)
                (last, sum, count) = (
                    Math.Max(last, e.Nanoseconds),
                    sum + (e.Nanoseconds - published[e.Message]),
                    count + 1
                );
        // Behind a long queue a node takes its neighbours for silent, and messages are lost.
        var isComplete = count == published.Count * subscribers;
        return (isComplete ? last - published.Values.Max() : long.MaxValue, sum / count / 1e6);
    }

    private static Topology Alone() =>
        new()
        {
            Name = "alone",
            System = ClusterSystem.SpanningTree,
            Nodes = [new TopologyNode { Name = "n1" }],
            Links = [],
        };
}
