using MqttCheck.ClusterProtocols.Generation;
using MqttCheck.ClusterProtocols.Systems;
using MqttCheck.ClusterProtocols.Transport;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.ClusterProtocols.Tests.Transport;

/// <summary>The transport between nodes: alone, and as the hop of a spanning tree.</summary>
[TestFixture]
internal sealed class TransportCoreTests
{
    [TestCase("mesh:4", "transport-4.17", 40)]
    [TestCase("ring:5", "transport-4.18", 40)]
    [TestCase("mesh:4", "transport-4.17", 1000, Category = "Whole")]
    [TestCase("ring:5", "transport-4.18", 1000, Category = "Whole")]
    [TestCase("grid:3x3", "transport-4.18", 300, Category = "Whole")]
    public void A_spanning_tree_keeps_its_promises_over_a_transport_with_short_queues(
        string family,
        string hop,
        int cases
    )
    {
        var topology = TopologyFile.Parse(
            System.Text.Encoding.UTF8.GetBytes(
                $$"""
                { "name": "short", "system": "spanning-tree", "family": "{{family}}", "delay": "normal:10ms,2.5ms",
                  "hop": "{{hop}}",
                  "transport": { "sendQueue": 3, "receiveQueue": 2, "shed": 3, "retransmissionMilliseconds": 60 } }
                """
            ),
            "test"
        );
        var check = new ClusterCheck(topology, 3);
        for (var number = 0; number < cases; number++)
            Assert.That(check.Next()?.Shrunk.ToString(), Is.Null);
    }

    [Test]
    public void A_publication_goes_to_those_who_want_it_and_is_acknowledged_when_they_have_it()
    {
        var net = new TransportNet(TransportDesign.Version418).Subscribe(1, "a/#").Run(10).Publish(0, 1, "b");
        Assert.That(net.Accepted(0), Is.EqualTo([1L]), "nobody wants it");
        net.Hold().Publish(0, 2, "a/1").Run(100);
        Assert.That(net.Accepted(0), Is.EqualTo([1L]), "the peer does not have it yet");
        net.Release().Run(100);
        Assert.That((net.Accepted(0), net.Delivered(1)), Is.EqualTo(((long[])[1L, 2L], (string[])["a/1 2"])));
        net.Unsubscribe(1, "a/#").Run(10).Publish(0, 3, "a/1");
        Assert.That(net.Accepted(0), Is.EqualTo([1L, 2L, 3L]));
        Assert.That(net.Delivered(0), Is.Empty);
    }

    [Test]
    public void What_was_lost_with_a_connection_of_one_direction_arrives_once_and_in_order(
        [Values("4.17", "4.18")] string version
    )
    {
        var net = new TransportNet(TransportDesign.All.First(design => design.Name == version))
            .Subscribe(1, "t")
            .Run(10)
            .Hold();
        for (var message = 0; message < 20; message++)
            net.Publish(0, message, "t");
        net.Run(30);
        // The other end does not notice: its own connection lasts.
        net.Disconnect(0).Lose().Publish(0, 20, "t").Release().Run(100);
        Assert.That(net.Delivered(1), Is.Empty);
        net.Connect(0).Run(2000);
        Assert.That(
            (net.Delivered(1), net.Accepted(0)),
            Is.EqualTo((Enumerable.Range(0, 21).Select(message => $"t {message}"), Enumerable.Range(0, 21)))
        );
    }

    [Test]
    public void A_peer_that_starts_again_gets_what_comes_after_and_holds_no_publisher_up()
    {
        var net = new TransportNet(TransportDesign.Version418)
            .Subscribe(1, "t")
            .Run(10)
            .Publish(0, 1, "t")
            .Run(50)
            .Hold()
            .Publish(0, 2, "t")
            .Run(50);
        // Its process ends with what was on the wire, and knows nothing of numbers when it comes back.
        net.Disconnect(0)
            .Lose()
            .Release()
            .Start(1)
            .Subscribe(1, "t")
            .Connect(1)
            .Connect(0)
            .Run(100)
            .Publish(0, 3, "t")
            .Run(2000);
        Assert.That(net.Delivered(1), Is.EqualTo(["t 1", "t 3"]));
        Assert.That(net.Accepted(0), Is.EqualTo([1L, 2L, 3L]), "who had the second one is unknown");
    }

    [Test]
    public void A_node_that_stands_still_is_sent_to_again_and_hands_each_message_upward_once()
    {
        var net = new TransportNet(TransportDesign.Version417)
            .Subscribe(1, "t")
            .Run(10)
            .Hold()
            .Publish(0, 1, "t")
            .Run(1200)
            .Release()
            .Run(100);
        Assert.That(net.Counters(0).Retransmissions, Is.EqualTo(2), "after .5 s and after 1 s");
        Assert.That(net.Delivered(1), Is.EqualTo(["t 1"]));
    }
}
