using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Recipes;
using MqttCheck.Clusters.Mosquitto;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.LiveClusters.Recipes;

/// <summary>Finds the recipe of a cluster.</summary>
internal static class ClusterRecipes
{
    private static readonly MosquittoRecipe s_mosquitto = new(isTuned: false, BrokerTransport.Tcp);

    // The other systems are MqttCheck's own.
    private static readonly Dictionary<ClusterSystem, Func<Credentials?, IClusterRecipe>> s_programs = new()
    {
        [ClusterSystem.MosquittoBridge] = _ => new MosquittoBridgeRecipe(s_mosquitto),
        [ClusterSystem.Nats] = _ => new NatsClusterRecipe(new NatsRecipe(isTuned: false)),
        [ClusterSystem.RabbitMq] = _ => new RabbitMqClusterRecipe(new RabbitMqRecipe(isTuned: false)),
        [ClusterSystem.AedesRedis] = _ => new AedesRedisRecipe(new AedesRecipe(isTuned: false)),
        [ClusterSystem.Exec] = credentials => new CommandClusterRecipe(credentials),
    };

    /// <summary>The recipe of a system.</summary>
    /// <param name="topology">The cluster, which does not run already.</param>
    /// <param name="credentials">How to log in to programs and configurations of the user; null for anonymous.</param>
    /// <param name="nodeProgram">The program of own nodes; null where there is none.</param>
    /// <param name="configurations">The user's configuration of each node; empty where no node has one.</param>
    /// <exception cref="BrokerException">Nothing here can start its nodes.</exception>
    public static IClusterRecipe Of(
        Topology topology,
        Credentials? credentials,
        BrokerCommand? nodeProgram,
        IReadOnlyList<MosquittoConf?> configurations
    ) =>
        configurations.Count > 0 ? new ConfiguredMosquittoRecipe(s_mosquitto, configurations, credentials)
        : s_programs.TryGetValue(topology.System, out var recipe) ? recipe(credentials)
        : new OwnNodeRecipe(
            nodeProgram
                ?? throw new BrokerException(
                    $"Cluster {topology.Name}: this program brings no nodes; run 'mqttcheck cluster run'."
                )
        );
}
