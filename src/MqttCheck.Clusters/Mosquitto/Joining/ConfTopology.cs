using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;

namespace MqttCheck.Clusters.Mosquitto.Joining;

/// <summary>The cluster that configurations of Mosquitto make together.</summary>
/// <param name="Topology">
/// A node for each file, in their order, then those outside; a link for each bridge, in the order of files and lines.
/// </param>
/// <param name="Nodes">Its nodes, with their files and addresses.</param>
/// <param name="Links">The bridge of each link.</param>
internal sealed record ConfTopology(Topology Topology, IReadOnlyList<ConfNode> Nodes, IReadOnlyList<ConfLink> Links)
{
    /// <summary>Reads configurations and joins their bridges.</summary>
    /// <param name="given">Paths, as for <see cref="MosquittoConfFiles.Read"/>.</param>
    /// <param name="named">Paths with names, <c>NAME=FILE</c>.</param>
    /// <param name="at">Addresses with names, as <see cref="ConfWords.AtForm"/>.</param>
    /// <param name="brokers">Names with brokers, as <see cref="ConfWords.BrokerForm"/>.</param>
    /// <exception cref="InputException">A file or a word is wrong.</exception>
    public static ConfTopology Read(
        IReadOnlyList<string> given,
        IReadOnlyList<string> named,
        IReadOnlyList<string> at,
        IReadOnlyList<string> brokers
    )
    {
        var (nodes, kinds) = (ConfWords.At(at), ConfWords.Brokers(brokers));
        return Of(MosquittoConfFiles.Read(given, named), nodes, kinds);
    }

    /// <summary>Joins the bridges of configurations with the brokers that they lead to.</summary>
    /// <param name="files">The configurations, at least one; their names differ.</param>
    /// <param name="at">
    /// The name of a node by an address <c>host:port</c>. It is a file's, or a new one for a node outside.
    /// </param>
    /// <param name="brokers">The broker that a node is, by the name of the node.</param>
    /// <exception cref="InputException">
    /// An address fits several files, or a name or address of the parameters fits nothing.
    /// </exception>
    public static ConfTopology Of(
        IReadOnlyList<MosquittoConf> files,
        IReadOnlyDictionary<string, string> at,
        IReadOnlyDictionary<string, BridgePeer> brokers
    )
    {
        var places = new ConfPlaces(files, at);
        var links = new List<ConfLink>();
        var ends = new List<(int From, int To)>();
        for (var file = 0; file < files.Count; file++)
        {
            foreach (var bridge in files[file].Bridges)
            {
                var found = bridge.Addresses.Select(address => places.Find(file, bridge, address)).ToList();
                var others = found.Select(place => place.Node).Distinct().Skip(1).Select(places.NameOf);
                links.Add(new ConfLink(bridge, found[0].Match, [.. others]));
                ends.Add((file, found[0].Node));
            }
        }
        places.RequireUsed();
        var nodes = places.Nodes(brokers);
        var topology = new Topology
        {
            Name = files[0].Name,
            System = ClusterSystem.MosquittoBridge,
            Nodes =
            [
                .. nodes.Select(node => new TopologyNode
                {
                    Name = node.Name,
                    Broker = node.Broker,
                    IsOutside = node.File is null,
                }),
            ],
            Links = [.. links.Zip(ends, (link, of) => Link(link, of.From, of.To, nodes[of.To]))],
        };
        return new ConfTopology(topology, nodes, links);
    }

    /// <summary>The line of a file that takes a message.</summary>
    public ConfTopic LineOf(BridgeHop hop) => Links[hop.Link].Bridge.Topics[hop.Line];

    /// <summary>The name of a node.</summary>
    public string NameOf(int node) => Topology.Nodes[node].Name;

    /// <summary>The traits of the broker at the far end of a link.</summary>
    public BridgePeerTraits PeerOf(int link) => BridgePeers.Of(Nodes[Topology.Links[link].To].Broker);

    private static TopologyLink Link(ConfLink link, int from, int to, ConfNode far)
    {
        var (bridge, peer) = (link.Bridge, far.Broker);
        // To the far broker all topics of the bridge stand below the mount point of the listener that takes it.
        var mount = far.File?.ListenerAt(link.Address.Port)?.MountPoint ?? "";
        return new()
        {
            From = from,
            To = to,
            Topics =
            [
                .. bridge.Topics.Select(line => line.Topic with { RemotePrefix = mount + line.Topic.RemotePrefix }),
            ],
            IsCleanSession = bridge.IsCleanSession,
            IsLocalCleanSession = bridge.IsLocalCleanSession,
            IsEchoed = BridgePeers.Of(peer).Echoes(bridge.ProtocolVersion, bridge.TriesPrivate),
            IsVersion5 = bridge.ProtocolVersion == 5,
            IsUnsubscribing = bridge.AttemptsUnsubscribe,
            IsMounted = mount.Length > 0,
            IsOnDemand = bridge.StartType == "lazy",
            Name = bridge.Name,
        };
    }
}
