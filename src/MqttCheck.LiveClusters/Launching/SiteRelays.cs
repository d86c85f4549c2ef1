using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Links;

namespace MqttCheck.LiveClusters.Launching;

/// <summary>
/// The relays between clients and their brokers, with the delay of each site that has one. They are separate from the
/// links between nodes, so that client traffic is never counted as traffic between nodes.
/// </summary>
internal sealed class SiteRelays : IAsyncDisposable
{
    private readonly LinkLoop _loop = new(observer: null);
    private readonly Dictionary<TopologySite, WireEndpoint> _endpoints = [];

    /// <summary>Begins to relay; null where no site has a delay.</summary>
    /// <param name="topology">The cluster with its sites.</param>
    /// <param name="addressOf">Gives the address at which a node serves clients.</param>
    /// <param name="seed">The seed of delays.</param>
    public static SiteRelays? Of(Topology topology, Func<int, IPEndPoint> addressOf, ulong seed) =>
        topology.Sites.Any(site => site.DelayMilliseconds.Mean > 0) ? new SiteRelays(topology, addressOf, seed) : null;

    private SiteRelays(Topology topology, Func<int, IPEndPoint> addressOf, ulong seed)
    {
        for (var number = 0; number < topology.Sites.Count; number++)
        {
            var site = topology.Sites[number];
            if (site.DelayMilliseconds.Mean <= 0)
                continue;
            // Sites are numbered after the nodes.
            var from = topology.Nodes.Count + number;
            var network = _loop.Network;
            network.Add(from, site.Node, new LinkLaw { DelayMilliseconds = site.DelayMilliseconds }, seed);
            _endpoints[site] = new WireEndpoint(network.Listen(from, site.Node, new IPEndPoint(IPAddress.Loopback, 0)));
            network.SetTarget(from, site.Node, addressOf(site.Node));
        }
        _loop.Start();
    }

    /// <summary>The relay to which the clients of a site connect; null for the node itself.</summary>
    public WireEndpoint? EndpointOf(TopologySite site) => _endpoints.GetValueOrDefault(site);

    /// <summary>Ends every connection.</summary>
    public ValueTask DisposeAsync() => _loop.DisposeAsync();
}
