using MqttCheck.ClusterProtocols.Generation;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.ClusterProtocols.Systems;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.InMemory;
using MqttCheck.Statistics;

namespace MqttCheck.LiveClusters.Tests.InMemory;

/// <summary>
/// The same schedules at the levels of frames and of bytes. Both draw the same delays, so that all of a run is equal to
/// the nanosecond: what links carry, what nodes decide, and what every subscriber gets, settled or not.
/// </summary>
// In virtual time, so that several may share the machine.
[Parallelizable(ParallelScope.All)]
internal sealed class DifferentialTests
{
    private const ulong Seed = 27;

    private static readonly string[] s_families = ["mesh:5", "ring:6", "star:4", "line:3", "tree:2x3", "grid:3x3"];

    [Test]
    public void Some_schedules_run_equally_at_frames_and_at_bytes() =>
        Assert.That(Compare(0, 20), Is.GreaterThan(5 * 20), "the schedules have something to compare");

    [Test, Category("Whole")]
    public void A_thousand_random_schedules_run_equally_at_frames_and_at_bytes() =>
        Assert.That(Compare(0, 1000), Is.GreaterThan(5 * 1000), "the schedules have something to compare");

    // A SUBSCRIBE to a node that stands still; a node killed when it goes on; two connections that ended meanwhile.
    [TestCase(1466)]
    [TestCase(3694)]
    [TestCase(5823)]
    public void Rare_schedules_with_a_frozen_node_run_equally(int number) => Compare(number, number + 1);

    [TestCase("stop n1 at 20s for 5s")]
    [TestCase("stop n2 at 20s; kill n1 at 20100ms for 3s")]
    [TestCase("freeze n3 at 19s; stop n3 at 20s for 5s")]
    [TestCase("stop n1 at 20s for 10ms; n1 publish t/1 qos=2 at 20005ms")]
    public void Schedules_with_a_node_that_leaves_in_order_run_equally(string faults)
    {
        for (var number = 0; number < 4; number++)
        {
            var topology = TopologyOf(number);
            var text =
                "n3 subscribe # qos=2 at 0s; n2 subscribe t/1 qos=1 at 1s; n1 publish t/1 qos=2 at 19990ms; "
                + $"n2 publish t/1 qos=2 at 20001ms; n1 publish t/1 qos=1 at 40s; {faults}";
            Compare(topology, CaseText.Parse(text, topology, "test"), number);
        }
    }

    [Test]
    public void Some_schedules_run_equally_over_a_transport() =>
        Assert.That(Compare(0, 12, TopologyWithTransport), Is.GreaterThan(12), "there is something to compare");

    [Test]
    public void Some_schedules_run_equally_with_statements_inside_PINGREQ() =>
        Assert.That(
            Compare(0, 12, number => TopologyOf(number) with { IsInBand = true }),
            Is.GreaterThan(5 * 12),
            "there is something to compare"
        );

    [Test, Category("Whole")]
    public void Many_schedules_run_equally_over_a_transport() => Compare(12, 300, TopologyWithTransport);

    [Category("Whole")]
    [TestCase("mesh:5", TreeRules.Silent, true)]
    [TestCase("ring:6", TreeRules.Paper, true)]
    [TestCase("mesh:5", TreeRules.Safe, false)]
    public void A_finding_of_one_level_is_one_of_the_other(string family, TreeRules rules, bool hasIds)
    {
        var topology = ClusterCheck.WithUsualDelays(TopologyFile.Read(family) with { Rules = rules, HasIds = hasIds });
        var check = new ClusterCheck(topology, 1);
        ClusterFinding? finding = null;
        for (var i = 0; i < 4000 && finding is null; i++)
            finding = check.Next();
        Assert.That(finding, Is.Not.Null);
        TestContext.Out.WriteLine($"{finding!.Violation.Invariant}: --seed {finding.Seed} --steps '{finding.Shrunk}'");
        var read = CaseText.Parse(finding.Shrunk.ToString(), topology, "test");
        Assert.That(ByteCaseRun.Judge(topology, read, finding.Seed), Does.Contain(finding.Violation));
    }

