using MqttCheck.Broker.Core;
using MqttCheck.Broker.Peers;
using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Tests.Broker.Peers;

/// <summary>A broker that works together with others: what it tells them, and what it takes from them.</summary>
[TestFixture]
internal sealed class BrokerPeersTests : PeerFixture
{
    [Test]
    public void Peers_are_told_of_publications_and_wills_after_the_local_deliveries()
    {
        var subscriber = Bench.Connect(ProtocolVersion.V5, "s");
        subscriber.Subscribe("t/#");
        var publisher = Connect("p", will: new WillMessage("t/will", Bytes.FromText("gone")));
        publisher.Publish("t/1", "a", qos: 1).Publish("t/2", "b").Lose();
        Assert.That(
            Peers.Told,
            Is.EqualTo(["+t/#", "published 0: t/1=a", "published 1: t/2=b", "published 2: t/will=gone"])
        );
        Assert.That(subscriber.TakeMessages(), Is.EqualTo(["t/1=a", "t/2=b", "t/will=gone"]));
    }

    [Test]
    public void An_acknowledgement_waits_until_it_is_accepted_and_those_of_one_client_keep_their_order()
    {
        var (publisher, other) = (Bench.Connect(ProtocolVersion.V5, "p"), Bench.Connect(ProtocolVersion.V5, "o"));
        Peers.Holds = true;
        publisher.Publish("t", "a", qos: 1, id: 1).Publish("t", "b", qos: 2, id: 2);
        Peers.Holds = false;
        publisher.Publish("t", "c", qos: 1, id: 3);
        other.Publish("t", "d", qos: 1, id: 4);
        Assert.That(publisher.TakeAll(), Is.Empty);
        Assert.That(other.Take<PubackPacket>().PacketId, Is.EqualTo(4), "one client does not wait for another");

        Bench.Core.Accept(1);
        Assert.That(publisher.TakeAll(), Is.Empty, "the second waits for the first");
        Bench.Core.Accept(0);
        Assert.That(
            (publisher.Take<PubackPacket>().PacketId, publisher.Take<PubrecPacket>().PacketId),
            Is.EqualTo((1, 2))
        );
        Assert.That(publisher.Take<PubackPacket>().PacketId, Is.EqualTo(3));
        Bench.Core.Accept(0);
        Assert.That(publisher.TakeAll(), Is.Empty, "an acknowledgement goes once");
    }

    [Test]
    public void Clients_are_counted_and_peers_are_not()
    {
        var first = Connect("a");
        Connect("b");
        Connect("x", properties: Greeting("3"));
        Connect("b");
        first.Lose();
        Assert.That(Peers.Clients, Is.EqualTo([1, 2, 1, 2, 1]), "a take-over is an end and a beginning");
    }

    [Test]
    public void Clients_that_are_dismissed_are_told_and_their_sessions_end_while_peers_stay()
    {
        var kept = Bench.Connect(ProtocolVersion.V5, "away", clean: false);
        kept.Subscribe("a/#");
        kept.Lose();
        var subscriber = Connect("s", will: new WillMessage("t/will", Bytes.FromText("gone")));
        subscriber.Subscribe("t/#");
        var peer = Connect("x", properties: Greeting("3"));
        Peers.Told.Clear();
        Bench.Core.Dismiss(Bench.Now);
        Assert.That(
            subscriber.TakeAll(),
            Is.EqualTo(new Packet[] { new DisconnectPacket(ReasonCode.ServerShuttingDown) })
        );
        Assert.That((subscriber.CloseReason, peer.IsClosed), Is.EqualTo((BrokerCloseReason.ShuttingDown, false)));
        Assert.That(Peers.Told, Is.SupersetOf((string[])["published 0: t/will=gone", "-t/#", "-a/#"]));
        var late = Bench.Open(ProtocolVersion.V5);
        late.Send(new ConnectPacket { ClientId = "late" });
        Assert.That(late.Take<ConnackPacket>().ReasonCode, Is.EqualTo(ReasonCode.ServerUnavailable));
        Connect("y", properties: Greeting("4"));
        Assert.That(Peers.Told, Does.Contain("4 connected"));
    }

