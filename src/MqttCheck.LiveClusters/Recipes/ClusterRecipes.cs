using System.Diagnostics;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Recipes;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.LiveClusters.Recipes;

/// <summary>Finds the recipe of a cluster.</summary>
internal static class ClusterRecipes
{
    /// <summary>The recipe of a system.</summary>
    /// <param name="topology">The cluster, which does not run already.</param>
    /// <param name="credentials">How to log in to programs that the user names; null for anonymous.</param>
    /// <param name="nodeProgram">The program of own nodes; null where there is none.</param>
    /// <exception cref="BrokerException">Nothing here can start its nodes.</exception>
    public static IClusterRecipe Of(Topology topology, Credentials? credentials, BrokerCommand? nodeProgram) =>
        topology.System switch
        {
            ClusterSystem.MosquittoBridge => new MosquittoBridgeRecipe(
                new MosquittoRecipe(isTuned: false, BrokerTransport.Tcp)
            ),
            ClusterSystem.Nats => new NatsClusterRecipe(new NatsRecipe(isTuned: false)),
            ClusterSystem.RabbitMq => new RabbitMqClusterRecipe(new RabbitMqRecipe(isTuned: false)),
            ClusterSystem.AedesRedis => new AedesRedisRecipe(new AedesRecipe(isTuned: false)),
            ClusterSystem.Exec => new CommandClusterRecipe(credentials),
            ClusterSystem.Flood
            or ClusterSystem.SpanningTree
            or ClusterSystem.SingleOverlay
            or ClusterSystem.TopicOverlay
            or ClusterSystem.Transport
            or ClusterSystem.Pipeline
            or ClusterSystem.Running => new OwnNodeRecipe(
                nodeProgram
                    ?? throw new BrokerException(
                        $"Cluster {topology.Name}: this program brings no nodes; run 'mqttcheck cluster run'."
                    )
            ),
            _ => throw new UnreachableException(),
        };
}
