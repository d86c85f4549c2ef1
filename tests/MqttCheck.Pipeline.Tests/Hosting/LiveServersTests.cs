using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.LiveClusters.Runs;
using MqttCheck.Pipeline.Commands;
using MqttCheck.Pipeline.Logs;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Pipeline.Tests.Hosting;

/// <summary>
/// Brokers as processes, as <c>mqttcheck cluster run</c> starts them, with a Redis Cluster and with Kafka's protocol.
/// </summary>
[TestFixture]
[Platform("Linux")]
internal sealed class LiveServersTests : IClusterEventSink
{
    private const string Path = "PATH";

    private readonly HashSet<long> _acknowledged = [];
    private readonly HashSet<long> _delivered = [];
    private string? _path;

    // The program is looked for where a user has put it.
    [SetUp]
    public void Install()
    {
        _path = Environment.GetEnvironmentVariable(Path);
        var directory = System.IO.Path.GetDirectoryName(typeof(PipelineCommands).Assembly.Location);
        Environment.SetEnvironmentVariable(Path, $"{directory}:{_path}");
        _acknowledged.Clear();
        _delivered.Clear();
    }

    [TearDown]
    public void Uninstall() => Environment.SetEnvironmentVariable(Path, _path);

    /// <inheritdoc/>
    public void Add(in ClusterEvent clusterEvent)
    {
        if (clusterEvent.Peer >= 0 || clusterEvent.Message is < 0 or >= 1L << 62)
            return;
        if (clusterEvent.Kind == ClusterEventKind.Acknowledged)
            _acknowledged.Add(clusterEvent.Message);
        if (clusterEvent.Kind == ClusterEventKind.Delivered)
            _delivered.Add(clusterEvent.Message);
    }

    [Test, CancelAfter(60_000)]
    public async Task Kafka_by_its_address_and_a_Redis_Cluster_that_is_started_lose_nothing_when_a_primary_dies(
        CancellationToken cancellation
    )
    {
        using var kafka = new KafkaMock();
        var servers = string.Concat(
            Enumerable.Range(1, 6).Select(server => $$""", { "name": "r{{server}}", "kind": "store" }""")
        );
        var text = $$"""
            { "name": "x", "system": "pipeline",
              "pipeline": { "log": "kafka://{{kafka.BootstrapServers.Split(',')[0]}}", "store": "redis-cluster",
                "partitions": {{KafkaMock.Partitions}} },
              "nodes": [ { "name": "b1" }, { "name": "b2" }, { "name": "log", "kind": "log" }{{servers}} ],
              "links": [ { "between": ["b1", "log"] }, { "between": ["b2", "log"] } ],
              "workload": { "name": "pairs", "publishers": 6, "subscribers": 6, "arrivals": { "constant": 60 },
                "durationSeconds": 4, "qos": 1, "persistentSubscribers": true },
              "faults": [ "kill r1 at 1s for 5s" ] }
            """;
        var topology = TopologyFile.Parse(System.Text.Encoding.UTF8.GetBytes(text), "x.json");
        await using var cluster = await new ClusterLauncher(new ClusterLaunchOptions { Seed = 1 }).StartAsync(
            topology,
            cancellation
        );
        var setup = new LiveClusterSetup
        {
            Cluster = cluster,
            Workload = topology.Load with { WarmUp = LoadWarmUp.Lasting(TimeSpan.Zero) },
            Faults = ScheduledFault.Of(topology, seed: 1, run: 0),
            Prefix = "live/",
            Seed = 1,
            HeadStart = TimeSpan.FromSeconds(1),
            Drain = TimeSpan.FromSeconds(20),
        };
        var result = await new LiveClusterRun(setup, new LiveClusterEvents(this)).RunAsync(
            TimeProvider.System,
            cancellation
        );
        Assert.That(result.Load.Failure, Is.Null);
        Assert.That(_acknowledged, Has.Count.InRange(235, 245));
        Assert.That(_acknowledged.Except(_delivered), Is.Empty);
    }
}
