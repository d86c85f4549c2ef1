using System.Diagnostics;
using System.Globalization;
using System.Security.Cryptography;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Systems;

namespace MqttCheck.LiveClusters.Recipes;

/// <summary>
/// A pipeline whose store is a Redis Cluster that is started here or a Redis server that runs, or whose log is a Kafka
/// that runs. Its own nodes are served by a program that has the clients of these.
/// </summary>
internal sealed class PipelineServersRecipe : IClusterRecipe
{
    /// <summary>The program that serves brokers, logs and stores.</summary>
    public const string Program = "mqttcheck-pipeline";

    private const string HowToInstall =
        "It is a program of its own, so that nobody else needs clients of Redis and Kafka. Build it: dotnet publish -c "
        + "Release src/MqttCheck.Pipeline -o DIRECTORY, and put DIRECTORY into PATH.";

    // Names of topics and keys begin with it, so that two clusters share a server.
    private readonly string _run = RandomNumberGenerator.GetHexString(12, lowercase: true);

    /// <inheritdoc/>
    public string? WhyNoLeave => null;

    /// <inheritdoc/>
    public bool StartsInOrder => false;

    /// <inheritdoc/>
    public bool Starts(Topology topology, int node) =>
        topology.Nodes[node].Kind switch
        {
            NodeKind.Log => topology.Pipeline.Log is null,
            NodeKind.Store => topology.Pipeline.Store is null || topology.Pipeline.HasRedisCluster,
            NodeKind.Broker => true,
            _ => throw new UnreachableException(),
        };

    /// <inheritdoc/>
    public bool HasRelay(Topology topology, int node) => Starts(topology, node) && !IsRedis(topology, node);

    /// <inheritdoc/>
    public IEnumerable<(int From, int To)> Connections(Topology topology)
    {
        var own = topology.Links.Select(link => (link.From, link.To)).Where(link => HasRelay(topology, link.To));
        if (!topology.Pipeline.HasRedisCluster)
            return own;
        // A server of the cluster says where the others are, so that brokers and servers connect without relays.
        var stores = PipelineNodes.StoresOf(topology);
        return own.Concat(
            stores.SelectMany(to =>
                topology.Brokers.Concat(stores).Where(from => from != to).Select(from => (from, to))
            )
        );
    }

    /// <inheritdoc/>
    public async Task<BrokerDescription> DescribeAsync(Topology topology, CancellationToken cancellation)
    {
        ThrowIfWrong(topology);
        _ = CommandSearch.Require(Program, HowToInstall);
        var details = new Dictionary<string, string>(OwnNodeRecipe.DetailsOf(topology.Pipeline))
        {
            ["log"] = topology.Pipeline.Log ?? "own",
            ["store"] = topology.Pipeline.Store ?? "own",
        };
        if (topology.Pipeline.HasRedisCluster)
        {
            var line = await ProgramOutput.FirstLineAsync(
                CommandSearch.Require(RedisClusterServer.Program, RedisClusterServer.HowToInstall),
                "--version",
                cancellation
            );
            details["redis"] =
                line.Split(' ').FirstOrDefault(word => word.StartsWith("v=", StringComparison.Ordinal))?[2..]
                ?? "unknown";
            details["store-replicas"] = topology.Pipeline.StoreReplicas.ToString(CultureInfo.InvariantCulture);
            details["store-wait"] = topology.Pipeline.WaitsForReplicas ? "replicas" : "none";
        }
        return new BrokerDescription
        {
            Name = topology.System.Name(),
            Version = typeof(PipelineServersRecipe).Assembly.GetName().Version?.ToString(3) ?? "unknown",
            Settings = "default",
            Details = details,
        };
    }

    /// <inheritdoc/>
    public BrokerCommand Prepare(ClusterNodePlan plan)
    {
        if (IsRedis(plan.Topology, plan.Index))
            return Redis(plan);
        var program = new BrokerCommand(CommandSearch.Require(Program, HowToInstall), ["node", "--run", _run]);
        return new OwnNodeRecipe(program).Prepare(plan);
    }

    private static BrokerCommand Redis(ClusterNodePlan plan)
    {
        var stores = PipelineNodes.StoresOf(plan.Topology);
        RedisClusterServer.NameAll(
            plan.Directory,
            stores.ToList().IndexOf(plan.Index),
            [.. stores.Select(store => store == plan.Index ? plan.Port : plan.Peers[store].Port)],
            plan.Topology.Pipeline.StoreReplicas
        );
        return new BrokerCommand(
            CommandSearch.Require(RedisClusterServer.Program, RedisClusterServer.HowToInstall),
            RedisClusterServer.Arguments(plan.Directory, plan.Port)
        );
    }

    private static bool IsRedis(Topology topology, int node) =>
        topology.Nodes[node].Kind == NodeKind.Store && topology.Pipeline.HasRedisCluster;

    // A node that stands for a server which runs already cannot be hit by a fault.
    private void ThrowIfWrong(Topology topology)
    {
        PipelineNodes.ThrowIfWrong(topology);
        var foreign = Enumerable.Range(0, topology.Nodes.Count).Where(node => !Starts(topology, node));
        foreach (var name in foreign.Select(node => topology.Nodes[node].Name))
        foreach (var fault in topology.Scenario.Faults)
            if (fault.Reach == FaultReach.All || fault.Sides.Any(side => side.Contains(name)))
                throw new InputException(
                    $"{topology.Name}: fault '{fault}' hits {name}, which runs already and is not MqttCheck's to "
                        + "change; allowed: nodes that are started."
                );
        OwnNodeRecipe.ThrowIfLinkIsMissing(topology, node => HasRelay(topology, node));
    }
}
