using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.Disks;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.LiveClusters.Runs;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.LiveClusters.Tests.Runs;

/// <summary>Live runs on installed brokers, judged by counting events.</summary>
[Platform("Linux,MacOsX")]
[Category("Whole")]
public sealed class LiveClusterRunTests
{
    private const string Prefix = "clustertest/";

    [TestCase("bridge-pair", 1)]
    [TestCase("bridge-chain", 2)]
    public async Task Bridges_give_each_subscriber_each_publication_once_and_cross_each_link_once(
        string name,
        int crossings
    )
    {
        Installed.Require("mosquitto");
        const int each = 200;
        var topology = TopologyFile.Read(name);
        var nodes = topology.Nodes.Count;
        var load = topology.Load with
        {
            Duration = TimeSpan.FromSeconds(1),
            MessagesPerSecond = each * nodes,
            WarmUp = LoadWarmUp.Lasting(TimeSpan.Zero),
        };
        var (events, result) = await RunAsync(topology, load);

        Assert.That(result.Load.Failure, Is.Null);
        var published = events.OfLoad(ClusterEventKind.Published).Select(one => one.Message).ToList();
        Assert.That(published, Has.Count.InRange(nodes * (each - 2), nodes * (each + 2)).And.Unique);
        Assert.That(
            events.OfLoad(ClusterEventKind.Acknowledged).Select(one => one.Message),
            Is.EquivalentTo(published)
        );
        for (var subscriber = 0; subscriber < nodes; subscriber++)
        {
            var client = nodes + subscriber;
            var came = events.OfLoad(ClusterEventKind.Delivered).Where(one => one.Client == client);
            Assert.That(came.Select(one => one.Message), Is.EquivalentTo(published), "each exactly once");
        }
        var crossed = events.OfLoad(ClusterEventKind.Sent).GroupBy(one => one.Message).ToList();
        Assert.That(crossed, Has.Count.EqualTo(published.Count));
        Assert.That(crossed.Select(group => group.Count()), Is.All.EqualTo(crossings));
        Assert.That(
            events.OfLoad(ClusterEventKind.Received).Count(),
            Is.EqualTo(events.OfLoad(ClusterEventKind.Sent).Count()),
            "what entered a link has left it"
        );
    }

    // Subscriptions stand before the first message and end after the last delivery, so that none is undecided.
    [Test]
    public async Task No_message_of_a_run_races_with_the_subscriptions_of_its_beginning_and_its_end()
    {
        Installed.Require("mosquitto");
        var settle = TimeSpan.FromMilliseconds(500);
        var topology = TopologyFile.Read("bridge-pair");
        var load = topology.Load with
        {
            Duration = TimeSpan.FromSeconds(1),
            MessagesPerSecond = 100,
            WarmUp = LoadWarmUp.Lasting(TimeSpan.Zero),
        };
        var (events, _) = await RunAsync(topology, load, headStart: settle + TimeSpan.FromMilliseconds(20));
        var ledger = new SettledDeliveries((long)settle.TotalNanoseconds);
        foreach (var one in events.All.Where(one => one.Message < 1L << 62))
            ledger.Add(one);
        Assert.That(ledger.Pairs(), Is.Not.Empty);
        Assert.That(ledger.Pairs().Select(pair => pair.State), Is.All.EqualTo(PairState.Settled));
    }

    [Test]
    public async Task A_load_passes_bridges_that_rename_its_topics_and_is_seen_on_their_links()
    {
        Installed.Require("mosquitto");
        var topology = TopologyFile.Parse(
            """
            { "name": "x", "system": "mosquitto-bridge", "nodes": [ { "name": "a" }, { "name": "b" }, { "name": "c" } ],
              "links": [ { "between": ["a", "b"], "topics": "# out 1 plant/ from-a/" },
                         { "between": ["b", "c"], "topics": "# out 1 from-a/ all/a/" } ],
              "sites": [ { "name": "p", "at": "a", "publishers": 2, "topicPrefix": "plant/" },
                         { "name": "s", "at": "c", "subscribers": 2, "topicPrefix": "all/a/" } ] }
            """u8,
            "x.json"
        );
        var load = topology.Load with
        {
            Duration = TimeSpan.FromSeconds(1),
            MessagesPerSecond = 100,
            WarmUp = LoadWarmUp.Lasting(TimeSpan.Zero),
        };
        var (events, result) = await RunAsync(topology, load);

        Assert.That(result.Load.Failure, Is.Null);
        var published = events.OfLoad(ClusterEventKind.Published).Select(one => one.Message).ToList();
        Assert.That(published, Has.Count.InRange(95, 105).And.Unique);
        Assert.That(events.OfLoad(ClusterEventKind.Delivered).Select(one => one.Message), Is.EquivalentTo(published));
        Assert.That(
            events.OfLoad(ClusterEventKind.Sent).Select(one => (one.Node, one.Message)),
            Is.EquivalentTo(((int[])[0, 1]).SelectMany(node => published.Select(message => (node, message)))),
            "each crosses both links once, under another topic each time"
        );
    }

