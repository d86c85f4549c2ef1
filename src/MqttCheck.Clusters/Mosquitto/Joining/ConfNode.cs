using MqttCheck.Clusters.Topologies.Bridges;

namespace MqttCheck.Clusters.Mosquitto.Joining;

/// <summary>A node of a topology that configurations make.</summary>
/// <param name="Name">Its name.</param>
/// <param name="File">Its configuration; null for a node outside of the files.</param>
/// <param name="Addresses">The addresses by which bridges find it, each as <c>host:port</c>.</param>
/// <param name="Broker">The broker that it is assumed to be.</param>
/// <param name="IsTold">Whether the user said which broker it is.</param>
internal sealed record ConfNode(
    string Name,
    MosquittoConf? File,
    IReadOnlyList<string> Addresses,
    BridgePeer Broker,
    bool IsTold
);
