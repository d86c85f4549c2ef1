using System.Net;
using MqttCheck.Brokers.Processes;
using MqttCheck.Clusters.Topologies.Bridges;

namespace MqttCheck.LiveClusters.Recipes;

/// <summary>A bridge of a user's configuration as it runs here.</summary>
/// <param name="Relay">The address to connect to in place of the remote broker.</param>
/// <param name="Topics">
/// Its topics, where a mount point of the remote broker stands in front of them; null for those of the file.
/// </param>
/// <param name="Login">How it logs in at a broker that runs already; null for the name of the file.</param>
internal sealed record LocalBridge(
    IPEndPoint Relay,
    IReadOnlyList<BridgeTopic>? Topics = null,
    Credentials? Login = null
);
