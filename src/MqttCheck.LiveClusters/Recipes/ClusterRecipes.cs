using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Recipes;
using MqttCheck.Brokers.Processes.Settings;
using MqttCheck.Clusters.Mosquitto;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.LiveClusters.Recipes;

/// <summary>Finds the recipe of a cluster.</summary>
internal static class ClusterRecipes
{
    private static readonly MosquittoRecipe s_mosquitto = new(isTuned: false, BrokerTransport.Tcp);

    // The other systems are MqttCheck's own.
    private static readonly Dictionary<ClusterSystem, Func<Topology, Credentials?, IClusterRecipe>> s_programs = new()
    {
        [ClusterSystem.MosquittoBridge] = (_, _) => new MosquittoBridgeRecipe(s_mosquitto),
        [ClusterSystem.Nats] = (topology, _) =>
            new NatsClusterRecipe(new NatsRecipe(isTuned: false) { Settings = Settings(topology, BrokerKind.Nats) }),
        [ClusterSystem.RabbitMq] = (topology, _) =>
            new RabbitMqClusterRecipe(
                new RabbitMqRecipe(isTuned: false) { Settings = Settings(topology, BrokerKind.RabbitMq) }
            ),
        [ClusterSystem.AedesRedis] = (topology, _) =>
            new AedesRedisRecipe(new AedesRecipe(isTuned: false), Settings(topology, BrokerKind.AedesRedis)),
        [ClusterSystem.Exec] = (_, credentials) => new CommandClusterRecipe(credentials),
    };

    /// <summary>The recipe of a system.</summary>
    /// <param name="topology">The cluster, which does not run already.</param>
    /// <param name="brokers">
    /// How brokers are started, with the login at programs and configurations of the user.
    /// </param>
    /// <param name="nodeProgram">The program of own nodes; null where there is none.</param>
    /// <param name="configurations">The user's configuration of each node; empty where no node has one.</param>
    /// <exception cref="BrokerException">Nothing here can start its nodes.</exception>
    /// <exception cref="InputException">A setting of its brokers is not allowed.</exception>
    public static IClusterRecipe Of(
        Topology topology,
        BrokerLaunchOptions brokers,
        BrokerCommand? nodeProgram,
        IReadOnlyList<MosquittoConf?> configurations
    ) =>
        configurations.Count > 0 ? new ConfiguredMosquittoRecipe(s_mosquitto, configurations, brokers.Credentials)
        : SingleBroker.RecipeOf(topology, brokers) is { } single ? single
        : topology is { System: ClusterSystem.Pipeline, Pipeline.IsOwn: false } ? new PipelineServersRecipe()
        : s_programs.TryGetValue(topology.System, out var recipe) ? recipe(topology, brokers.Credentials)
        : new OwnNodeRecipe(
            nodeProgram
                ?? throw new BrokerException(
                    $"Cluster {topology.Name}: this program brings no nodes; run 'mqttcheck cluster run'."
                )
        );

    private static IReadOnlyDictionary<string, string> Settings(Topology topology, BrokerKind kind) =>
        BrokerSettings.Read(kind, topology.Name, topology.Settings.Select(setting => $"{setting.Key}={setting.Value}"));
}
