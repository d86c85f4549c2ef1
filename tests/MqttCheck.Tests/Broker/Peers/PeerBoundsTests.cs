using MqttCheck.Broker.Core;
using MqttCheck.Broker.Peers;
using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Tests.Broker.Peers;

/// <summary>How a peer is told from a client, what it may do more, and in which order acknowledgements go.</summary>
[TestFixture]
internal sealed class PeerBoundsTests : PeerFixture
{
    [Test]
    public void Of_several_greetings_the_first_counts_and_other_properties_are_none()
    {
        Connect("x", properties: [new("other", "9"), Greeting("3"), Greeting("4")]);
        Connect("y", properties: new UserProperty("other", "5"));
        Assert.That(Peers.Told, Is.EqualTo(["3 connected"]));
    }

    [TestCase(328, true)]
    [TestCase(329, false)]
    public void A_packet_of_a_peer_may_be_larger_by_some_bytes(int bytes, bool isTaken)
    {
        var peer = Connect("x", properties: Greeting("3"));
        peer.Publish("t", new string('x', bytes - 7));
        Assert.That((peer.IsClosed, Peers.Told.Count), Is.EqualTo((!isTaken, 2)));
        Assert.That(Peers.Told[1], Does.StartWith(isTaken ? "3 sends t=xxx" : "3 disconnected"));
    }

    [Test]
    public void What_a_peer_sends_is_answered_by_its_QoS_and_bounded_by_no_Receive_Maximum()
    {
        var peer = Connect("x", properties: Greeting("3"));
        peer.Publish("t", "0", 0).Publish("t", "1", 1, 1);
        for (ushort i = 2; i <= 5; i++)
            peer.Publish("t", $"{i}", 2, i);
        Assert.That(
            peer.TakeAll(),
            Is.EqualTo(
                (Packet[])
                    [
                        new PubackPacket(1),
                        new PubrecPacket(2),
                        new PubrecPacket(3),
                        new PubrecPacket(4),
                        new PubrecPacket(5),
                    ]
            )
        );
        peer.Send(new PubrelPacket(2));
        Assert.That(peer.Take<PubcompPacket>(), Is.EqualTo(new PubcompPacket(2)));
    }

    // Somebody may listen at another broker.
    [Test]
    public void Beside_peers_no_acknowledgement_says_that_nobody_listens()
    {
        var client = Bench.Connect(ProtocolVersion.V5, "c");
        client.Publish("t", "x", 1, 1).Publish("t", "x", 2, 2);
        Assert.That(client.TakeAll(), Is.EqualTo((Packet[])[new PubackPacket(1), new PubrecPacket(2)]));
    }

    [Test]
    public void When_all_that_waited_have_gone_the_next_acknowledgement_goes_at_once()
    {
        var client = Bench.Connect(ProtocolVersion.V5, "c");
        Peers.Holds = true;
        client.Publish("t", "x", 1, 1);
        Peers.Holds = false;
        Bench.Core.Accept(0);
        Assert.That(client.Take<PubackPacket>().PacketId, Is.EqualTo(1));
        client.Publish("t", "x", 1, 2);
        Assert.That(client.Take<PubackPacket>().PacketId, Is.EqualTo(2));
    }

    // MQTT-4.3.3-10: a repeated packet is answered, unless just its answer waits.
    [Test]
    public void A_repeated_QoS_2_packet_waits_for_its_own_answer_alone()
    {
        var client = Bench.Connect(ProtocolVersion.V5, "c");
        client.Publish("t", "done", 2, 7).Take<PubrecPacket>();
        Peers.Holds = true;
        client.Publish("t", "waits", 1, 9).Publish("t", "waits", 2, 8).Publish("t", "done", 2, 7, duplicate: true);
        Assert.That(client.Take<PubrecPacket>().PacketId, Is.EqualTo(7));
        client.Publish("t", "waits", 2, 8, duplicate: true).AssertSilent();
    }

    // A peer's message brings the time with it, as everything does.
    [Test]
    public void An_injected_message_has_waited_until_the_time_at_which_it_comes()
    {
        var subscriber = Bench.Connect(ProtocolVersion.V5, "s");
        subscriber.Subscribe("t", 0);
        var message = new Message("t"u8, [], "a"u8, QualityOfService.AtMostOnce, false, 10_000_000_000, "");
        Bench.Core.Inject(message, 6_000_000_000);
        Assert.That((int?)subscriber.Take<PublishPacket>().Properties.MessageExpiryIntervalSeconds, Is.EqualTo(4));
    }
}