    [Test]
    public async Task Faults_of_nodes_and_links_happen_in_their_order_and_end_and_probes_see_them()
    {
        Installed.Require("mosquitto");
        var topology = TopologyFile.Read("bridge-pair");
        topology = topology with
        {
            Scenario = topology.Scenario with
            {
                Faults =
                [
                    FaultText.Parse("partition a|b at 1s for 1s", "test"),
                    FaultText.Parse("freeze b at 3s for 500ms", "test"),
                    FaultText.Parse("kill a at 4s for 500ms", "test"),
                ],
            },
        };
        var load = topology.Load with { Duration = TimeSpan.FromSeconds(6), MessagesPerSecond = 20 };
        var (events, result) = await RunAsync(topology, load, ScheduledFault.Of(topology, 1, 0));

        Assert.That(result.NodeFailure, Is.Null);
        Assert.That(
            events
                .All.Where(one => one.Kind is ClusterEventKind.FaultBegan or ClusterEventKind.FaultEnded)
                .Select(one => (one.Kind, one.Fault, one.Node, one.Peer)),
            Is.EqualTo(
                ((ClusterEventKind, FaultKind, int, int)[])
                    [
                        (ClusterEventKind.FaultBegan, FaultKind.Partition, 0, 1),
                        (ClusterEventKind.FaultEnded, FaultKind.Partition, 0, 1),
                        (ClusterEventKind.FaultBegan, FaultKind.Freeze, 1, -1),
                        (ClusterEventKind.FaultEnded, FaultKind.Freeze, 1, -1),
                        (ClusterEventKind.FaultBegan, FaultKind.Kill, 0, -1),
                        (ClusterEventKind.FaultEnded, FaultKind.Kill, 0, -1),
                    ]
            )
        );
        var partition = events.All.Where(one => one.Peer == 1 && one.Kind == ClusterEventKind.FaultBegan).Single();
        var healed = events.All.Where(one => one.Peer == 1 && one.Kind == ClusterEventKind.FaultEnded).Single();
        // A probe from before may be read late; one that began behind the partition must not pass it. Its end is noted
        // when the links are open again, so the last tenth does not count.
        var nearlyHealed = partition.Nanoseconds + (healed.Nanoseconds - partition.Nanoseconds) * 9 / 10;
        var behind = events
            .OfProbes(ClusterEventKind.Published)
            .Where(one => one.Nanoseconds > partition.Nanoseconds + 50_000_000)
            .Select(one => one.Message)
            .ToHashSet();
        Assert.That(
            events
                .OfProbes(ClusterEventKind.Delivered)
                .Count(one => behind.Contains(one.Message) && one.Nanoseconds < nearlyHealed),
            Is.Zero,
            "no probe passes a partition"
        );
        // Every message that was acknowledged before the kill has come: a partition loses nothing.
        var kill = events
            .All.Where(one => (one.Node, one.Peer) == (0, -1))
            .First(one => one.Kind == ClusterEventKind.FaultBegan);
        var owed = events
            .OfLoad(ClusterEventKind.Published)
            .Where(one => one.Nanoseconds < kill.Nanoseconds - 500_000_000)
            .Select(one => one.Message);
        Assert.That(owed, Is.SubsetOf(events.OfLoad(ClusterEventKind.Delivered).Select(one => one.Message)));
        TestContext.Out.WriteLine($"latest fault: {result.FaultLatenessNanoseconds / 1e6:0.000} ms");
    }

