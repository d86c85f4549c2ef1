using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Tests.Simulation;

[TestFixture]
internal sealed class ClusterSimulatorTests
{
    private static readonly SimulationPlan s_plan = Graphs.Plan(
        Graphs.Of(Graphs.Mesh(5), new NormalLaw(10, 2.5)),
        new SpanningTreeOptions(),
        60,
        [.. Steps()]
    );

    [Test]
    public void A_seed_and_a_replication_give_one_trace_on_any_thread_in_any_order()
    {
        string[] expected = [.. Enumerable.Range(0, 6).Select(run => TraceOf(run))];
        var traces = new string[6];
        // Each thread has one simulator for several replications, in an order of its own.
        Parallel.For(
            0,
            2,
            new ParallelOptions { MaxDegreeOfParallelism = 2 },
            thread =>
            {
                var log = new EventLog();
                var simulator = new ClusterSimulator(s_plan, log);
                for (var run = 5; run >= 0; run--)
                {
                    if (run % 2 != thread)
                        continue;
                    log.Events.Clear();
                    simulator.Run(3, run);
                    traces[run] = string.Join('\n', log.Events);
                }
            }
        );
        Assert.That((traces, expected.Distinct().Count()), Is.EqualTo((expected, 6)));
    }

    [Test]
    public void Nothing_is_allocated_after_the_first_runs()
    {
        var simulator = new ClusterSimulator(s_plan);
        for (var run = 0; run < 20; run++)
            simulator.Run(3, run);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var run = 0; run < 20; run++)
            simulator.Run(3, run);
        // Reconnects enumerate the hop's released identifiers: some objects a failure, nothing a packet.
        Assert.That((GC.GetAllocatedBytesForCurrentThread() - before) / 20, Is.LessThan(4096));
    }

    [Test]
    public void A_partition_delays_what_is_on_the_link_and_loses_nothing()
    {
        var topology = Graphs.Of("12:10");
        SimulationStep[] steps =
        [
            Subscribe(1, 1),
            Graphs.Fault(FaultKind.Partition, 0, 5),
            .. Enumerable.Range(0, 50).Select(i => Publish(0, 5.1 + (i / 1000.0))),
            Graphs.Fault(FaultKind.Partition, 0, 7, begins: false),
        ];
        var totals = new ClusterSimulator(Graphs.Plan(topology, new SpanningTreeOptions(), 20, steps)).Run(1, 0);
        Assert.That(totals.Delivered, Is.EqualTo(50));
    }

    [Test]
    public void A_slow_link_is_told_with_its_end()
    {
        var topology = Graphs.Of("12:10") with { Scenario = new() { Faults = [SlowLink] } };
        var steps = FaultSteps.Of(topology, ScheduledFault.Of(topology, seed: 1, run: 0)).ToArray();
        var log = new EventLog();
        new ClusterSimulator(Graphs.Plan(topology, new SpanningTreeOptions(), 20, steps), log).Run(1, 0);
        var told = log.Events.Where(e => e.Fault == FaultKind.Slow).Select(e => (e.Kind, e.Nanoseconds));
        Assert.That(
            told,
            Is.EqualTo(
                ((ClusterEventKind, long)[])
                    [(ClusterEventKind.FaultBegan, 5 * Graphs.Second), (ClusterEventKind.FaultEnded, 7 * Graphs.Second)]
            )
        );
    }

    private static ClusterFault SlowLink => FaultText.Parse("slow n1-n2 delay=constant:50ms at 5s for 2s", "test");

    [Test]
    public void A_cut_loses_and_repeats_nothing_at_QoS_2()
    {
        var topology = Graphs.Of("12:10");
        SimulationStep[] steps =
        [
            Subscribe(1, 1),
            .. Enumerable.Range(0, 50).Select(i => Publish(0, 4.9 + (i / 1000.0))),
            // Some of these are in flight, their answers too.
            Graphs.Fault(FaultKind.Cut, 0, 4.93),
            Graphs.Fault(FaultKind.Cut, 0, 6, begins: false),
        ];
        var log = new EventLog();
        new ClusterSimulator(
            Graphs.Plan(
                topology,
                new SpanningTreeOptions { Elects = false, Identities = false },
                20,
                [.. steps.OrderBy(step => step.AtNanoseconds)]
            ),
            log
        ).Run(1, 0);
        var delivered = log.Events.Where(e => e.Kind == ClusterEventKind.Delivered).Select(e => e.Message);
        // What is published while the link is down has no link to go over.
        Assert.That(delivered, Is.EqualTo(Enumerable.Range(0, 31)));
    }

    [Test]
    public void A_node_serves_its_packets_one_after_the_other()
    {
        var topology = Graphs.Of("12:10") with
        {
            Nodes = [new() { Name = "n1" }, new() { Name = "n2", ServiceMilliseconds = new ConstantLaw(2) }],
        };
        SimulationStep[] steps =
        [
            Subscribe(1, 1),
            .. Enumerable.Range(0, 5).Select(_ => Publish(0, 9, QualityOfService.AtMostOnce)),
        ];
        var log = new EventLog();
        new ClusterSimulator(Graphs.Plan(topology, new SpanningTreeOptions { Elects = false }, 20, steps), log).Run(
            1,
            0
        );
        var times = log
            .Events.Where(e => e.Kind == ClusterEventKind.Delivered)
            .Select(e => (e.Nanoseconds - 9 * Graphs.Second) / Graphs.Millisecond);
        Assert.That(times, Is.EqualTo((long[])[12, 14, 16, 18, 20]));
    }

    [Test]
    public void A_rate_lets_packets_pass_one_after_the_other()
    {
        var topology = Graphs.Of("12:10");
        topology = topology with { Links = [topology.Links[0] with { BitsPerSecond = 8_000_000 }] };
        SimulationStep[] steps =
        [
            Subscribe(1, 1),
            .. Enumerable
                .Range(0, 3)
                .Select(_ => Publish(0, 9, QualityOfService.AtMostOnce) with { PayloadBytes = 100_000 }),
        ];
        var log = new EventLog();
        new ClusterSimulator(Graphs.Plan(topology, new SpanningTreeOptions { Elects = false }, 20, steps), log).Run(
            1,
            0
        );
        // 1 byte takes 1 microsecond; a packet has 100 000 bytes and less than 100 of header and identity.
        var times = log
            .Events.Where(e => e.Kind == ClusterEventKind.Delivered)
            .Select(e => (e.Nanoseconds - 9 * Graphs.Second) / (double)Graphs.Millisecond);
        Assert.That(times, Is.EqualTo((double[])[110, 210, 310]).AsCollection.Within(0.3));
    }

    private static string TraceOf(int run)
    {
        var log = new EventLog();
        new ClusterSimulator(s_plan, log).Run(3, run);
        return string.Join('\n', log.Events);
    }

    private static IEnumerable<SimulationStep> Steps()
    {
        for (var node = 0; node < 5; node++)
            yield return Subscribe(node, 1);
        for (var i = 0; i < 100; i++)
            yield return Publish(i % 5, 10 + (i / 10.0));
        yield return Graphs.Kill(0, 20.5);
        yield return Graphs.Start(0, 30);
    }

    private static SimulationStep Publish(
        int node,
        double seconds,
        QualityOfService qos = QualityOfService.ExactlyOnce
    ) =>
        new()
        {
            Kind = SimulationStepKind.Publish,
            AtNanoseconds = (long)Math.Round(seconds * Graphs.Second),
            Node = node,
            Topic = "t",
            Qos = qos,
        };

    private static SimulationStep Subscribe(int node, double seconds) =>
        new()
        {
            Kind = SimulationStepKind.Subscribe,
            AtNanoseconds = (long)(seconds * Graphs.Second),
            Node = node,
            Client = node,
            Topic = "t",
            Qos = QualityOfService.ExactlyOnce,
        };
}
