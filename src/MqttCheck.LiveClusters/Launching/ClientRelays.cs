using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Links;

namespace MqttCheck.LiveClusters.Launching;

/// <summary>
/// The relays between clients and their brokers: with the delay of each site that has one, and for each node that a
/// fault parts from its clients. They are separate from the links between nodes, so that client traffic is never
/// counted as traffic between nodes.
/// </summary>
internal sealed class ClientRelays : IAsyncDisposable
{
    private readonly LinkLoop _loop = new(observer: null);
    private readonly Dictionary<TopologySite, WireEndpoint> _sites = [];
    private readonly Dictionary<int, WireEndpoint> _nodes = [];
    private readonly int _clients;

    /// <summary>Begins to relay; null where no site has a delay, and no node is parted from its clients.</summary>
    /// <param name="topology">The cluster with its sites and faults.</param>
    /// <param name="addressOf">Gives the address at which a node serves clients.</param>
    /// <param name="seed">The seed of delays.</param>
    public static ClientRelays? Of(Topology topology, Func<int, IPEndPoint> addressOf, ulong seed)
    {
        var parted = topology
            .Scenario.Faults.Where(fault => fault.IsOfClients)
            .SelectMany(fault => fault.Candidates(topology))
            .ToHashSet();
        return parted.Count > 0 || topology.Sites.Any(site => site.DelayMilliseconds.Mean > 0)
            ? new ClientRelays(topology, parted, addressOf, seed)
            : null;
    }

    private ClientRelays(Topology topology, HashSet<int> parted, Func<int, IPEndPoint> addressOf, ulong seed)
    {
        var network = _loop.Network;
        // Sites are numbered after the nodes, and after them clients without a site.
        _clients = topology.Nodes.Count + topology.Sites.Count;
        for (var number = 0; number < topology.Sites.Count; number++)
        {
            var site = topology.Sites[number];
            if (site.DelayMilliseconds.Mean > 0 || parted.Contains(site.Node))
                _sites[site] = Relay(
                    topology.Nodes.Count + number,
                    site.Node,
                    new LinkLaw { DelayMilliseconds = site.DelayMilliseconds }
                );
        }
        foreach (var node in parted)
            _nodes[node] = Relay(_clients, node, new LinkLaw());
        _loop.Start();

        WireEndpoint Relay(int from, int node, LinkLaw law)
        {
            network.Add(from, node, law, seed);
            var address = network.Listen(from, node, new IPEndPoint(IPAddress.Loopback, 0));
            network.SetTarget(from, node, addressOf(node));
            return new WireEndpoint(address);
        }
    }

    /// <summary>The relay to which the clients of a site connect; null for the node itself.</summary>
    public WireEndpoint? EndpointOf(TopologySite site) => _sites.GetValueOrDefault(site);

    /// <summary>The relay to which clients of a node connect; null for the node itself.</summary>
    public WireEndpoint? EndpointOf(int node) => _nodes.GetValueOrDefault(node);

    /// <summary>Parts a node from its clients, or joins them again. Connections stall, and no byte is lost.</summary>
    /// <param name="node">A node that a fault of the topology parts.</param>
    /// <param name="isParted">Whether it is parted.</param>
    public Task PartAsync(int node, bool isParted) =>
        _loop.InvokeAsync(network =>
        {
            for (var from = 0; from <= _clients; from++)
            {
                if (!network.Has(from, node))
                    continue;
                if (isParted)
                    network.Stall(from, node);
                else
                    network.Heal(from, node);
            }
        });

    /// <summary>Ends every connection.</summary>
    public ValueTask DisposeAsync() => _loop.DisposeAsync();
}