    [Test]
    public async Task Messages_begin_to_count_when_the_warm_up_is_over()
    {
        Installed.Require("mosquitto");
        var topology = TopologyFile.Read("bridge-pair");
        var load = topology.Load with
        {
            Duration = TimeSpan.FromSeconds(1),
            WarmUp = LoadWarmUp.Lasting(TimeSpan.FromSeconds(1)),
        };
        var told = new List<long>();
        var (events, _) = await RunAsync(topology, load, began: told.Add);
        var published = events.OfLoad(ClusterEventKind.Published).ToList();
        var expected = load.MessagesPerSecond;
        Assert.That(told, Has.Count.EqualTo(1));
        Assert.That(
            published.Count(one => one.Nanoseconds >= told[0]),
            Is.InRange(expected - load.Publishers, expected + load.Publishers)
        );
        Assert.That(
            published.Count(one => one.Nanoseconds < told[0]),
            Is.InRange(expected - load.Publishers, expected + load.Publishers)
        );
    }

    [Test]
    public async Task Clients_that_are_parted_from_their_node_hear_nothing_until_they_are_joined_again()
    {
        Installed.Require("mosquitto");
        var (events, result) = await RunWithAsync("partition clients|a at 1s for 1s");

        Assert.That(result.Load.Failure, Is.Null);
        var (from, until) = Window(events, FaultKind.Partition);
        var served = events
            .All.Where(one => one.Kind is ClusterEventKind.Acknowledged or ClusterEventKind.Delivered)
            .Where(one => one.Nanoseconds > from && one.Nanoseconds < until)
            .Select(one => one.Node)
            .Distinct();
        Assert.That(served, Is.EqualTo([1]), "node b serves on");
        AssertNothingLost(events, result);
    }

    [TestCase("partition a>b at 1s for 1s", 1, 0)]
    [TestCase("partition b>a at 1s for 1s", 0, 1)]
    public async Task One_direction_of_a_link_stalls_and_the_other_does_not(string fault, int passes, int stalls)
    {
        Installed.Require("mosquitto");
        var (events, result) = await RunWithAsync(fault);

        var (from, until) = Window(events, FaultKind.Partition);
        // A message that is received at the other end has passed. The messages of one direction wait for answers of
        // the other one only when twenty are in flight.
        int Received(int sender) =>
            events
                .OfLoad(ClusterEventKind.Received)
                .Count(one => one.Peer == sender && one.Nanoseconds > from && one.Nanoseconds < until);
        Assert.That((Received(stalls), Received(passes) > 0), Is.EqualTo((0, true)));
        AssertNothingLost(events, result);
    }

    [Test]
    public async Task A_node_whose_power_fails_is_back_when_the_fault_ends()
    {
        Installed.Require("mosquitto");
        DiskTraces.Require();
        var (events, result) = await RunWithAsync("power a at 1s for 500ms");

        Assert.That((result.NodeFailure, result.NotBack), Is.EqualTo(((string?)null, (string?)null)));
        var (from, until) = Window(events, FaultKind.Power);
        Assert.That(until, Is.GreaterThan(from));
        Assert.That(
            events.OfLoad(ClusterEventKind.Acknowledged).Any(one => one.Node == 0 && one.Nanoseconds > until),
            Is.True,
            "it serves again"
        );
    }

    [Test]
    public async Task A_node_that_ended_itself_on_a_full_disk_is_started_again_and_its_disk_goes_with_the_cluster()
    {
        Installed.Require("mosquitto");
        DiskTraces.Require();
        string directory;
        await using (
            var cluster = (LaunchedCluster)
                await new ClusterLauncher(new ClusterLaunchOptions()).StartAsync(
                    With("fill a at 1s for 1s"),
                    CancellationToken.None
                )
        )
        {
            directory = cluster.DirectoryPath;
            Assert.That(DiskTraces.Under(directory), Is.Not.Empty);
            var file = Path.Combine(directory, "a", "more");
            await cluster.ChangeAsync(0, FaultKind.Fill, begins: true);
            Assert.That(() => File.WriteAllBytes(file, new byte[1 << 16]), Throws.InstanceOf<IOException>());
            ProcessSignal.Kill.SendTo(await cluster.ProcessIdOf(0));
            Assert.That(
                () => cluster.StateOf(0),
                Is.EqualTo(ClusterNodeState.Failed).After(10).Seconds.PollEvery(20).MilliSeconds
            );

            await cluster.ChangeAsync(0, FaultKind.Fill, begins: false);

            Assert.That(await cluster.WaitReadyAsync(0, TimeSpan.FromMinutes(1), CancellationToken.None), Is.Null);
            Assert.That(() => File.WriteAllBytes(file, new byte[1 << 16]), Throws.Nothing);
        }
        Assert.That(DiskTraces.Under(directory), Is.Empty);
    }

