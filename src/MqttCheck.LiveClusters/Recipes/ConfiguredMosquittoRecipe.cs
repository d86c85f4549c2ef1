using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Recipes;
using MqttCheck.Clusters.Mosquitto;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.LiveClusters.Recipes;

/// <summary>Eclipse Mosquitto with the configurations of a user, each with the bridges that its file names.</summary>
/// <param name="single">The broker without bridges.</param>
/// <param name="configurations">The configuration of each node; null for a node without a file.</param>
/// <param name="client">The login of MqttCheck's own clients; null for one that may do everything.</param>
internal sealed class ConfiguredMosquittoRecipe(
    MosquittoRecipe single,
    IReadOnlyList<MosquittoConf?> configurations,
    Credentials? client
) : IClusterRecipe
{
    private readonly LocalLogins _logins = new(
        configurations.OfType<MosquittoConf>().SelectMany(LocalConfiguration.Users),
        client?.UserName
    );

    private readonly MosquittoBridgeRecipe _plain = new(single);

    /// <inheritdoc/>
    public bool HasBridges => true;

    /// <inheritdoc/>
    public Credentials? Credentials => _logins.Credentials;

    /// <inheritdoc/>
    public Credentials? CredentialsOf(int node) => configurations[node] is null ? null : Credentials;

    /// <inheritdoc/>
    public IEnumerable<(int From, int To)> Connections(Topology topology) => _plain.Connections(topology);

    /// <inheritdoc/>
    public Task<BrokerDescription> DescribeAsync(Topology topology, CancellationToken cancellation) =>
        _plain.DescribeAsync(topology, cancellation);

    /// <inheritdoc/>
    public BrokerCommand Prepare(ClusterNodePlan plan)
    {
        if (configurations[plan.Index] is not { } conf)
            return _plain.Prepare(plan);
        var bridges = plan.Topology.Links.Where(link => link.From == plan.Index).ToDictionary(link => link.Name!);
        var text = new LocalConfiguration(conf, _logins).Text(
            plan.Port,
            name =>
                new(
                    plan.Peers[bridges[name].To],
                    bridges[name].IsMounted ? bridges[name].Topics : null,
                    LoginOf(plan, conf, bridges[name])
                ),
            plan.Write
        );
        return MosquittoRecipe.CommandFor(plan.Write("mosquitto.conf", text));
    }

    // A broker that runs already knows its own passwords, and those of files are not kept.
    private static Credentials? LoginOf(ClusterNodePlan plan, MosquittoConf conf, TopologyLink link)
    {
        var far = plan.Topology.Nodes[link.To];
        var bridge = conf.Bridges.First(bridge => bridge.Name == link.Name);
        if (far.Address is null || !bridge.Lines.Any(line => line.Key is "remote_username" or "username"))
            return null;
        return plan.PeerLogins.TryGetValue(link.To, out var login)
            ? MosquittoBridgeRecipe.OfOneLine(far, login)
            : throw new InputException(
                $"{bridge.Place}: the bridge logs in at {far.Name}, which runs already, and passwords of files are not "
                    + "kept; allowed: --user and --password-file."
            );
    }
}
