using System.Globalization;
using System.Text;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Processes.Recipes;
using MqttCheck.Brokers.Processes.Settings;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;

namespace MqttCheck.LiveClusters.Recipes;

/// <summary>Eclipse Mosquitto with bridges: the first node of a link opens the bridge to the second.</summary>
/// <param name="single">The broker without bridges.</param>
internal sealed class MosquittoBridgeRecipe(MosquittoRecipe single) : IClusterRecipe
{
    private static readonly RabbitMqRecipe s_rabbitMq = new(isTuned: false);
    private static readonly CommandClusterRecipe s_commands = new(credentials: null);

    /// <inheritdoc/>
    public bool HasBridges => true;

    /// <inheritdoc/>
    public IEnumerable<(int From, int To)> Connections(Topology topology) =>
        topology.Links.Select(link => (link.From, link.To)).Distinct();

    /// <inheritdoc/>
    public async Task<BrokerDescription> DescribeAsync(Topology topology, CancellationToken cancellation)
    {
        foreach (var node in topology.Nodes.Where(node => node is { Address: null, Command: null }))
        {
            if (node.Broker == BridgePeer.RabbitMq)
                await s_rabbitMq.DescribeAsync(cancellation);
            else if (node.Broker != BridgePeer.Mosquitto)
                throw new InputException(
                    $"{topology.Name}: node {node.Name} is {BridgePeers.Of(node.Broker).Title}, which is not started "
                        + "here; allowed: mosquitto or rabbitmq, or the address of one that runs "
                        + $"(--running {node.Name}=mqtt://HOST:PORT, or the key address)."
                );
        }
        return await single.DescribeAsync(cancellation);
    }

    /// <inheritdoc/>
    public BrokerCommand Prepare(ClusterNodePlan plan) =>
        plan.Node.Command is not null ? s_commands.Prepare(plan)
        : plan.Node.Broker == BridgePeer.RabbitMq
            ? RabbitMqRecipe.CommandFor(
                plan.Directory,
                RabbitMqRecipe.Configuration(plan.Port, BrokerSettings.None),
                ErlangFiles.Environment(plan.Directory),
                "mq@localhost",
                FreePort.Find(),
                "{127,0,0,1}"
            )
        : Mosquitto(plan);

    private static BrokerCommand Mosquitto(ClusterNodePlan plan)
    {
        // A Mosquitto started as root would switch to a user who cannot enter the directory.
        var text = new StringBuilder();
        text.Append(
            CultureInfo.InvariantCulture,
            $"listener {plan.Port} 127.0.0.1\nallow_anonymous true\nuser {Environment.UserName}\n"
        );
        if (plan.Topology.IsPersistent)
            text.Append(CultureInfo.InvariantCulture, $"persistence true\npersistence_location {plan.Directory}/\n");
        if (plan.Node.MaxQueuedMessages is { } most)
            text.Append(CultureInfo.InvariantCulture, $"max_queued_messages {most}\n");
        AppendOptions(text, plan.Node.Options);
        foreach (var link in plan.Topology.Links.Where(link => link.From == plan.Index))
        {
            var peer = plan.Peers[link.To];
            var name = NameOf(plan.Topology, link);
            text.Append(
                CultureInfo.InvariantCulture,
                $"""
                connection {name}
                address {peer}
                local_clientid {name}-local
                remote_clientid {name}-remote
                cleansession {(link.IsCleanSession ? "true" : "false")}
                local_cleansession {(link.IsLocalCleanSession ? "true" : "false")}
                keepalive_interval {(int)plan.Topology.KeepAliveSeconds}
                """
            );
            text.Append('\n');
            // Other brokers close a connection whose CONNECT has the bridge bit, or do not know it.
            if (
                !link.Options.ContainsKey(BridgeSettings.Private)
                && BridgePeers.Of(plan.Topology.Nodes[link.To].Broker).Bit != BridgeBitAnswer.Protects
            )
                text.Append(CultureInfo.InvariantCulture, $"{BridgeSettings.Private} false\n");
            if (plan.PeerLogins.TryGetValue(link.To, out var login))
                AppendLogin(text, plan.Topology.Nodes[link.To], login);
            AppendOptions(text, link.Options);
            foreach (var topic in link.Topics)
                text.Append(CultureInfo.InvariantCulture, $"topic {topic}\n");
        }
        return MosquittoRecipe.CommandFor(plan.Write("mosquitto.conf", text.ToString()));
    }

    /// <summary>A login as a bridge takes it: Mosquitto reads a value from its line without blanks around it.</summary>
    /// <exception cref="InputException">It is none.</exception>
    public static Credentials OfOneLine(TopologyNode node, Credentials login)
    {
        foreach (var part in (string[])[login.UserName, login.Password])
            if (part != part.Trim() || part.Any(char.IsControl))
                throw new InputException(
                    $"Node {node.Name}: the user name or the password has a control character or a blank at an end; "
                        + "allowed: what a bridge takes in one line of its configuration."
                );
        return login;
    }

    private static void AppendLogin(StringBuilder text, TopologyNode node, Credentials login)
    {
        OfOneLine(node, login);
        text.Append(CultureInfo.InvariantCulture, $"remote_username {login.UserName}\n");
        if (login.Password.Length > 0)
            text.Append(CultureInfo.InvariantCulture, $"remote_password {login.Password}\n");
    }

    private static void AppendOptions(StringBuilder text, IReadOnlyDictionary<string, string> options)
    {
        foreach (var (name, value) in options)
            text.Append(CultureInfo.InvariantCulture, $"{name} {value}\n");
    }

    // Two bridges between the same brokers need names of their own.
    private static string NameOf(Topology topology, TopologyLink link)
    {
        var name = link.Name ?? $"{topology.Nodes[link.From].Name}-{topology.Nodes[link.To].Name}";
        var before = topology
            .Links.TakeWhile(other => !ReferenceEquals(other, link))
            .Count(other => (other.From, other.To, other.Name) == (link.From, link.To, link.Name));
        return before == 0 ? name : string.Create(CultureInfo.InvariantCulture, $"{name}-{before + 1}");
    }
}
