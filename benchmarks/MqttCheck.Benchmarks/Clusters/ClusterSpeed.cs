using System.Diagnostics;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;
using static System.FormattableString;

namespace MqttCheck.Benchmarks.Clusters;

/// <summary>
/// How fast a cluster is simulated, on one core: <c>cluster-speed SECONDS</c>. Each figure stands beside that of a
/// plain loop, which only knows a queue of events, who is linked, and who has seen what. Then what a run allocates,
/// and whether two threads give the traces of one.
/// </summary>
internal static class ClusterSpeed
{
    private const int Nodes = 5;
    private const int Publications = 2000;
    private const long Second = 1_000_000_000;

    public static int Run(string[] arguments)
    {
        var seconds = arguments is [var text]
            ? double.Parse(text, System.Globalization.CultureInfo.InvariantCulture)
            : 3;
        var flood = new ClusterSimulator(FloodPlan());
        var simulated = Rate(seconds, run => flood.Run(27, run).Packets);
        var plain = Rate(seconds, _ => PlainFlood());
        Console.WriteLine(Invariant($"flooding a mesh of 5: {simulated / 1e6:0.00} M link events/s (at least 2)"));
        Console.WriteLine(Invariant($"  a plain loop: {plain / 1e6:0.00} M; ratio {simulated / plain:0.00}"));

        var judge = new Judge(FloodPlan().Topology);
        var judged = new ClusterSimulator(FloodPlan(), judge);
        var withMonitors = Rate(
            seconds,
            run =>
            {
                judge.Begin();
                return judged.Run(27, run).Packets;
            }
        );
        Console.WriteLine(
            Invariant($"  with the monitors of a run: {withMonitors / 1e6:0.00} M; ")
                + Invariant($"time {simulated / withMonitors:0.0} times that without")
        );

        var dying = new ClusterSimulator(FailurePlan());
        var replications = Rate(
            seconds,
            run =>
            {
                dying.Run(27, run);
                return 1;
            }
        );
        var perRun = dying.Totals.Packets;
        Console.WriteLine(Invariant($"mesh of 5, root killed, 60 s: {replications:0} replications/s (at least 1000)"));
        Console.WriteLine(
            Invariant($"  {perRun} link events each; events of the plain loop in that time: ")
                + Invariant($"{plain / replications:0}; ratio {perRun * replications / plain:0.00}")
        );
        Console.WriteLine(
            Invariant($"allocated: {Allocated(flood)} bytes flooding, {Allocated(dying)} in a failure run")
        );
        var (one, two) = (Traces(threads: 1), Traces(threads: 2));
        Console.WriteLine($"traces of 1 and 2 threads: {(one.SequenceEqual(two) ? "equal" : "DIFFERENT")}");
        return one.SequenceEqual(two) ? 0 : 1;
    }

    private static double Rate(double seconds, Func<long, long> run)
    {
        for (var warmUp = 0; warmUp < 20; warmUp++)
            run(warmUp);
        var (count, number, watch) = (0L, 20L, Stopwatch.StartNew());
        while (watch.Elapsed.TotalSeconds < seconds)
            count += run(number++);
        return count / watch.Elapsed.TotalSeconds;
    }

    private static long Allocated(ClusterSimulator simulator)
    {
        simulator.Run(27, 7);
        var before = GC.GetAllocatedBytesForCurrentThread();
        simulator.Run(27, 7);
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    private static ulong[] Traces(int threads)
    {
        const int runs = 200;
        var hashes = new ulong[runs];
        var workers = Enumerable
            .Range(0, threads)
            .Select(worker => new Thread(() =>
            {
                var hash = new TraceHash();
                var simulator = new ClusterSimulator(FailurePlan(), hash);
                for (var run = worker; run < runs; run += threads)
                {
                    hash.Value = 14695981039346656037;
                    simulator.Run(27, run);
                    hashes[run] = hash.Value;
                }
            }))
            .ToList();
        workers.ForEach(thread => thread.Start());
        workers.ForEach(thread => thread.Join());
        return hashes;
    }

    private static SimulationPlan FloodPlan() =>
        Plan(
            new SpanningTreeOptions { Elects = false },
            new ConstantLaw(10),
            [
                .. Enumerable
                    .Range(0, Publications)
                    .Select(i => new SimulationStep
                    {
                        AtNanoseconds = Second + (i * 1_000_000L),
                        Kind = SimulationStepKind.Publish,
                        Node = i % Nodes,
                        Topic = "t",
                    }),
            ],
            4 * Second
        );

    private static SimulationPlan FailurePlan() =>
        Plan(
            new SpanningTreeOptions(),
            new NormalLaw(10, 2.5),
            [
                new SimulationStep
                {
                    AtNanoseconds = 20 * Second,
                    Kind = SimulationStepKind.FaultBegins,
                    Fault = FaultKind.Kill,
                },
            ],
            60 * Second
        );

    private static SimulationPlan Plan(SpanningTreeOptions options, Law delay, SimulationStep[] steps, long duration)
    {
        var topology = TopologyFile.Read("mesh:5");
        topology = topology with
        {
            Links = [.. topology.Links.Select(link => link with { DelayMilliseconds = delay })],
        };
        return new SimulationPlan
        {
            Topology = topology,
            Core = ClusterCores.SpanningTree(topology, options),
            Hop = new MqttCheck.ClusterProtocols.Hops.HopOptions { Qos = QualityOfService.AtMostOnce },
            Steps = steps,
            DurationNanoseconds = duration,
        };
    }

    // Flooding takes at least this: each message goes to every neighbour but the one that it came from.
    private static long PlainFlood()
    {
        var queue = new PriorityQueue<(int Message, int From, int To), long>();
        var seen = new bool[Publications * Nodes];
        var events = 0L;
        for (var message = 0; message < Publications; message++)
        {
            var at = Second + (message * 1_000_000L);
            while (queue.TryPeek(out _, out var due) && due <= at)
                Arrive(due);
            Forward(message, -1, message % Nodes, at);
        }
        while (queue.TryPeek(out _, out var due))
            Arrive(due);
        return events;

        void Arrive(long now)
        {
            var (message, from, to) = queue.Dequeue();
            events++;
            if (!seen[(message * Nodes) + to])
                Forward(message, from, to, now);
        }

        void Forward(int message, int from, int node, long now)
        {
            seen[(message * Nodes) + node] = true;
            for (var peer = 0; peer < Nodes; peer++)
                if (peer != node && peer != from)
                    queue.Enqueue((message, node, peer), now + 10_000_000);
        }
    }

    // These judge live runs, and replications of 'cluster predict --check'.
    private sealed class Judge(Topology topology) : IClusterEventSink
    {
        private MonitorGroup _monitors = new([]);

        public void Begin() => _monitors = new(RunMonitors.Of(topology, TimeSpan.FromSeconds(2), 0, 0));

        public void Add(in ClusterEvent happened) => _monitors.Add(happened);
    }

    private sealed class TraceHash : IClusterEventSink
    {
        public ulong Value { get; set; }

        public void Add(in ClusterEvent happened)
        {
            foreach (
                var part in (ReadOnlySpan<long>)
                    [happened.Nanoseconds, (long)happened.Kind, happened.Node, happened.Peer, happened.Value]
            )
                Value = (Value ^ (ulong)part) * 1099511628211;
        }
    }
}