    [Test]
    public void A_node_with_a_service_time_is_refused_with_its_name()
    {
        var topology = TopologyFile.Parse(
            """
            { "name": "slow", "system": "spanning-tree",
              "nodes": [ { "name": "a", "service": "constant:1ms" }, { "name": "b" } ],
              "links": [ { "between": ["a", "b"] } ] }
            """u8,
            "test"
        );
        Assert.That(
            () => ByteCaseRun.Judge(topology, new ClusterCase([]), 1),
            Throws.TypeOf<InputException>().With.Message.Contain("node a has the service time constant:1ms")
        );
    }

    // How many deliveries were compared.
    private static long Compare(int from, int to, Func<int, Topology>? topologyOf = null)
    {
        var deliveries = 0L;
        for (var number = from; number < to; number++)
        {
            var topology = (topologyOf ?? TopologyOf)(number);
            deliveries += Compare(topology, new ClusterCaseGenerator(topology).Generate(Seed, (ulong)number), number);
        }
        TestContext.Out.WriteLine($"schedules {from} to {to - 1} of seed {Seed}: {deliveries} deliveries");
        return deliveries;
    }

    private static long Compare(Topology topology, ClusterCase tested, int number)
    {
        var deliveries = 0L;
        var plan = CaseRun.PlanOf(topology, tested, TreeMutant.None);
        var (frames, bytes) = (new RunEvents(), new RunEvents());
        new ClusterSimulator(plan, frames).Run(Seed, number);
        new ByteSimulator(plan, bytes).Run(Seed, number);
        var where = $"schedule {number}, {topology.Name}, {topology.Rules}, ids {topology.HasIds}: {tested}";
        var (trace, expectedTrace) = (bytes.Trace, frames.Trace);
        // NUnit's comparison of the elements would take most of the test's time.
        if (!trace.SequenceEqual(expectedTrace))
            Assert.That(trace, Is.EqualTo(expectedTrace), where);
        var publishers = frames.Publishers;
        Assert.That(bytes.Publishers, Is.EqualTo(publishers), where);
        var (expected, given) = (frames.Deliveries, bytes.Deliveries);
        Assert.That(given.Keys, Is.EquivalentTo(expected.Keys), where);
        foreach (var (client, messages) in expected)
        {
            Assert.That(given[client], Is.EquivalentTo(messages), $"subscriber {client} of {where}");
            foreach (var publisher in publishers.Values.Distinct())
                Assert.That(
                    given[client].Where(message => publishers[message] == publisher),
                    Is.EqualTo(messages.Where(message => publishers[message] == publisher)),
                    $"messages of node {publisher} at subscriber {client} of {where}"
                );
            deliveries += messages.Count;
        }
        return deliveries;
    }

    // Queues so short that messages are dropped and sent again.
    private static Topology TopologyWithTransport(int number) =>
        TopologyOf(number) with
        {
            Hop = number % 2 == 0 ? PeerHopMode.Transport417 : PeerHopMode.Transport418,
            Transport = new()
            {
                SendQueue = 3,
                ReceiveQueue = 2,
                Shed = 3,
                RetransmissionMilliseconds = 60,
            },
        };

    // Rules and identities take turns, so that lost and repeated messages are compared, too. Slow links that lose
    // segments make the size of every packet count.
    private static Topology TopologyOf(int number)
    {
        var topology = ClusterCheck.WithUsualDelays(TopologyFile.Read(s_families[number % s_families.Length]));
        var random = RandomStream.For(Seed, (ulong)number, 7);
        var isSlow = random.NextInt(3) == 0;
        return topology with
        {
            Rules = (TreeRules)random.NextInt(3),
            HasIds = random.NextInt(4) > 0,
            Links =
            [
                .. topology.Links.Select(link => isSlow ? link with { BitsPerSecond = 200_000, Loss = .01 } : link),
            ],
        };
    }
}
