using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.Clusters.Tests.Topologies;

[TestFixture]
internal sealed class ClientPlacementTests
{
    [Test]
    public void Without_sites_the_pairs_cover_every_ordered_pair_of_brokers_equally_often([Range(1, 6)] int brokers)
    {
        var placement = new ClientPlacement(TopologyFile.Read($"mesh:{brokers}"));
        var pairs = Enumerable
            .Range(0, 2 * brokers * brokers)
            .Select(client => (placement.PublisherNode(client), placement.SubscriberNode(client)))
            .CountBy(pair => pair);
        Assert.That(pairs.Count(), Is.EqualTo(brokers * brokers));
        Assert.That(pairs.Select(pair => pair.Value), Is.All.EqualTo(2));
    }

    [Test]
    public void The_store_of_a_cluster_gets_no_client()
    {
        var placement = new ClientPlacement(TopologyFile.Read("aedes-redis-2"));
        var nodes = Enumerable
            .Range(0, 8)
            .SelectMany(c => (int[])[placement.PublisherNode(c), placement.SubscriberNode(c)]);
        Assert.That(nodes.Distinct(), Is.EquivalentTo([0, 1]));
        Assert.That((placement.Next(0), placement.Next(1)), Is.EqualTo((1, 0)));
    }

    [Test]
    public void With_sites_clients_are_numbered_site_by_site()
    {
        var topology = TopologyFile.Read("mesh:3") with
        {
            Sites =
            [
                new TopologySite
                {
                    Name = "north",
                    Node = 2,
                    Publishers = 2,
                    Subscribers = 1,
                },
                new TopologySite
                {
                    Name = "south",
                    Node = 0,
                    Publishers = 1,
                    Subscribers = 2,
                },
            ],
        };
        var placement = new ClientPlacement(topology);
        Assert.That(Enumerable.Range(0, 3).Select(placement.PublisherNode), Is.EqualTo([2, 2, 0]));
        Assert.That(Enumerable.Range(0, 3).Select(placement.SubscriberNode), Is.EqualTo([2, 0, 0]));
        Assert.That(placement.SubscriberSite(1)!.Name, Is.EqualTo("south"));
    }
}
