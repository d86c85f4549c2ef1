using MqttCheck.Broker.Core;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Protocol.ProtocolVersion;

namespace MqttCheck.Tests.Broker.Core;

/// <summary>What waits goes before what comes, and room is what the windows of both sides leave.</summary>
public sealed class DeliveryOrderTests
{
    // MQTT-4.6.0-6: the host may say that a client has room before it says that it has drained.
    [Test]
    public void A_message_does_not_overtake_those_that_wait_for_a_congested_client()
    {
        var (bench, subscriber, publisher) = BrokerBench.Joined(V5, 1);
        bench.Congested.Add(subscriber);
        publisher.Publish("t", "1", 1, 1);
        bench.Congested.Clear();
        publisher.Publish("t", "2", 1, 2);
        subscriber.AssertSilent();
        bench.Core.Drained(subscriber.Number, bench.Now);
        Assert.That(subscriber.TakeMessages(), Is.EqualTo(["t=1", "t=2"]));
    }

    // MQTT-4.4.0-1 and MQTT-4.6.0-1: what was sent over an earlier connection comes first.
    [Test]
    public void A_message_does_not_overtake_those_that_have_to_be_sent_again()
    {
        var (bench, subscriber, publisher) = BrokerBench.Joined(V5, 1);
        publisher.Publish("t", "1", 1, 1);
        subscriber.Lose();
        subscriber = bench.Open(V5);
        bench.Congested.Add(subscriber);
        subscriber.Send(Connect("s")).Take<ConnackPacket>();
        subscriber.AssertSilent();
        bench.Congested.Clear();
        publisher.Publish("t", "2", 1, 2);
        subscriber.AssertSilent();
        bench.Core.Drained(subscriber.Number, bench.Now);
        Assert.That(
            subscriber.TakeAll().Cast<PublishPacket>().Select(p => (p.Payload.ToText(), p.Duplicate)),
            Is.EqualTo(new[] { ("1", true), ("2", false) })
        );
    }

    // The client's own Receive Maximum begins anew with the connection; the limit of the broker counts on.
    [Test]
    public void A_message_released_over_an_earlier_connection_still_counts_against_the_limit()
    {
        var (bench, subscriber, publisher) = BrokerBench.Joined(
            V5,
            2,
            Limits(new BrokerLimits { InFlightPerClient = 1 })
        );
        publisher.Publish("t", "1", 2, 1);
        var id = subscriber.Take<PublishPacket>().PacketId;
        subscriber.Send(new PubrecPacket(id)).Lose();
        subscriber = bench.Connect(V5, "s", clean: false);
        subscriber.Take<PubrelPacket>();
        publisher.Publish("t", "2", 2, 2);
        subscriber.AssertSilent().Send(new PubcompPacket(id));
        Assert.That(subscriber.TakeMessages(), Is.EqualTo(["t=2"]));
    }

    // MQTT-3.1.2-25: the message is dropped as if it had been delivered, also where an earlier connection took it.
    [Test]
    public void A_message_that_the_next_connection_is_too_narrow_for_makes_room_for_others()
    {
        var (bench, subscriber, publisher) = BrokerBench.Joined(V5, 1);
        publisher.Publish("t", new string('x', 100), 1, 1);
        subscriber.Lose();
        publisher.Publish("t", "small", 1, 2);
        subscriber = bench.Open(V5);
        subscriber
            .Send(Connect("s", new PacketProperties { MaximumPacketSizeBytes = 40, ReceiveMaximum = 1 }))
            .Take<ConnackPacket>();
        Assert.That((subscriber.TakeMessages(), bench.Core.Counters.Delivered), Is.EqualTo(((string[])["t=small"], 2)));
    }

    // MQTT-4.3.3-4: an error in PUBREC ends the exchange, and so makes room.
    [TestCase(ReasonCode.UnspecifiedError)]
    [TestCase(ReasonCode.QuotaExceeded)]
    public void PUBREC_with_an_error_makes_room(ReasonCode error)
    {
        var bench = new BrokerBench();
        var subscriber = bench.Connect(
            V5,
            "s",
            change: c => c with { Properties = new PacketProperties { ReceiveMaximum = 1 } }
        );
        subscriber.Subscribe("t", 2);
        var publisher = bench.Connect(V5, "p");
        publisher.Publish("t", "1", 2, 1).Publish("t", "2", 2, 2);
        subscriber.Send(new PubrecPacket(subscriber.Take<PublishPacket>().PacketId, error));
        Assert.That(subscriber.TakeMessages(), Is.EqualTo(["t=2"]));
    }

    // MQTT-4.3.3-2 (5: MQTT-4.3.3-9): 3.1.1 cannot say that a message is not allowed, so its exchange goes on.
    [TestCase(V311, false)]
    [TestCase(V5, true)]
    public void The_identifier_of_a_message_that_is_not_allowed_is_free_where_the_client_is_told(
        ProtocolVersion version,
        bool isDelivered
    )
    {
        var access = BrokerAccess.Parse("anonymous yes\ndeny * publish secret\nallow * both #", "test");
        var (_, subscriber, publisher) = BrokerBench.Joined(version, 0, new BrokerOptions { Access = access });
        publisher.Publish("secret", "x", 2, 9).Publish("t", "y", 2, 9);
        Assert.That(subscriber.TakeMessages(), Has.Length.EqualTo(isDelivered ? 1 : 0));
    }

