using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.LiveClusters.Recipes;
using MqttCheck.LiveClusters.Runs;
using MqttCheck.LiveClusters.Verdicts;
using Shared;

namespace MqttCheck.LiveClusters.Tests.Runs;

/// <summary>
/// 100 QoS 1 messages are acknowledged for a session whose client is away, something happens to the broker, and the
/// client comes back: the scenario absent-reader.
/// </summary>
[Platform("Linux")]
[Category("Whole")]
// Each test has a cluster of its own, and waits most of the time.
[Parallelizable(ParallelScope.All)]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
internal sealed class SurvivedMessagesTests
{
    private const int Runs = 5;

    private readonly ClusterRunSink _sink = new();
    private readonly ClusterScenario _scenario = ScenarioFile.Read("absent-reader");

    [Test]
    public async Task A_server_of_NATS_keeps_all_messages_when_it_is_killed()
    {
        Installed.Require("nats-server");
        Assert.That(await CameAsync("nats", "kill all at 6s for 1s", runs: 1), Is.All.EqualTo(100));
    }

    [Test]
    public async Task A_server_of_NATS_loses_acknowledged_messages_in_each_of_five_power_failures()
    {
        DiskTraces.Require();
        Installed.Require("nats-server");
        var came = await CameAsync("nats", "power all at 6s for 1s", Runs);
        TestContext.Out.WriteLine(string.Join(", ", came));
        Assert.That(came, Has.Length.EqualTo(Runs).And.All.LessThan(100));
    }

    [Test]
    public async Task Aedes_with_a_Redis_that_always_syncs_loses_nothing_in_five_power_failures()
    {
        DiskTraces.Require();
        Installed.Require("redis-server");
        if (await SingleBroker.FindAsync("aedes-redis", CancellationToken.None) is (null, var howToInstall))
            Missing.Report(howToInstall);
        Assert.That(
            await CameAsync("aedes-redis:appendfsync=always", "power all at 6s for 1s", Runs),
            Has.Length.EqualTo(Runs).And.All.EqualTo(100)
        );
    }

    // How many of the 100 messages of each run came.
    private async Task<long[]> CameAsync(string broker, string fault, int runs)
    {
        var events = new LiveClusterEvents(_sink);
        var topology = SingleBroker.TopologyOf(BrokerSpecification.Parse(broker)) with
        {
            Scenario = _scenario with { Faults = [FaultText.Read(fault)] },
        };
        var launcher = new ClusterLauncher(new ClusterLaunchOptions { Observer = events });
        await using var cluster = await launcher.StartAsync(topology, CancellationToken.None);
        var came = new List<long>();
        for (var run = 0; run < runs; run++)
        {
            var outcome = await RunAsync(cluster, events, run);
            Assert.That(outcome.Publications, Is.EqualTo(100), "every publication was acknowledged");
            Assert.That(outcome.Lost, Is.EqualTo(100 - outcome.Deliveries));
            came.Add(outcome.Deliveries);
        }
        return [.. came];
    }

    private async Task<ClusterOutcome> RunAsync(IClusterUnderTest cluster, LiveClusterEvents events, int run)
    {
        var topology = cluster.Topology;
        var drain = TimeSpan.FromSeconds(5);
        var monitors = RunMonitors.Of(topology, drain, boundNanoseconds: 0, MonotonicClock.NowNanoseconds);
        var recorder = new ClusterOutcomeRecorder(topology.Scenario.Settle, probeInterval: null, monitors);
        var prefix = $"survived{run}/";
        _sink.Begin(recorder, monitors.OfType<LoopMonitor>().Single(), prefix, () => { });
        var setup = new LiveClusterSetup
        {
            Cluster = cluster,
            Workload = topology.Load,
            Prefix = prefix,
            Seed = 1,
            Faults = ScheduledFault.Of(topology, seed: 1, run),
            HeadStart = topology.Scenario.Settle + TimeSpan.FromMilliseconds(20),
            Drain = drain,
            ProbesPerSecond = 0,
        };
        var result = await new LiveClusterRun(setup, events).RunAsync(TimeProvider.System, CancellationToken.None);
        Assert.That((result.Load.Failure, result.NodeFailure), Is.EqualTo(((string?)null, (string?)null)));
        return recorder.End(result.EndNanoseconds, result.EndNanoseconds);
    }
}