    [Test]
    public void A_QoS_2_message_that_is_sent_again_is_not_published_again_and_is_answered_when_it_is_accepted()
    {
        var publisher = Bench.Connect(ProtocolVersion.V5, "p", clean: false);
        Peers.Holds = true;
        publisher.Publish("t", "a", qos: 2, id: 7).Lose();
        publisher = Bench.Connect(ProtocolVersion.V5, "p", clean: false);
        publisher.Publish("t", "a", qos: 2, id: 7, duplicate: true);
        Assert.That(publisher.TakeAll(), Is.Empty);
        Bench.Core.Accept(0);
        Assert.That(publisher.Take<PubrecPacket>().PacketId, Is.EqualTo(7));
        publisher.Publish("t", "a", qos: 2, id: 7, duplicate: true);
        Assert.That((publisher.Take<PubrecPacket>().PacketId, Peers.Told.Count), Is.EqualTo((7, 1)));
    }

    [Test]
    public void What_a_publisher_waited_for_over_a_lost_connection_does_not_come_over_the_next()
    {
        var publisher = Bench.Connect(ProtocolVersion.V5, "p", clean: false);
        Peers.Holds = true;
        publisher.Publish("t", "a", qos: 1, id: 7).Lose();
        publisher = Bench.Connect(ProtocolVersion.V5, "p", clean: false);
        Bench.Core.Accept(0);
        Assert.That(publisher.TakeAll(), Is.Empty);
    }

    [Test]
    public void Peers_are_told_of_the_first_and_the_last_subscription_to_a_filter()
    {
        var (one, other) = (Bench.Connect(ProtocolVersion.V5, "one"), Bench.Connect(ProtocolVersion.V5, "other"));
        one.Subscribe("a/+");
        other.Subscribe("a/+");
        one.Subscribe("a/+", qos: 2);
        one.Subscribe("$share/group/a/b");
        one.Unsubscribe("a/+");
        Assert.That(Peers.Told, Is.EqualTo(["+a/+", "+a/b"]), "one subscription replaced, one left");
        other.Disconnect();
        one.Unsubscribe("$share/group/a/b");
        Assert.That(Peers.Told.Skip(2), Is.EqualTo(["-a/+", "-a/b"]));
    }

    [Test]
    public void A_peer_is_told_by_its_CONNECT_and_its_messages_go_to_the_protocol_alone()
    {
        var subscriber = Bench.Connect(ProtocolVersion.V5, "s");
        subscriber.Subscribe("#");
        var peer = Connect("mqttcheck-peer-0003", properties: Greeting("3"));
        Assert.That(
            peer.Connack!.Properties.UserProperties,
            Is.EqualTo((UserProperty[])[new(PeerProtocol.PropertyName, "welcome 3")])
        );
        peer.Publish("t", "a", qos: 2, id: 5)
            .Publish("t", "a", qos: 2, id: 5, duplicate: true)
            .Publish("$mqttcheck/1", "b");
        Assert.That(
            peer.TakeAll().Select(packet => packet.GetType()),
            Is.EqualTo((Type[])[typeof(PubrecPacket), typeof(PubrecPacket)])
        );
        Assert.That(subscriber.TakeMessages(), Is.Empty);
        peer.Lose();
        Assert.That(
            Peers.Told,
            Is.EqualTo(["+#", "3 connected", "3 sends t=a", "3 sends $mqttcheck/1=b", "3 disconnected"])
        );
    }

    [Test]
    public void An_injected_message_reaches_local_sessions_and_the_store_and_is_not_published_again()
    {
        var subscriber = Bench.Connect(ProtocolVersion.V5, "s");
        subscriber.Subscribe("t");
        var message = new Message("t"u8, [], "a"u8, QualityOfService.AtLeastOnce, true, long.MaxValue, "");
        Bench.Core.Inject(message, Bench.Now);
        Assert.That(subscriber.TakeMessages(), Is.EqualTo(["t=a"]));
        var late = Bench.Connect(ProtocolVersion.V5, "late");
        late.Subscribe("t");
        Assert.That((late.TakeMessages(), Peers.Told), Is.EqualTo(((string[])["t=a"], (string[])["+t"])));
    }

    [Test]
    public void Strangers_are_refused()
    {
        Assert.That(
            Connect("mqttcheck-peer-0009", properties: Greeting("9")).Connack!.ReasonCode,
            Is.EqualTo(ReasonCode.NotAuthorized)
        );
        Assert.That(Connect("mqttcheck-peer-0003").Connack!.ReasonCode, Is.EqualTo(ReasonCode.NotAuthorized));
        var client = Bench.Connect(ProtocolVersion.V5, "c");
        client.Publish("$mqttcheck/1", "forged", qos: 1);
        Assert.That(client.Take<PubackPacket>().ReasonCode, Is.EqualTo(ReasonCode.NotAuthorized));
        Assert.That(Peers.Told, Is.Empty);
    }
}
