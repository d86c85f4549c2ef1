using System.Globalization;
using MqttCheck.Brokers.Processes;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Clusters.Topologies.Systems;

namespace MqttCheck.LiveClusters.Recipes;

/// <summary>MqttCheck's own nodes: embedded brokers with a cluster's protocol between them.</summary>
/// <param name="program">Serves one node.</param>
internal sealed class OwnNodeRecipe(BrokerCommand program) : IClusterRecipe
{
    /// <summary>
    /// The file for the decisions of a node's protocol. It lies beside the node's directory, because it is not the
    /// node's own: it survives all that happens to the node's disk.
    /// </summary>
    /// <param name="directory">The directory of the node.</param>
    public static string NotesOf(string directory) => directory + ".notes";

    /// <inheritdoc/>
    public string? WhyNoLeave => null;

    /// <inheritdoc/>
    public bool StartsInOrder => false;

    /// <inheritdoc/>
    public IEnumerable<(int From, int To)> Connections(Topology topology) =>
        topology.Links.SelectMany<TopologyLink, (int, int)>(link =>
            // Only brokers connect to a log and a store.
            topology.System == ClusterSystem.Pipeline
                ? [(link.From, link.To)]
                : [(link.From, link.To), (link.To, link.From)]
        );

    /// <inheritdoc/>
    public Task<BrokerDescription> DescribeAsync(Topology topology, CancellationToken cancellation)
    {
        // A topology that the nodes would refuse is refused before they start.
        ThrowIfNotServed(topology);
        return Task.FromResult(
            new BrokerDescription
            {
                Name = topology.System.Name(),
                Version = typeof(OwnNodeRecipe).Assembly.GetName().Version?.ToString(3) ?? "unknown",
                Settings = "default",
                Details = new Dictionary<string, string>(
                    topology.System == ClusterSystem.Pipeline ? DetailsOf(topology.Pipeline) : DetailsOf(topology)
                )
                {
                    ["nodelay"] = "true",
                },
            }
        );
    }

    /// <inheritdoc/>
    public BrokerCommand Prepare(ClusterNodePlan plan)
    {
        var cluster = Path.Combine(plan.Directory, "cluster.json");
        File.WriteAllBytes(cluster, TopologyFile.Write(plan.Topology with { Sites = [], Scenario = new() }));
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
                NotesOf(plan.Directory),
                "--directory",
                plan.Directory,
                .. plan.Peers.SelectMany<KeyValuePair<int, System.Net.IPEndPoint>, string>(peer =>
                    ["--peer", $"{plan.Topology.Nodes[peer.Key].Name}={peer.Value}"]
                ),
            ],
        };
    }

    private static void ThrowIfNotServed(Topology topology)
    {
        if (topology.System != ClusterSystem.Pipeline)
        {
            _ = ClusterCores.Of(topology);
            _ = ClusterCores.HopOf(topology);
            return;
        }
        PipelineNodes.ThrowIfWrong(topology);
        ThrowIfLinkIsMissing(topology, _ => true);
    }

    /// <summary>Refuses a pipeline in which a broker does not reach a node.</summary>
    /// <param name="topology">The pipeline.</param>
    /// <param name="needs">Whether a log or a store is reached by a link of the topology.</param>
    /// <exception cref="InputException">A link is missing.</exception>
    internal static void ThrowIfLinkIsMissing(Topology topology, Func<int, bool> needs)
    {
        for (var broker = 0; broker < topology.Nodes.Count; broker++)
            foreach (var role in ClusterCores.PeersOf(topology, broker).Where(needs))
                if (topology.LinksBetween(broker, role).Count == 0)
                    throw new InputException(
                        $"{topology.Name}: no link joins {topology.Nodes[broker].Name} and "
                            + $"{topology.Nodes[role].Name}; allowed in a live run: a link from each broker to the log "
                            + "and to the store."
                    );
    }

    private static Dictionary<string, string> DetailsOf(Topology topology) =>
        new()
        {
            ["rules"] = topology.Rules.ToString().ToLowerInvariant(),
            ["keep-alive"] = topology.KeepAliveSeconds.ToString(CultureInfo.InvariantCulture) + "s",
        };

    internal static Dictionary<string, string> DetailsOf(PipelineSettings settings) =>
        new()
        {
            ["linger"] = settings.LingerMilliseconds.ToString(CultureInfo.InvariantCulture) + "ms",
            ["pack"] = settings.PackSize.ToString(CultureInfo.InvariantCulture),
            ["store-client"] = settings.HasSynchronousStore ? "synchronous" : "asynchronous",
        };
}
