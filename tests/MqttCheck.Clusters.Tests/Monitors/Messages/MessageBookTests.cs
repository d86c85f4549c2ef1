using MqttCheck.Clusters.Monitors.Messages;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.Clusters.Tests.Monitors.Messages;

/// <summary>The words for messages, clients and what happened to them.</summary>
[TestFixture]
internal sealed class MessageBookTests
{
    [Test]
    public void A_history_says_who_acknowledged_and_where_the_reader_was_when()
    {
        var tape = new EventTape()
            .Connected(-2000, client: 1, node: 0)
            .Fault(5000, 15_000, node: 0)
            .Restored(15_500, node: 0)
            .Disconnected(5005, client: 1, node: 0)
            .Published(5100, 1, "t", client: 0, node: 1, isAcknowledged: false)
            .Acknowledged(5101, 1, client: 0, node: 1)
            .Connected(5300, client: 1, node: 1);
        Assert.That(
            Told(tape),
            Is.EqualTo([
                "before reader s-1 connected to a",
                "5.000 s node a was disturbed",
                "5.005 s reader s-1 lost its connection to a",
                "5.100 s p-1 published it at b with QoS 1",
                "5.101 s b acknowledged it",
                "5.300 s reader s-1 connected to b",
                "15.000 s node a was well",
                "15.500 s bridges of node a worked again",
            ])
        );
    }

    [Test]
    public void A_history_leaves_out_what_is_far_from_the_message()
    {
        var tape = new EventTape()
            .Connected(-2000, client: 1, node: 0)
            .Disconnected(1000, client: 1, node: 0)
            .Connected(1100, client: 1, node: 1)
            .Fault(1000, 2000, node: 0)
            .Published(20_000, 1, "t", client: 0)
            .Delivered(20_010, 1, 1)
            .Fault(40_000, 45_000, node: 0)
            .Disconnected(50_000, client: 1, node: 1);
        Assert.That(
            Told(tape),
            Is.EqualTo([
                "1.100 s reader s-1 connected to b",
                "20.000 s p-1 published it at a with QoS 1",
                "20.000 s a acknowledged it",
                "20.010 s reader s-1 got it at a with QoS 0",
                "50.000 s reader s-1 lost its connection to b",
            ])
        );
    }

    [Test]
    public void Clients_have_the_names_of_their_sites_and_numbers_from_one()
    {
        var topology = TopologyFile.Read("bridge-pair") with
        {
            Sites =
            [
                new TopologySite
                {
                    Name = "hall",
                    Node = 0,
                    Publishers = 2,
                    Subscribers = 1,
                },
                new TopologySite
                {
                    Name = "desks",
                    Node = 1,
                    Publishers = 1,
                    Subscribers = 2,
                },
            ],
        };
        var names = ClientNames.Of(topology);
        Assert.That(
            Enumerable.Range(0, 7).Select(names.Of),
            Is.EqualTo(["hall-1", "hall-2", "desks-1", "reader hall-1", "reader desks-1", "reader desks-2", "client 6"])
        );
        Assert.That(names.OfMessage(1, 17), Is.EqualTo("hall-2 #17"));
    }

    [Test]
    public void Clients_without_sites_have_the_names_of_their_brokers_drawn_ones_too()
    {
        var topology = TopologyFile.Read("bridge-pair");
        Assert.That(
            Enumerable.Range(0, 4).Select(ClientNames.Of(topology).Of),
            Is.EqualTo(["a-1", "b-1", "reader a-1", "reader b-1"])
        );
        Assert.That(
            Enumerable.Range(0, 4).Select(ClientNames.Of(topology, [1, 1], [0, 1]).Of),
            Is.EqualTo(["b-1", "b-2", "reader a-1", "reader b-1"])
        );
    }

    private static string[] Told(EventTape tape)
    {
        var book = new MessageBook(EventTape.Names, new(["p"], ["s"]), 0);
        foreach (var one in tape.InOrder())
            book.Add(one);
        return [.. book.HistoryOf(book.Find(1)!, client: 1).Select(step => $"{step.Time} {step.What}")];
    }
}
