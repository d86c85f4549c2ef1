using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.LiveClusters.Runs;
using MqttCheck.LiveClusters.Verdicts;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.LiveClusters.Tests.Plants;

/// <summary>A live run with a plant: four clients publish, and four or two subscribe.</summary>
internal sealed class PlantedRun(PlantedCluster cluster, LiveClusterEvents events, ClusterRunSink sink)
{
    /// <summary>Runs.</summary>
    /// <param name="plant">The plant.</param>
    /// <param name="duration">How long messages are published.</param>
    /// <param name="faults">The faults.</param>
    /// <param name="run">Its number among the runs on this cluster.</param>
    /// <param name="keepsSessions">Whether sessions outlive the connections of their readers.</param>
    public async Task<ClusterOutcome> RunAsync(
        Plant plant,
        TimeSpan duration,
        IReadOnlyList<ClusterFault> faults,
        int run,
        bool keepsSessions = false
    )
    {
        var topology = cluster.Topology;
        var load = new Workload
        {
            Name = "planted",
            Shape = plant.Shape,
            Publishers = 4,
            Subscribers = plant.Shape == WorkloadShape.FanIn ? 2 : 4,
            Arrivals = ArrivalKind.Constant,
            MessagesPerSecond = 200,
            Qos = plant.Qos,
            SubscribeQos = plant.Qos,
            Duration = duration,
            WarmUp = LoadWarmUp.Lasting(TimeSpan.Zero),
            Payload = LoadPayload.OfSize(100),
            PersistentSubscribers = keepsSessions || plant.HasReturn,
            OfflineShare = plant.HasReturn ? 1 : 0,
            OfflineTime = TimeSpan.FromMilliseconds(200),
        };
        topology = topology with
        {
            Scenario = topology.Scenario with
            {
                Workload = load,
                Settle = TimeSpan.FromMilliseconds(200),
                Faults = faults,
            },
        };
        var drain = TimeSpan.FromSeconds(3);
        var monitors = RunMonitors.Of(topology, drain, boundNanoseconds: 0, MonotonicClock.NowNanoseconds);
        var recorder = new ClusterOutcomeRecorder(
            topology.Scenario.Settle,
            plant.IsOfRetained ? TimeSpan.FromMilliseconds(100) : null,
            monitors
        );
        var prefix = $"plant{run}/";
        sink.Begin(recorder, monitors.OfType<LoopMonitor>().Single(), prefix, () => { });
        var setup = new LiveClusterSetup
        {
            Cluster = cluster,
            Workload = load,
            Prefix = prefix,
            Seed = 1,
            HeadStart = TimeSpan.FromMilliseconds(300),
            Drain = drain,
            ProbesPerSecond = plant.IsOfRetained ? 10 : 0,
            Faults = ScheduledFault.Of(topology, seed: 1, run),
        };
        var result = await new LiveClusterRun(setup, events).RunAsync(TimeProvider.System, CancellationToken.None);
        Assert.That(result.Load.Failure, Is.Null);
        return recorder.End(result.EndNanoseconds, result.EndNanoseconds);
    }
}
