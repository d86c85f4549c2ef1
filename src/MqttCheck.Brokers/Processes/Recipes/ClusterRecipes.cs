using MqttCheck.Clusters.Topologies;

namespace MqttCheck.Brokers.Processes.Recipes;

/// <summary>Finds the recipe of a cluster.</summary>
internal static class ClusterRecipes
{
    /// <summary>The recipe of a system.</summary>
    /// <param name="topology">The cluster.</param>
    /// <param name="credentials">How to log in to programs that the user names; null for anonymous.</param>
    /// <exception cref="BrokerException">Nothing here can start its nodes.</exception>
    public static IClusterRecipe Of(Topology topology, Credentials? credentials) =>
        topology.System switch
        {
            ClusterSystem.MosquittoBridge => new MosquittoBridgeRecipe(
                new MosquittoRecipe(isTuned: false, BrokerTransport.Tcp)
            ),
            ClusterSystem.Nats => new NatsClusterRecipe(new NatsRecipe(isTuned: false)),
            ClusterSystem.RabbitMq => new RabbitMqClusterRecipe(new RabbitMqRecipe(isTuned: false)),
            ClusterSystem.AedesRedis => new AedesRedisRecipe(new AedesRecipe(isTuned: false)),
            ClusterSystem.Exec => new CommandClusterRecipe(credentials),
            _ => throw new BrokerException(
                $"Cluster {topology.Name}: nodes of system {topology.System.Name()} cannot be started; "
                    + $"allowed: {string.Join(", ", Started.Select(system => system.Name()))}, and "
                    + $"{ClusterSystem.Running.Name()} for brokers that run already."
            ),
        };

    private static readonly ClusterSystem[] Started =
    [
        ClusterSystem.MosquittoBridge,
        ClusterSystem.Nats,
        ClusterSystem.RabbitMq,
        ClusterSystem.AedesRedis,
        ClusterSystem.Exec,
    ];
}
