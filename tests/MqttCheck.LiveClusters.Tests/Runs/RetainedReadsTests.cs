using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors.Retained;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.LiveClusters.Runs;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.LiveClusters.Tests.Runs;

/// <summary>Brokers with one store are asked for retained messages all the time, and each answer is judged.</summary>
[Platform("Linux,MacOsX")]
[Category("Whole")]
public sealed class RetainedReadsTests
{
    [Test]
    public async Task Retained_messages_of_one_store_are_read_in_the_run_and_fit_one_order()
    {
        Installed.Require("redis-server");
        var topology = TopologyFile.Read("aedes-redis-2");
        var recorded = new RecordedEvents();
        var events = new LiveClusterEvents(recorded);
        await using var cluster = await new ClusterLauncher(
            new ClusterLaunchOptions { Observer = events, Seed = 1 }
        ).StartAsync(topology, CancellationToken.None);
        var setup = new LiveClusterSetup
        {
            Cluster = cluster,
            Workload = topology.Load with
            {
                Duration = TimeSpan.FromSeconds(7),
                MessagesPerSecond = 20,
                WarmUp = LoadWarmUp.Lasting(TimeSpan.Zero),
            },
            Prefix = "retainedtest/",
            Seed = 1,
        };
        await new LiveClusterRun(setup, events).RunAsync(TimeProvider.System, CancellationToken.None);

        var own = recorded.All.Where(one => one.IsRetained).OrderBy(one => one.Nanoseconds).ToList();
        var reads = own.Where(one => one.Kind == ClusterEventKind.Delivered).ToList();
        Assert.That(own.Count(one => one.Kind == ClusterEventKind.Acknowledged), Is.GreaterThanOrEqualTo(4));
        foreach (var topic in reads.GroupBy(read => read.Topic))
            Assert.That(topic.Select(read => read.Message).Distinct().Count(), Is.GreaterThan(2), "read in the run");
        Assert.That(reads.Select(read => read.Node).Distinct().Count(), Is.EqualTo(2));
        Assert.That(Judge(own), Is.Empty);

        // A node that gives the first value again at the end.
        var last = own.FindLastIndex(one => one.Kind == ClusterEventKind.Delivered);
        var first = reads.First(read => read.Topic == own[last].Topic);
        own[last] = own[last] with { Message = first.Message };
        Assert.That(Judge(own), Has.Count.EqualTo(1));

        IReadOnlyList<string> Judge(List<ClusterEvent> all)
        {
            var monitor = new RegisterMonitor(
                topology,
                reaches: null,
                at => FormattableString.Invariant($"{at} ns"),
                decides: true
            );
            foreach (var one in all)
                monitor.Add(one);
            monitor.End(all[^1].Nanoseconds);
            return [.. monitor.Violations.Select(violation => violation.What)];
        }
    }
}
