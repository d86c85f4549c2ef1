using System.Globalization;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.Clusters.Monitors.Messages;

/// <summary>
/// The names of a load's clients, as people know them: the place, which is the site or the broker, and the number
/// there from 1, such as <c>hall-3</c>.
/// </summary>
internal sealed class ClientNames
{
    private readonly IReadOnlyList<string> _publishers;
    private readonly IReadOnlyList<string> _subscribers;

    /// <summary>The names of clients whose places are known.</summary>
    /// <param name="publisherPlaces">The place of each publisher.</param>
    /// <param name="subscriberPlaces">The place of each subscriber.</param>
    public ClientNames(IEnumerable<string> publisherPlaces, IEnumerable<string> subscriberPlaces) =>
        (_publishers, _subscribers) = (Numbered(publisherPlaces), Numbered(subscriberPlaces));

    /// <summary>The names of the clients of a topology.</summary>
    /// <param name="topology">The topology.</param>
    /// <param name="publisherNodes">The node of each publisher, where a run draws it; null where it does not.</param>
    /// <param name="subscriberNodes">The node of each subscriber, likewise.</param>
    public static ClientNames Of(
        Topology topology,
        IReadOnlyList<int>? publisherNodes = null,
        IReadOnlyList<int>? subscriberNodes = null
    )
    {
        var (load, placement) = (topology.Load, new ClientPlacement(topology));
        string NameOf(int node) => topology.Nodes[node].Name;
        return publisherNodes is not null && subscriberNodes is not null
            ? new(publisherNodes.Select(NameOf), subscriberNodes.Select(NameOf))
            : new(
                Enumerable
                    .Range(0, load.Publishers)
                    .Select(one => placement.PublisherSite(one)?.Name ?? NameOf(placement.PublisherNode(one))),
                Enumerable
                    .Range(0, load.Subscribers)
                    .Select(one => placement.SubscriberSite(one)?.Name ?? NameOf(placement.SubscriberNode(one)))
            );
    }

    /// <summary>A client by its number among all clients, publishers first.</summary>
    public string Of(int client) =>
        client >= 0 && client < _publishers.Count ? _publishers[client]
        : client >= 0 && client - _publishers.Count is var reader && reader < _subscribers.Count
            ? $"reader {_subscribers[reader]}"
        : string.Create(CultureInfo.InvariantCulture, $"client {client}");

    /// <summary>A message by its publisher and its number among the messages of that publisher.</summary>
    public string OfMessage(int publisher, int number) =>
        string.Create(CultureInfo.InvariantCulture, $"{Of(publisher)} #{number}");

    private static List<string> Numbered(IEnumerable<string> places)
    {
        var (names, counts) = (new List<string>(), new Dictionary<string, int>(StringComparer.Ordinal));
        foreach (var place in places)
        {
            var number = counts[place] = counts.GetValueOrDefault(place) + 1;
            names.Add(string.Create(CultureInfo.InvariantCulture, $"{place}-{number}"));
        }
        return names;
    }
}
