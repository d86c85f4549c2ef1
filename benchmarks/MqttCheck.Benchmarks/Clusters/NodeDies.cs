using System.Diagnostics;
using System.Globalization;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.LiveClusters.Runs;
using static System.FormattableString;

namespace MqttCheck.Benchmarks.Clusters;

/// <summary>
/// What clients see of a fault, run by run: <c>node-dies NAME 'FAULT' RUNS SECONDS [failover]</c>. For each run the
/// longest gap of probes between nodes that live, and what was acknowledged and never came.
/// </summary>
internal static class NodeDies
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(25);

    public static async Task<int> RunAsync(string[] arguments)
    {
        if (arguments is not [var name, var text, var runs, var seconds, ..])
        {
            Console.Error.WriteLine("node-dies NAME 'FAULT' RUNS SECONDS [failover]");
            return 2;
        }
        var topology = TopologyFile.Read(name);
        topology = topology with
        {
            Scenario = topology.Scenario with { Faults = [FaultText.Parse(text, "node-dies")] },
        };
        for (var run = 0; run < int.Parse(runs, CultureInfo.InvariantCulture); run++)
            await OneAsync(
                topology,
                run,
                double.Parse(seconds, CultureInfo.InvariantCulture),
                arguments.Contains("failover")
            );
        return 0;
    }

    private static async Task OneAsync(Topology topology, int run, double seconds, bool failover)
    {
        var seen = new Seen();
        var events = new LiveClusterEvents(seen);
        await using var cluster = await new ClusterLauncher(
            new ClusterLaunchOptions { Observer = events, Seed = (ulong)run }
        ).StartAsync(topology, CancellationToken.None);
        var faults = ScheduledFault.Of(topology, 1, run);
        var down = faults.SelectMany(fault => fault.Nodes).ToHashSet();
        var accepting = seen.FirstFault.ContinueWith(_ => AcceptAsync(cluster, down), TaskScheduler.Default).Unwrap();
        var setup = new LiveClusterSetup
        {
            Cluster = cluster,
            Workload = topology.Load with { Duration = TimeSpan.FromSeconds(seconds) },
            Faults = faults,
            Prefix = Invariant($"nodedies{run}/"),
            Seed = (ulong)run,
            Failover = failover,
        };
        var result = await new LiveClusterRun(setup, events).RunAsync(TimeProvider.System, CancellationToken.None);
        Console.WriteLine(
            Invariant($"run {run + 1}, {faults[0].Fault} (")
                + string.Join(',', down.Select(node => topology.Nodes[node].Name))
                + Invariant($"): blackout {seen.BlackoutSeconds(down):0.00} s; a new client at each other node after ")
                + Invariant($"{await accepting}; acknowledged {seen.Acknowledged.Count}, ")
                + Invariant($"never delivered {seen.Acknowledged.Except(seen.Delivered.Keys).Count()}, ")
                + Invariant($"repeated {seen.Delivered.Values.Count(count => count > 1)}; ")
                + Invariant($"fault late by {result.FaultLatenessNanoseconds / 1e6:0.00} ms; ")
                + (result.NodeFailure is { } failure ? failure.Split('\n')[0] : "nodes fine")
                + (result.Load.Failure is { } why ? "; load: " + why : "")
        );
    }

    private static async Task<string> AcceptAsync(IClusterUnderTest cluster, HashSet<int> down)
    {
        var begin = Stopwatch.GetTimestamp();
        foreach (var node in cluster.Topology.Brokers.Where(node => !down.Contains(node)))
        {
            if (await cluster.WaitReadyAsync(node, Patience, CancellationToken.None) is { } problem)
                return Invariant($"more than {Patience.TotalSeconds} s ({problem})");
        }
        return Invariant($"{Stopwatch.GetElapsedTime(begin).TotalSeconds:0.00} s");
    }

    private sealed class Seen : IClusterEventSink
    {
        private readonly TaskCompletionSource _firstFault = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly List<(int From, int To, long Number, long At)> _probes = [];
        private readonly HashSet<long> _arrived = [];

        public Task FirstFault => _firstFault.Task;

        public HashSet<long> Acknowledged { get; } = [];

        public Dictionary<long, int> Delivered { get; } = [];

        public void Add(in ClusterEvent clusterEvent)
        {
            var isProbe = clusterEvent.Peer >= 0;
            switch (clusterEvent.Kind)
            {
                case ClusterEventKind.Published when isProbe:
                    _probes.Add((clusterEvent.Node, clusterEvent.Peer, clusterEvent.Message, clusterEvent.Nanoseconds));
                    break;
                case ClusterEventKind.Delivered when isProbe:
                    _arrived.Add(clusterEvent.Message);
                    break;
                case ClusterEventKind.FaultBegan:
                    _firstFault.TrySetResult();
                    break;
                case ClusterEventKind.Acknowledged:
                    Acknowledged.Add(clusterEvent.Message);
                    break;
                case ClusterEventKind.Delivered:
                    Delivered[clusterEvent.Message] = Delivered.GetValueOrDefault(clusterEvent.Message) + 1;
                    break;
            }
        }

        public double BlackoutSeconds(HashSet<int> down) =>
            _probes
                .Where(probe => !down.Contains(probe.From) && !down.Contains(probe.To))
                .GroupBy(probe => (probe.From, probe.To))
                .Select(pair =>
                {
                    var working = pair.Where(probe => _arrived.Contains(probe.Number)).Select(probe => probe.At);
                    long[] times = [pair.First().At, .. working, pair.Last().At];
                    return times.Zip(times.Skip(1), (from, to) => to - from).Max() / 1e9;
                })
                .DefaultIfEmpty()
                .Max();
    }
}
