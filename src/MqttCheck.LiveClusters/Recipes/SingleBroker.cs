using System.Diagnostics;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Recipes;
using MqttCheck.Brokers.Processes.Settings;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.LiveClusters.Recipes;

/// <summary>A broker that a user names, as a cluster of one broker.</summary>
internal static class SingleBroker
{
    private const string Usual = "broker";

    /// <summary>The topology of a broker: one node, and those of the programs that it needs.</summary>
    /// <param name="specification">The broker.</param>
    /// <exception cref="InputException">It cannot be a node, or the file of a cluster is wrong.</exception>
    public static Topology TopologyOf(BrokerSpecification specification) =>
        specification.Kind switch
        {
            BrokerKind.Cluster when specification.Topology.Length > 0 => ClusterInput.Topology(specification.Topology),
            BrokerKind.Cluster => Running(specification, specification.Nodes),
            BrokerKind.Running => Running(specification, [specification]),
            BrokerKind.AedesRedis => Of(
                specification,
                ClusterSystem.AedesRedis,
                ["aedes"],
                ("redis", NodeKind.Store)
            ) with
            {
                Settings = RedisSettings(specification.Settings),
            },
            BrokerKind.Pipeline => Of(
                specification,
                ClusterSystem.Pipeline,
                [Usual],
                ("log", NodeKind.Log),
                ("store", NodeKind.Store)
            ) with
            {
                Name = "pipeline",
            },
            BrokerKind.Mosquitto => Program(specification, ClusterSystem.MosquittoBridge, "mosquitto"),
            BrokerKind.Nats => Program(specification, ClusterSystem.Nats, "nats"),
            BrokerKind.RabbitMq => Program(specification, ClusterSystem.RabbitMq, "rabbitmq"),
            BrokerKind.Command => Of(specification, ClusterSystem.Exec, [Usual]) with
            {
                Nodes = [new() { Name = Usual, Command = specification.Name["exec:".Length..] }],
            },
            // Nothing is known of them but that they are one program each.
            BrokerKind.Embedded or BrokerKind.MqttNet or BrokerKind.Ejabberd or BrokerKind.Aedes => Program(
                specification,
                ClusterSystem.Exec,
                specification.Name.Split(':')[0]
            ),
            _ => throw new UnreachableException(),
        };

    /// <summary>The recipe of the only program of a broker; null where it has several, or is a command.</summary>
    /// <param name="topology">A cluster.</param>
    /// <param name="options">How brokers are started.</param>
    public static IClusterRecipe? RecipeOf(Topology topology, BrokerLaunchOptions options)
    {
        if (topology.Broker is not { } name)
            return null;
        var specification = BrokerSpecification.Parse(name);
        return specification.Kind.IsComposed() || specification.Kind == BrokerKind.Command
            ? null
            : new SingleBrokerRecipe(new BrokerLauncher(options).RecipeOf(specification with { IsKept = true }));
    }

    /// <summary>Looks for the programs of a broker that consists of several.</summary>
    /// <param name="name">One of <see cref="BrokerSpecification.ComposedNames"/>.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <returns>Its version; or null, and how to install it.</returns>
    public static async Task<(string? Version, string HowToInstall)> FindAsync(
        string name,
        CancellationToken cancellation
    )
    {
        try
        {
            var topology = TopologyOf(BrokerSpecification.Parse(name));
            var recipe = ClusterRecipes.Of(topology, new(), new("", []), []);
            var description = await recipe.DescribeAsync(topology, cancellation);
            return (description.Version, "");
        }
        catch (BrokerException missing)
        {
            return (null, missing.Message);
        }
    }

    private static Topology Program(BrokerSpecification specification, ClusterSystem system, string name) =>
        specification.Transport == BrokerTransport.Tcp
            ? Of(specification, system, [name])
            : throw new InputException(
                $"Broker {specification.Name}: relays and probes of clusters speak MQTT over TCP; allowed here: "
                    + $"{name}, without :tls, :ws and :wss."
            );

    private static Topology Of(
        BrokerSpecification specification,
        ClusterSystem system,
        IReadOnlyList<string> brokers,
        params IReadOnlyList<(string Name, NodeKind Kind)> others
    ) =>
        new()
        {
            Name = specification.Name,
            System = system,
            Broker = specification.Name,
            Nodes =
            [
                .. brokers.Select(name => new TopologyNode { Name = name }),
                .. others.Select(other => new TopologyNode { Name = other.Name, Kind = other.Kind }),
            ],
            Links = [.. others.Select((_, index) => new TopologyLink { From = 0, To = brokers.Count + index })],
        };

    private static Topology Running(BrokerSpecification specification, IReadOnlyList<BrokerSpecification> nodes) =>
        new()
        {
            Name = specification.Name,
            System = ClusterSystem.Running,
            Broker = specification.Name,
            Nodes =
            [
                .. nodes.Select(
                    (node, index) =>
                        new TopologyNode
                        {
                            Name = nodes.Count == 1 ? Usual : FormattableString.Invariant($"n{index + 1}"),
                            Address = node.Name,
                        }
                ),
            ],
            Links = [],
        };

    // Redis itself appends to no file unless its user says so.
    private static IReadOnlyDictionary<string, string> RedisSettings(IReadOnlyDictionary<string, string> given) =>
        given.Count > 0 ? given : new Dictionary<string, string> { [BrokerSettings.AppendOnly] = BrokerSettings.No };
}
