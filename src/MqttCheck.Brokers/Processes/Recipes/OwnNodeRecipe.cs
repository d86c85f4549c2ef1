using System.Globalization;
using MqttCheck.Clusters.Simulation;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.Brokers.Processes.Recipes;

/// <summary>MqttCheck's own nodes: embedded brokers with a cluster's protocol between them.</summary>
/// <param name="program">Serves one node.</param>
internal sealed class OwnNodeRecipe(BrokerCommand program) : IClusterRecipe
{
    /// <summary>The file in a node's directory into which it writes what its protocol decides.</summary>
    public const string NotesFile = "notes";

    /// <inheritdoc/>
    public bool HasPeerPorts => false;

    /// <inheritdoc/>
    public bool StartsInOrder => false;

    /// <inheritdoc/>
    public IEnumerable<(int From, int To)> Connections(Topology topology) =>
        topology.Links.SelectMany<TopologyLink, (int, int)>(link => [(link.From, link.To), (link.To, link.From)]);

    /// <inheritdoc/>
    public Task<BrokerDescription> DescribeAsync(Topology topology, CancellationToken cancellation)
    {
        // What the nodes would refuse is refused before they start.
        _ = ClusterCores.Of(topology);
        _ = ClusterCores.HopOf(topology);
        return Task.FromResult(
            new BrokerDescription
            {
                Name = topology.System.Name(),
                Version = typeof(OwnNodeRecipe).Assembly.GetName().Version?.ToString(3) ?? "unknown",
                Settings = "default",
                Details = new Dictionary<string, string>
                {
                    ["rules"] = topology.Rules.ToString().ToLowerInvariant(),
                    ["keep-alive"] = topology.KeepAliveSeconds.ToString(CultureInfo.InvariantCulture) + "s",
                    ["nodelay"] = "true",
                },
            }
        );
    }

    /// <inheritdoc/>
    public BrokerCommand Prepare(ClusterNodePlan plan)
    {
        var cluster = Path.Combine(plan.Directory, "cluster.json");
        File.WriteAllBytes(cluster, TopologyWriter.Write(plan.Topology));
        return program with
        {
            Arguments =
            [
                .. program.Arguments,
                "--cluster",
                cluster,
                "--name",
                plan.Node.Name,
                "--port",
                plan.Port.ToString(CultureInfo.InvariantCulture),
                "--notes",
                Path.Combine(plan.Directory, NotesFile),
                .. plan.Peers.SelectMany<KeyValuePair<int, System.Net.IPEndPoint>, string>(peer =>
                    ["--peer", $"{plan.Topology.Nodes[peer.Key].Name}={peer.Value}"]
                ),
            ],
        };
    }
}
