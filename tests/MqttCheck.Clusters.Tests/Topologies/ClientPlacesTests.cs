using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.Clusters.Tests.Topologies;

[TestFixture]
internal sealed class ClientPlacesTests
{
    [Test]
    public void Without_sites_the_place_of_a_client_is_its_broker()
    {
        // The store comes last, and no client is there.
        var places = ClientPlaces.Of(TopologyFile.Read("aedes-redis-2"))!;
        Assert.That(
            (places.Names.Count, places.AreSites, places.OfClients([0, 1], [1])),
            Is.EqualTo((2, false, (int[])[0, 1, 1]))
        );
    }

    [Test]
    public void With_sites_it_is_the_site_whatever_its_broker()
    {
        var places = ClientPlaces.Of(
            TopologyFile.Read("mesh:2") with
            {
                Sites = [Site("a", publishers: 2, subscribers: 0), Site("b", publishers: 1, subscribers: 2)],
            }
        )!;
        Assert.That(
            (places.Names, places.OfClients([0, 0, 0], [0, 0])),
            Is.EqualTo(((string[])["a", "b"], (int[])[0, 0, 1, 1, 1]))
        );
    }

    [Test]
    public void More_sites_than_are_told_apart_give_brokers_and_more_brokers_give_nothing()
    {
        var sites = Enumerable.Range(0, ClientPlaces.Most + 1).Select(number => Site($"s{number}", 1, 1)).ToList();
        Assert.That(ClientPlaces.Of(TopologyFile.Read("mesh:2") with { Sites = sites })!.AreSites, Is.False);
        Assert.That(ClientPlaces.Of(TopologyFile.Read("star:65")), Is.Null);
    }

    private static TopologySite Site(string name, int publishers, int subscribers) =>
        new()
        {
            Name = name,
            Node = 0,
            Publishers = publishers,
            Subscribers = subscribers,
        };
}
