using MqttCheck.Broker.Routing;
using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Protocol.ProtocolVersion;

namespace MqttCheck.Tests.Broker.Routing;

/// <summary>Retained messages that expire, and what they leave in a store that is full.</summary>
public sealed class RetainedExpiryTests
{
    // The note of the first message of a topic is none of the second's.
    [Test]
    public void An_expiry_ends_with_the_message_that_had_it()
    {
        var store = new RetainedMessages(2, 1_000_000);
        store.Set("a", Message("a", expires: 10), 0);
        store.Set("a", Message("a"), 1);
        store.Set("b", Message("b", expires: 20), 2);
        Assert.That(store.Set("c", Message("c"), 19), Is.False);
        Assert.That((store.Find("a")?.Message is not null, store.Count), Is.EqualTo((true, 2)));
        Assert.That(store.Set("c", Message("c"), 20), Is.True);
        Assert.That(
            (store.Find("a")?.Message is not null, store.Find("b"), store.Count),
            Is.EqualTo((true, default(RetainedNode), 2))
        );
    }

    [Test]
    public void A_topic_whose_message_had_no_room_has_none()
    {
        var store = new RetainedMessages(10, 4);
        Assert.That(store.Set("ab", Message("ab"), 0), Is.True);
        Assert.That(store.Set("ab", Message("ab", "long"), 0), Is.False);
        Assert.That((store.Find("ab"), store.Count, store.LastNumber), Is.EqualTo((default(RetainedNode), 0, 1L)));
        Assert.That(store.Set("a", Message("a", "123"), 0), Is.True);
    }

    [Test]
    public void Messages_are_numbered_and_a_topic_above_others_has_none_of_its_own()
    {
        var store = new RetainedMessages(10, 100);
        store.Set("a/b", Message("a/b"), 0);
        store.Set("a/c", Message("a/c"), 0);
        Assert.That(
            (store.Find("a")!.Message, store.Find("a/b")!.Number, store.Find("a/c")!.Number),
            Is.EqualTo((default(Message), 1L, 2L))
        );
        store.Remove("a");
        store.Remove("a/x");
        Assert.That(store.Count, Is.EqualTo(2));
        store.Remove("a/b");
        Assert.That(store.Find("a/b"), Is.Null);
        store.Remove("a/c");
        Assert.That((store.Root.IsEmpty, store.Count), Is.EqualTo((true, 0)));
    }

    [Test]
    public void A_scan_leaves_out_what_has_expired_and_takes_it_from_the_store()
    {
        var store = new RetainedMessages(10, 100);
        store.Set("a", Message("a", expires: 10), 0);
        store.Set("b", Message("b", expires: 11), 0);
        var (found, visits) = (new List<Message>(), 100);
        new RetainedScan(store, "+").Continue(10, ref visits, found);
        Assert.That(found.Select(message => message.Publisher), Is.EqualTo(["b"]));
        Assert.That(store.Count, Is.EqualTo(1));
        // Three visits, and what the delivery costs.
        Assert.That(visits, Is.EqualTo(100 - 3 - 8));
    }

    // MQTT-3.3.2-5 goes before MQTT-3.3.1-6: what has expired is not sent even before it goes.
    [TestCase(1, 1)]
    [TestCase(2, 0)]
    public void An_expired_message_that_is_replaced_before_its_turn_is_not_sent(int seconds, int sent)
    {
        var bench = new BrokerBench();
        var publisher = bench.Connect(V5, "p");
        for (var i = 0; i < 600; i++)
            publisher.Publish($"r/{i}", "x", retain: true);
        publisher.Publish(
            "r/last",
            "x",
            retain: true,
            properties: new PacketProperties { MessageExpiryIntervalSeconds = 2 }
        );
        var client = bench.Connect(V5, "c");
        client.Subscribe("r/+", 0);
        var deletion = new PublishPacket { Topic = "r/last", Retain = true };
        bench.Core.Receive(publisher.Number, PacketEncoder.Encode(deletion, V5), seconds * 1_000_000_000L);
        Assert.That(client.TakeMessages().Count(message => message == "r/last=x"), Is.EqualTo(sent));
    }

    private static Message Message(string topic, string payload = "x", long expires = long.MaxValue) =>
        new(
            System.Text.Encoding.UTF8.GetBytes(topic),
            default,
            System.Text.Encoding.UTF8.GetBytes(payload),
            QualityOfService.AtMostOnce,
            true,
            expires,
            topic
        );
}
