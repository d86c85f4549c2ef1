using System.Globalization;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Processes.Recipes;
using MqttCheck.Brokers.Processes.Settings;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.LiveClusters.Recipes;

/// <summary>
/// aedes brokers that share sessions and messages through a Redis server. The store of the topology is that server;
/// each broker connects to it.
/// </summary>
/// <param name="single">The broker without a store.</param>
/// <param name="settings">The settings of the server that the user gave, by name.</param>
internal sealed class AedesRedisRecipe(AedesRecipe single, IReadOnlyDictionary<string, string> settings)
    : IClusterRecipe
{
    // Redis syncs once a second what it appends.
    private const string UsualFsync = "everysec";

    private const string HowToInstallStore = "Install it: apt-get install redis-server (Debian, Ubuntu).";

    private const string Script = """
        import net from 'node:net';
        import { createRequire } from 'node:module';
        import { pathToFileURL } from 'node:url';
        const [modules, port, id, redisHost, redisPort] = process.argv.slice(2);
        const require = createRequire(modules + '/');
        const { Aedes } = await import(pathToFileURL(require.resolve('aedes')));
        const load = async (name) => { const module = await import(pathToFileURL(require.resolve(name))); return module.default ?? module; };
        // A subscribing connection that comes back may not ask for INFO, as the check of readiness does.
        const connection = { host: redisHost, port: +redisPort, enableReadyCheck: false };
        const persistence = (await load('aedes-persistence-redis'))(connection);
        const mq = (await load('mqemitter-redis'))(connection);
        const broker = await Aedes.createBroker({ id, persistence, mq });
        const server = net.createServer(broker.handle);
        const stop = () => { server.close(); broker.close(() => process.exit(0)); };
        process.on('SIGTERM', stop).on('SIGINT', stop);
        server.listen(+port, '127.0.0.1');

        """;

    /// <inheritdoc/>
    public IEnumerable<(int From, int To)> Connections(Topology topology)
    {
        var store = StoreOf(topology);
        return topology.Brokers.Select(broker => (broker, store));
    }

    /// <inheritdoc/>
    public async Task<BrokerDescription> DescribeAsync(Topology topology, CancellationToken cancellation)
    {
        CommandSearch.Require("redis-server", HowToInstallStore);
        AedesRecipe.RequirePackage("aedes-persistence-redis");
        AedesRecipe.RequirePackage("mqemitter-redis");
        // Redis server v=7.0.15 sha=...
        var line = await ProgramOutput.FirstLineAsync(
            CommandSearch.Require("redis-server", HowToInstallStore),
            "--version",
            cancellation
        );
        var store = line.Split(' ').FirstOrDefault(word => word.StartsWith("v=", StringComparison.Ordinal));
        var description = await single.DescribeAsync(cancellation);
        return description with
        {
            Settings = BrokerSettings.Word(isTuned: false, settings),
            Details = new Dictionary<string, string>(description.Details)
            {
                ["redis"] = store?[2..] ?? "unknown",
                [BrokerSettings.AppendOnly] = Appends ? BrokerSettings.Yes : BrokerSettings.No,
                [BrokerSettings.AppendFsync] = Appends ? Fsync : "-",
            },
        };
    }

    /// <inheritdoc/>
    public BrokerCommand Prepare(ClusterNodePlan plan) => plan.Node.Kind == NodeKind.Store ? Store(plan) : Broker(plan);

    // Without a file of changes the server keeps the rules of its package for snapshots.
    private bool Appends => settings.GetValueOrDefault(BrokerSettings.AppendOnly) != BrokerSettings.No;

    private string Fsync => settings.GetValueOrDefault(BrokerSettings.AppendFsync, UsualFsync);

    private BrokerCommand Store(ClusterNodePlan plan) =>
        new(
            CommandSearch.Require("redis-server", HowToInstallStore),
            [
                "--bind",
                "127.0.0.1",
                "--port",
                plan.Port.ToString(CultureInfo.InvariantCulture),
                "--dir",
                plan.Directory,
                .. Appends
                    ? (string[])["--save", "", "--appendonly", BrokerSettings.Yes, "--appendfsync", Fsync]
                    : ["--appendonly", BrokerSettings.No],
            ]
        );

    private static int StoreOf(Topology topology)
    {
        var stores = Enumerable
            .Range(0, topology.Nodes.Count)
            .Where(node => topology.Nodes[node].Kind == NodeKind.Store)
            .ToList();
        return stores.Count == 1
            ? stores[0]
            : throw new InputException(
                $"Cluster {topology.Name}: it has {stores.Count} nodes of kind store; aedes-redis needs exactly one."
            );
    }

    private static BrokerCommand Broker(ClusterNodePlan plan)
    {
        var store = plan.Peers.Values.Single();
        return AedesRecipe.CommandFor(
            plan.Write("aedes.mjs", Script),
            plan.Port,
            [plan.Node.Name, store.Address.ToString(), store.Port.ToString(CultureInfo.InvariantCulture)]
        );
    }
}
