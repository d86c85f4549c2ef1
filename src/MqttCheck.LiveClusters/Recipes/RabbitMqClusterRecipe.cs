using System.Globalization;
using System.Net;
using System.Text;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Recipes;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.LiveClusters.Recipes;

/// <summary>
/// A RabbitMQ cluster. Erlang expects all nodes on one port, each at the address of its host. Every node listens at its
/// own address, and its host table gives it a relay in place of each other node. Therefore no epmd runs, and every
/// connection between nodes passes a relay.
/// </summary>
/// <param name="single">The broker without a cluster.</param>
internal sealed class RabbitMqClusterRecipe(RabbitMqRecipe single) : IClusterRecipe
{
    private const string Cookie = "mqttcheck";
    private const string ControlScript = "/usr/lib/rabbitmq/bin/rabbitmqctl";

    /// <inheritdoc/>
    public bool HasPeerPorts => true;

    /// <inheritdoc/>
    public bool HasCommonPeerPort => true;

    /// <inheritdoc/>
    public IPAddress PeerAddress(int node) => new([127, 77, 0, (byte)(node + 1)]);

    /// <inheritdoc/>
    public IPAddress RelayAddress(int from, int to) => new([127, 77, (byte)(from + 1), (byte)(to + 1)]);

    /// <inheritdoc/>
    public Task<BrokerDescription> DescribeAsync(Topology topology, CancellationToken cancellation)
    {
        if (!OperatingSystem.IsLinux())
            throw new BrokerException(
                $"Cluster {topology.Name}: its nodes need loopback addresses of their own, which only Linux has at "
                    + "once; use Linux."
            );
        var count = topology.Nodes.Count;
        return
            topology
                .Links.Select(link => (Math.Min(link.From, link.To), Math.Max(link.From, link.To)))
                .Distinct()
                .Count()
            == count * (count - 1) / 2
            ? single.DescribeAsync(cancellation)
            : throw new InputException(
                $"Cluster {topology.Name}: every node of a RabbitMQ cluster connects to every other one; "
                    + "give a link for each pair."
            );
    }

    /// <inheritdoc/>
    public BrokerCommand Prepare(ClusterNodePlan plan)
    {
        var nodes = plan.Topology.Nodes;
        var text = new StringBuilder(RabbitMqRecipe.Configuration(plan.Port, single.Settings));
        text.Append("cluster_formation.peer_discovery_backend = classic_config\n");
        for (var node = 0; node < nodes.Count; node++)
            text.Append(
                CultureInfo.InvariantCulture,
                $"cluster_formation.classic_config.nodes.{node + 1} = mq@{nodes[node].Name}\n"
            );
        return RabbitMqRecipe.CommandFor(
            plan.Directory,
            text.ToString(),
            ErlangFiles.Environment(plan.Directory, HostsOf(plan)),
            $"mq@{plan.Node.Name}",
            plan.PeerPort,
            $"{{{PeerAddress(plan.Index).ToString().Replace('.', ',')}}}",
            $" -setcookie {Cookie}"
        );
    }

    /// <inheritdoc/>
    public string? WhyNoLeave => null;

    /// <inheritdoc/>
    public BrokerCommand Leave(ClusterNodePlan leaving, ClusterNodePlan member)
    {
        var environment = ErlangFiles.Environment(member.Directory, HostsOf(member));
        environment["RABBITMQ_CONF_ENV_FILE"] = "/dev/null";
        environment["ERL_EPMD_PORT"] = "1";
        environment["ERL_ZFLAGS"] = "-start_epmd false";
        // The program listens at the port of the nodes too, and so at an address of its own.
        environment["RABBITMQ_CTL_ERL_ARGS"] = string.Create(
            CultureInfo.InvariantCulture,
            $"-sname ctl@{member.Node.Name} -start_epmd false -erl_epmd_port {member.PeerPort} "
                + $"-kernel inet_dist_use_interface {{127,77,0,254}} -setcookie {Cookie} -hidden"
        );
        return new BrokerCommand(
            ControlScript,
            [
                "-n",
                $"mq@{member.Node.Name}",
                "--erlang-cookie",
                Cookie,
                "forget_cluster_node",
                $"mq@{leaving.Node.Name}",
            ]
        )
        {
            Environment = environment,
        };
    }

    private IEnumerable<(string Name, IPAddress Address)> HostsOf(ClusterNodePlan plan) =>
        plan.Topology.Nodes.Select(
            (node, index) => (node.Name, index == plan.Index ? PeerAddress(index) : plan.Peers[index].Address)
        );
}