    [Test]
    public async Task Mosquitto_serves_on_while_its_disk_is_full()
    {
        Installed.Require("mosquitto");
        DiskTraces.Require();
        var (events, result) = await RunWithAsync("fill a at 1s for 1s");

        Assert.That((result.NodeFailure, result.NotBack), Is.EqualTo(((string?)null, (string?)null)));
        var (from, until) = Window(events, FaultKind.Fill);
        Assert.That(
            events
                .OfLoad(ClusterEventKind.Acknowledged)
                .Any(one => one.Node == 0 && one.Nanoseconds > from && one.Nanoseconds < until),
            Is.True
        );
        AssertNothingLost(events, result);
    }

    [Test]
    public async Task Mosquitto_serves_on_while_its_disk_is_slow()
    {
        Installed.Require("mosquitto");
        DiskTraces.Require();
        if (DiskThrottle.WhyNot() is { } why)
            Assert.Ignore(why);
        var (events, result) = await RunWithAsync("throttle a at 1s for 1s");

        Assert.That((result.NodeFailure, result.NotBack), Is.EqualTo(((string?)null, (string?)null)));
        var (from, until) = Window(events, FaultKind.Throttle);
        Assert.That(until, Is.GreaterThan(from));
        AssertNothingLost(events, result);
    }

    private static (long From, long Until) Window(RecordedEvents events, FaultKind kind) =>
        (
            events.All.Single(one => one.Kind == ClusterEventKind.FaultBegan && one.Fault == kind).Nanoseconds + Settle,
            events.All.Single(one => one.Kind == ClusterEventKind.FaultEnded && one.Fault == kind).Nanoseconds - Settle
        );

    private static void AssertNothingLost(RecordedEvents events, LiveClusterResult result)
    {
        Assert.That(result.Load.Failure, Is.Null);
        Assert.That(
            events.OfLoad(ClusterEventKind.Acknowledged).Select(one => one.Message),
            Is.SubsetOf(events.OfLoad(ClusterEventKind.Delivered).Select(one => one.Message).ToHashSet())
        );
    }

    // An event is noted some time after it happened.
    private const long Settle = 100_000_000;

    private static Topology With(string fault)
    {
        var topology = TopologyFile.Read("bridge-pair");
        return topology with { Scenario = topology.Scenario with { Faults = [FaultText.Parse(fault, "test")] } };
    }

    private static Task<(RecordedEvents Events, LiveClusterResult Result)> RunWithAsync(string fault)
    {
        var topology = With(fault);
        var load = topology.Load with { Duration = TimeSpan.FromSeconds(4), MessagesPerSecond = 40 };
        return RunAsync(topology, load, ScheduledFault.Of(topology, 1, 0));
    }

    private static async Task<(RecordedEvents Events, LiveClusterResult Result)> RunAsync(
        Topology topology,
        Workload load,
        IReadOnlyList<ScheduledFault>? faults = null,
        TimeSpan? headStart = null,
        Action<long>? began = null
    )
    {
        var recorded = new RecordedEvents();
        var events = new LiveClusterEvents(recorded);
        await using var cluster = await new ClusterLauncher(
            new ClusterLaunchOptions { Observer = events, Seed = 1 }
        ).StartAsync(topology, CancellationToken.None);
        var setup = new LiveClusterSetup
        {
            Cluster = cluster,
            Workload = load,
            Faults = faults ?? [],
            Prefix = Prefix,
            Seed = 1,
            HeadStart = headStart ?? TimeSpan.Zero,
            Began = began,
        };
        var result = await new LiveClusterRun(setup, events).RunAsync(TimeProvider.System, CancellationToken.None);
        return (recorded, result);
    }
}
