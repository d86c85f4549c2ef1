namespace MqttCheck.Clusters.Topologies;

/// <summary>
/// The places of the clients, as people name them: the site, or the broker if a topology has no sites.
/// </summary>
internal sealed class ClientPlaces
{
    /// <summary>The most places that are told apart: what is kept for each pair of them must have an end.</summary>
    public const int Most = 64;

    private readonly IReadOnlyList<int> _brokers;
    private readonly IReadOnlyList<int> _siteOfPublisher;
    private readonly IReadOnlyList<int> _siteOfSubscriber;

    private ClientPlaces(Topology topology, bool areSites)
    {
        _brokers = topology.Brokers;
        AreSites = areSites;
        Names = areSites
            ? [.. topology.Sites.Select(site => site.Name)]
            : [.. _brokers.Select(broker => topology.Nodes[broker].Name)];
        _siteOfPublisher = Sites(topology, site => site.Publishers);
        _siteOfSubscriber = Sites(topology, site => site.Subscribers);
    }

    /// <summary>The names of the places, in the order of their numbers.</summary>
    public IReadOnlyList<string> Names { get; }

    /// <summary>Whether they are sites, and not brokers.</summary>
    public bool AreSites { get; }

    /// <summary>The places of a topology; by broker where there are too many sites.</summary>
    /// <param name="topology">The topology.</param>
    /// <returns>Null if it has no clients, or too many brokers too.</returns>
    public static ClientPlaces? Of(Topology topology)
    {
        // Nodes of a transport exchange messages among themselves.
        if (topology.System == ClusterSystem.Transport)
            return null;
        var areSites = topology.Sites.Count is > 0 and <= Most;
        return areSites || topology.Brokers.Count <= Most ? new(topology, areSites) : null;
    }

    /// <summary>The number of the place of each client, publishers first.</summary>
    /// <param name="publisherNodes">The node of each publisher.</param>
    /// <param name="subscriberNodes">The node of each subscriber.</param>
    internal IReadOnlyList<int> OfClients(
        IReadOnlyCollection<int> publisherNodes,
        IReadOnlyCollection<int> subscriberNodes
    )
    {
        if (AreSites)
            return [.. _siteOfPublisher, .. _siteOfSubscriber];
        var places = _brokers.Index().ToDictionary(broker => broker.Item, broker => broker.Index);
        return [.. publisherNodes.Concat(subscriberNodes).Select(node => places[node])];
    }

    // Clients are numbered site by site.
    private static IReadOnlyList<int> Sites(Topology topology, Func<TopologySite, int> count) =>
        [.. topology.Sites.SelectMany((site, number) => Enumerable.Repeat(number, count(site)))];
}
