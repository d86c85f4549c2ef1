using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.LiveClusters.Nodes;
using MqttCheck.LiveClusters.Verdicts;

namespace MqttCheck.LiveClusters.Tests.Plants;

/// <summary>
/// One thing goes wrong on the way between clients and a broker of a live cluster, and the monitors of live runs name
/// it. Two clients publish and two subscribe at each of two brokers, for about a second.
/// </summary>
[Platform("Linux,MacOsX")]
[Category("Whole")]
[TestFixture("mosquitto")]
[TestFixture("own nodes")]
internal sealed class PlantTests(string brokers)
{
    private readonly ClusterRunSink _sink = new();
    private readonly List<IAsyncDisposable> _nodes = [];
    private LiveClusterEvents _events = null!;
    private PlantedCluster _cluster = null!;
    private int _runs;

    private static IEnumerable<TestCaseData> Plants =>
        Plant.All.Select((plant, place) => new TestCaseData(place).SetArgDisplayNames(plant.Name));

    [OneTimeSetUp]
    public async Task Start()
    {
        _events = new LiveClusterEvents(_sink);
        if (brokers == "mosquitto")
            await StartMosquitto();
        else
            StartOwn();
    }

    [OneTimeTearDown]
    public async Task Stop()
    {
        if (_cluster is not null)
            await _cluster.DisposeAsync();
        foreach (var node in _nodes)
            await node.DisposeAsync();
    }

    [TestCaseSource(nameof(Plants))]
    public async Task A_plant_violates_the_invariants_that_are_named_for_it_and_no_others(int place)
    {
        var plant = Plant.All[place];
        _cluster.Begin(plant);
        // Nobody writes a retained message in the last two seconds.
        var duration = TimeSpan.FromSeconds(plant.IsOfRetained ? 3 : 1);
        var outcome = await new PlantedRun(_cluster, _events, _sink).RunAsync(plant, duration, [], ++_runs);
        TestContext.Out.WriteLine(string.Join('\n', outcome.Violations.Select(one => $"{one.Invariant}: {one.What}")));
        Assert.That(
            outcome.Violations.Select(one => one.Invariant).Distinct().Except(plant.Possible),
            Is.EquivalentTo(plant.IsOfRetained && brokers == "own nodes" ? [] : plant.Expected),
            string.Join('\n', outcome.Violations.Select(one => one.What))
        );
        // What nodes of our own hold is not promised, and is reported.
        Assert.That(
            outcome.Reports.Any(one => one.Invariant == "retained"),
            Is.EqualTo(plant.IsOfRetained && brokers == "own nodes")
        );
        if (plant.Repeats is { } repeats)
            Assert.That(outcome.Duplicates, Is.EqualTo(repeats));
    }

    private async Task StartMosquitto()
    {
        Installed.Require("mosquitto");
        var topology = TopologyFile.Read("bridge-pair");
        var launched = await new ClusterLauncher(new ClusterLaunchOptions { Observer = _events, Seed = 1 }).StartAsync(
            topology,
            CancellationToken.None
        );
        _nodes.Add(launched);
        Assert.That(
            await ((LaunchedCluster)launched).WaitBridgeAsync(0, 1, TimeSpan.FromSeconds(30), CancellationToken.None),
            "the bridge comes up"
        );
        _cluster = new PlantedCluster(topology, launched.Endpoints.Select(endpoint => endpoint.Address));
    }

    private void StartOwn()
    {
        var topology = TopologyFile.Parse(
            """
            { "name": "own", "system": "flood", "nodes": [ { "name": "a" }, { "name": "b" } ],
              "links": [ { "between": ["a", "b"] } ] }
            """u8,
            "own.json"
        );
        PortReservation[] ports = [.. topology.Nodes.Select(_ => new PortReservation())];
        foreach (var node in Enumerable.Range(0, ports.Length))
            _nodes.Add(
                ServedNodes.Start(
                    new NodeOptions
                    {
                        Topology = topology,
                        Node = node,
                        Address = ports[node].Address,
                        Peers = ClusterCores
                            .PeersOf(topology, node)
                            .ToDictionary(peer => peer, peer => ports[peer].Address),
                        Directory = "",
                        Incarnation = (ulong)(node + 1) << 33,
                    }
                )
            );
        _cluster = new PlantedCluster(topology, ports.Select(port => port.Address));
    }
}
