using System.Globalization;
using MqttCheck.Brokers.Processes;
using MqttCheck.Clusters.Mosquitto;
using MqttCheck.Clusters.Mosquitto.Joining;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.LiveClusters.Recipes;
using MqttCheck.Protocol;
using MqttCheck.Sequential;
using MqttCheck.Text;

namespace MqttCheck.App.Clusters.Runs;

/// <summary>Configurations of Mosquitto as a cluster that is started here.</summary>
/// <param name="Topology">The cluster, with a load over every bridge.</param>
/// <param name="Configurations">The configuration of each node; null for one outside of the files.</param>
/// <param name="Notes">What is different from the brokers that the files are for, a sentence each.</param>
internal sealed record ConfiguredCluster(
    Topology Topology,
    IReadOnlyList<MosquittoConf?> Configurations,
    IReadOnlyList<string> Notes
)
{
    /// <summary>The form of a broker that runs in place of one that is started.</summary>
    public const string RunningForm = "NAME=mqtt://HOST:PORT";

    /// <summary>Makes configurations ready to run.</summary>
    /// <param name="cluster">The configurations.</param>
    /// <param name="running">Brokers that run already, each in the form <see cref="RunningForm"/>.</param>
    /// <exception cref="InputException">A name is not that of a node outside, or nothing can be loaded.</exception>
    public static ConfiguredCluster Of(ConfTopology cluster, IReadOnlyList<string> running)
    {
        var topology = cluster.Topology;
        foreach (var text in running)
            topology = WithRunning(topology, text);
        var load = BridgeLoad.Of(topology);
        return new(
            WithQos(load.Topology, cluster),
            [.. cluster.Nodes.Select(node => node.File)],
            [.. LeftOut(cluster), .. StandIns(cluster, topology), .. Unloaded(load)]
        );
    }

    // A listener may allow less than the QoS 1 of the load.
    private static Topology WithQos(Topology topology, ConfTopology cluster)
    {
        var allowed = cluster
            .Nodes.SelectMany(node => node.File?.Lines ?? [])
            .Where(line => line.Key is "max_qos" or "maximum_qos")
            .Select(line => int.Parse(line.Value, CultureInfo.InvariantCulture));
        var load = topology.Load;
        var qos = allowed.Prepend((int)load.Qos).Min();
        return topology with
        {
            Scenario = topology.Scenario with { Workload = load with { Qos = (QualityOfService)qos } },
        };
    }

    private static Topology WithRunning(Topology topology, string text)
    {
        var equals = text.IndexOf('=', StringComparison.Ordinal);
        var (name, address) = equals < 0 ? ("", "") : (text[..equals], text[(equals + 1)..]);
        var node = topology.NodeIndex(name);
        if (node < 0 || !topology.Nodes[node].IsOutside)
            throw new InputException(
                $"--running: '{Printable.Value(text)}' names no node outside of the files; allowed: {RunningForm} with "
                    + string.Join(", ", topology.Nodes.Where(other => other.IsOutside).Select(other => other.Name))
            );
        if (BrokerSpecification.Parse(address) is not { Kind: BrokerKind.Running, Transport: BrokerTransport.Tcp })
            throw new InputException(
                $"--running: '{Printable.Value(address)}' is no address of a broker; allowed: {RunningForm}"
            );
        return topology with
        {
            Nodes =
            [
                .. topology.Nodes.Select((other, index) => index == node ? other with { Address = address } : other),
            ],
        };
    }

    private static IEnumerable<string> LeftOut(ConfTopology cluster) =>
        cluster
            .Nodes.Select(node =>
                (node.Name, Keys: node.File is { } file ? LocalConfiguration.LeftOut(file).ToList() : [])
            )
            .Where(node => node.Keys.Count > 0)
            .Select(node => $"{node.Name}: left out here: {string.Join(", ", node.Keys)}");

    private static IEnumerable<string> StandIns(ConfTopology cluster, Topology topology) =>
        topology
            .Nodes.Zip(cluster.Nodes)
            .Where(node => node.First is { IsOutside: true, Address: null })
            .Select(node =>
                $"{node.First.Name}: {BridgePeers.Of(node.First.Broker).Title}, started here, stands for "
                + string.Join(", ", node.Second.Addresses)
            );

    private static IEnumerable<string> Unloaded(BridgeLoad load)
    {
        if (load.WholeTopics.Count > 0)
            yield return "no load on lines without #: " + string.Join(", ", load.WholeTopics.Distinct());
        if (load.Left > 0)
            yield return $"no load on {Counted.Of(load.Left, "more pair")} of brokers and topics";
    }
}
