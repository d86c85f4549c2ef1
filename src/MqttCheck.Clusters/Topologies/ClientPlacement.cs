namespace MqttCheck.Clusters.Topologies;

/// <summary>
/// Which broker each client connects to. With sites, clients are numbered site by site. Without, publisher i is at
/// broker i mod n and subscriber i at (i + i div n) mod n, so that n² pairs of clients cover every ordered pair of n
/// brokers once.
/// </summary>
internal sealed class ClientPlacement
{
    private readonly IReadOnlyList<int> _brokers;
    private readonly string _prefix;
    private readonly List<int> _publisherSites = [];
    private readonly List<int> _subscriberSites = [];
    private readonly IReadOnlyList<TopologySite> _sites;

    /// <summary>The placement of a topology's clients.</summary>
    /// <param name="topology">The topology, with at least one broker.</param>
    public ClientPlacement(Topology topology)
    {
        (_brokers, _sites, _prefix) = (topology.Brokers, topology.Sites, topology.Scenario.TopicPrefix);
        for (var site = 0; site < _sites.Count; site++)
        {
            _publisherSites.AddRange(Enumerable.Repeat(site, _sites[site].Publishers));
            _subscriberSites.AddRange(Enumerable.Repeat(site, _sites[site].Subscribers));
        }
    }

    /// <summary>The index of the node that a publisher connects to.</summary>
    /// <param name="publisher">The publisher's number, from 0.</param>
    public int PublisherNode(int publisher) =>
        PublisherSite(publisher) is { } site ? site.Node : _brokers[publisher % _brokers.Count];

    /// <summary>The index of the node that a subscriber connects to.</summary>
    /// <param name="subscriber">The subscriber's number, from 0.</param>
    public int SubscriberNode(int subscriber) =>
        SubscriberSite(subscriber) is { } site
            ? site.Node
            : _brokers[(subscriber + subscriber / _brokers.Count) % _brokers.Count];

    /// <summary>The site of a publisher, or null where the topology has none.</summary>
    /// <param name="publisher">The publisher's number, from 0.</param>
    public TopologySite? PublisherSite(int publisher) => _sites.Count == 0 ? null : _sites[_publisherSites[publisher]];

    /// <summary>The site of a subscriber, or null where the topology has none.</summary>
    /// <param name="subscriber">The subscriber's number, from 0.</param>
    public TopologySite? SubscriberSite(int subscriber) =>
        _sites.Count == 0 ? null : _sites[_subscriberSites[subscriber]];

    /// <summary>The beginning of a publisher's topic.</summary>
    /// <param name="publisher">The publisher's number, from 0.</param>
    public string PublisherPrefix(int publisher) => PublisherSite(publisher)?.TopicPrefix ?? _prefix;

    /// <summary>The beginning of a subscriber's filter.</summary>
    /// <param name="subscriber">The subscriber's number, from 0.</param>
    public string SubscriberPrefix(int subscriber) => SubscriberSite(subscriber)?.TopicPrefix ?? _prefix;

    /// <summary>The broker after another one, after the last the first.</summary>
    /// <param name="node">The index of a broker in the topology.</param>
    public int Next(int node)
    {
        var place = _brokers.ToList().IndexOf(node);
        return _brokers[(place + 1) % _brokers.Count];
    }
}
