using System.Net;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.LiveClusters.Tests.Bridges;
using MqttCheck.LiveClusters.Verdicts;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.LiveClusters.Tests.Plants;

/// <summary>
/// One thing goes wrong on the bridge between two Mosquitto brokers. A client hears of it by the broker that it is
/// connected to, which mends some of it: it sets its own DUP, RETAIN and packet identifiers.
/// </summary>
[Platform("Linux,MacOsX")]
[Category("Whole")]
internal sealed class BridgePlantTests
{
    // The broker behind the bridge mends these plants, or makes something else of them.
    private static readonly Dictionary<string, string[]> s_behindBroker = new()
    {
        // A broker takes a packet identifier of QoS 2 once until its PUBREL (4.3.3).
        ["repeated at QoS 2"] = [],
        ["with QoS 2 instead of 1"] = ["delivery"],
        // Nobody there subscribes to the other topic.
        ["on another topic"] = ["delivery"],
        ["with RETAIN set"] = [],
        ["with DUP set"] = [],
        // Its publisher has the acknowledgement of the first broker.
        ["lost upward without an acknowledgement"] = ["delivery"],
    };

    private readonly ClusterRunSink _sink = new();
    private readonly IPEndPoint _far = new(IPAddress.Loopback, 0);
    private LiveClusterEvents _events = null!;
    private PlantProxy _bridge = null!;
    private RealBridges _brokers = null!;
    private PlantedCluster _cluster = null!;
    private int _runs;

    private static IEnumerable<TestCaseData> Plants =>
        Plant
            .All.Index()
            // With many publishers to one reader nobody reads at the other broker.
            .Where(plant => plant.Item is { IsOfRetained: false, IsOfConnections: false, Shape: WorkloadShape.Pairs })
            // These are about the identifier of a client, and a bridge has one.
            .Where(plant => !plant.Item.Name.Contains("client", StringComparison.Ordinal))
            .Where(plant => !plant.Item.Name.StartsWith("granted", StringComparison.Ordinal))
            .Select(plant => new TestCaseData(plant.Index).SetArgDisplayNames(plant.Item.Name));

    [OneTimeSetUp]
    public void Start()
    {
        Installed.Require("mosquitto");
        _events = new LiveClusterEvents(_sink);
        _bridge = new PlantProxy(_far);
        _brokers = new RealBridges([
            "listener {port0} 127.0.0.1\nallow_anonymous true\nlog_dest none\nconnection c\n"
                + $"address 127.0.0.1:{_bridge.Address.Port}\nnotifications_local_only true\nrestart_timeout 1\n"
                + "bridge_protocol_version mqttv311\ntopic # both 2\n",
            "listener {port1} 127.0.0.1\nallow_anonymous true\nlog_dest none\n",
        ]);
        _far.Port = _brokers.Ports[1];
        _brokers.Start();
        _brokers.WaitForBridges(TimeSpan.FromSeconds(30));
        var pair = TopologyFile.Parse(
            """
            { "name": "pair", "system": "mosquitto-bridge", "nodes": [ { "name": "a" }, { "name": "b" } ],
              "links": [ { "between": ["a", "b"], "topics": "# both 2" } ] }
            """u8,
            "pair.json"
        );
        _cluster = new PlantedCluster(pair, _brokers.Ports.Select(port => new IPEndPoint(IPAddress.Loopback, port)));
    }

    [OneTimeTearDown]
    public async Task Stop()
    {
        if (_cluster is not null)
            await _cluster.DisposeAsync();
        _brokers?.Dispose();
        _bridge?.Dispose();
    }

    [TestCaseSource(nameof(Plants))]
    public async Task A_plant_between_nodes_violates_what_clients_can_see_of_it(int place)
    {
        var plant = Plant.All[place];
        _bridge.Plant = plant;
        var outcome = await new PlantedRun(_cluster, _events, _sink).RunAsync(
            plant,
            TimeSpan.FromSeconds(1),
            [],
            ++_runs
        );
        _bridge.Plant = Plant.Clean;
        Assert.That(
            outcome.Violations.Select(one => one.Invariant).Distinct().Except(plant.Possible),
            Is.EquivalentTo(s_behindBroker.GetValueOrDefault(plant.Name) ?? plant.Expected),
            string.Join('\n', outcome.Violations.Select(one => one.What))
        );
    }
}