    // MQTT-3.3.4-7: Receive Maximum is a property of MQTT 5.
    [TestCase(V311, 3)]
    [TestCase(V5, 2)]
    public void A_message_beyond_the_Receive_Maximum_is_not_delivered(ProtocolVersion version, int delivered)
    {
        var limits = Limits(new BrokerLimits { ReceiveMaximum = 2 });
        var (_, subscriber, publisher) = BrokerBench.Joined(version, 0, limits);
        for (ushort i = 1; i <= 3; i++)
            publisher.Publish("t", $"{i}", 2, i);
        Assert.That((subscriber.TakeMessages().Length, publisher.IsClosed), Is.EqualTo((delivered, version == V5)));
    }

    [Test]
    public void A_repeated_QoS_2_packet_is_welcome_at_the_Receive_Maximum()
    {
        var client = new BrokerBench(Limits(new BrokerLimits { ReceiveMaximum = 1 })).Connect(V5, "a");
        client.Publish("t", "x", 2, 1).Publish("t", "x", 2, 1, duplicate: true);
        Assert.That((client.TakeAll().Length, client.IsClosed), Is.EqualTo((2, false)));
    }

    [Test]
    public void A_publication_may_use_all_that_is_offered()
    {
        var bench = new BrokerBench(
            Limits(
                new BrokerLimits
                {
                    MaximumQos = QualityOfService.AtLeastOnce,
                    TopicLevels = 3,
                    RetainedMessages = 0,
                }
            )
        );
        var client = bench.Connect(V5, "a");
        Assert.That(client.Subscribe("a/b/#", 2).ReasonCodes[0], Is.EqualTo(ReasonCode.GrantedQos1));
        client.Publish("a/b/c", "x", 1);
        Assert.That(client.TakeMessages(), Is.EqualTo(["a/b/c=x"]));
    }

    // A queue takes as many bytes as it has given away.
    [Test]
    public void What_has_been_sent_takes_no_room_in_the_queue()
    {
        var limits = Limits(new BrokerLimits { QueuedBytesPerSession = 6 });
        var (bench, subscriber, publisher) = BrokerBench.Joined(V5, 1, limits);
        subscriber.Lose();
        for (var round = 0; round < 3; round++)
        {
            for (ushort i = 1; i <= 4; i++)
                publisher.Publish("t", $"{i}", 1, i);
            subscriber = bench.Connect(V5, "s", clean: false);
            var received = subscriber.TakeAll().Cast<PublishPacket>().ToArray();
            Assert.That(received.Select(packet => packet.Payload.ToText()), Is.EqualTo(["1", "2", "3"]));
            foreach (var packet in received)
                subscriber.Send(new PubackPacket(packet.PacketId));
            subscriber.Lose();
        }
    }

    // MQTT-3.3.2-5: the interval has passed when all of it has.
    [TestCase(4_999_999_999, 1)]
    [TestCase(5_000_000_000, 0)]
    public void A_message_in_a_queue_expires_at_the_end_of_its_interval(long nanoseconds, int delivered)
    {
        var (bench, subscriber, publisher) = BrokerBench.Joined(V5, 1);
        subscriber.Lose();
        publisher.Publish("t", "x", 1, properties: new PacketProperties { MessageExpiryIntervalSeconds = 5 });
        bench.Core.Tick(nanoseconds);
        Assert.That(
            (bench.Connect(V5, "s", clean: false).TakeMessages().Length, bench.Core.Counters.Dropped),
            Is.EqualTo((delivered, 1 - delivered))
        );
    }

    // Filters without wildcards and outside of groups are served by every broker.
    [Test]
    public void What_is_not_offered_stands_in_the_way_of_nothing_else([Values(V311, V5)] ProtocolVersion version)
    {
        var client = new BrokerBench(
            Limits(
                new BrokerLimits
                {
                    WildcardSubscriptions = false,
                    SharedSubscriptions = false,
                    SubscriptionIdentifiers = false,
                }
            )
        ).Connect(version, "a");
        Assert.That(client.Subscribe("a", 1).ReasonCodes[0], Is.EqualTo(ReasonCode.GrantedQos1));
        if (version == V5)
            return;
        foreach (var filter in new[] { "$share/g/a", "#", "a/+" })
            Assert.That(client.Subscribe(filter).ReasonCodes[0], Is.EqualTo(ReasonCode.UnspecifiedError), filter);
        Assert.That(client.IsClosed, Is.False);
    }

    // MQTT-3.8.3-3: one's own messages only, and only where No Local is asked for.
    [Test]
    public void No_local_leaves_out_kept_messages_of_one_s_own_alone()
    {
        var bench = new BrokerBench();
        var client = bench.Connect(V5, "a");
        client.Publish("t/own", "x", retain: true);
        bench.Connect(V5, "b").Publish("t/other", "x", retain: true);
        client.Subscribe("t/+", 0, noLocal: true);
        Assert.That(client.TakeMessages(), Is.EqualTo(["t/other=x"]));
        client.Subscribe("t/+", 0);
        Assert.That(client.TakeMessages(), Is.EquivalentTo(["t/other=x", "t/own=x"]));
    }

    private static BrokerOptions Limits(BrokerLimits limits) => new() { Limits = limits };

    private static ConnectPacket Connect(string clientId, PacketProperties? properties = null) =>
        new()
        {
            ClientId = clientId,
            CleanStart = false,
            Properties = (properties ?? PacketProperties.Empty) with { SessionExpiryIntervalSeconds = 100 },
        };
}
