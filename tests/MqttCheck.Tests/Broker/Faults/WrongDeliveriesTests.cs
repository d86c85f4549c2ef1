using MqttCheck.Broker.Faults;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Tests.Broker.Faults.WrongCore;

namespace MqttCheck.Tests.Broker.Faults;

/// <summary>Each wrong core spoils publications or their acknowledgements in its one way.</summary>
[TestFixture]
internal sealed class WrongDeliveriesTests
{
    [Test]
    public void DUP_is_forwarded() =>
        Differs(
            BrokerMutant.DupForwarded,
            "False False",
            "True False",
            bench =>
            {
                var (publisher, subscriber) = Pair(bench);
                publisher.Publish("t", "1", 1, 1, duplicate: true);
                publisher.Publish("t", "2", 1, 2);
                return string.Join(' ', subscriber.Deliveries().Select(packet => packet.Duplicate));
            }
        );

    [Test]
    public void A_repeated_QoS_2_message_is_delivered_again() =>
        Differs(
            BrokerMutant.Qos2Repeated,
            "x",
            "x x",
            bench =>
            {
                var (publisher, subscriber) = Pair(bench);
                publisher.Publish("t", "x", 2, 9);
                publisher.Publish("t", "x", 2, 9, duplicate: true);
                return subscriber.Payloads();
            }
        );

    [Test]
    public void The_identifier_of_PUBACK_is_cut() =>
        Differs(
            BrokerMutant.PubackOfEightBits,
            "1234",
            "34",
            bench =>
            {
                var (publisher, _) = Pair(bench);
                publisher.Publish("t", "x", 1, 0x1234);
                return $"{publisher.Take<PubackPacket>().PacketId:X}";
            }
        );

    [Test]
    public void Acknowledgements_say_that_nobody_listens() =>
        Differs(
            BrokerMutant.NoSubscribersAlways,
            "Success Success",
            "NoMatchingSubscribers NoMatchingSubscribers",
            bench =>
            {
                var (publisher, _) = Pair(bench);
                publisher.Publish("t", "x", 1, 1);
                publisher.Publish("t", "x", 2, 2);
                return $"{publisher.Take<PubackPacket>().ReasonCode} {publisher.Take<PubrecPacket>().ReasonCode}";
            }
        );

    [TestCase(BrokerMutant.PropertiesDropped, ":, :7")]
    [TestCase(BrokerMutant.UserPropertiesReversed, "text:cba, :7")]
    public void Properties_are_dropped_or_turned_round(BrokerMutant mutant, string wrong) =>
        Differs(
            mutant,
            "text:abc, :7",
            wrong,
            bench =>
            {
                var (publisher, subscriber) = Pair(bench);
                var properties = new PacketProperties
                {
                    ContentType = "text",
                    UserProperties = [new("a", "1"), new("b", "22"), new("c", "")],
                };
                publisher.Publish("t", "x", properties: properties);
                publisher.Publish("t", "y", properties: new PacketProperties { MessageExpiryIntervalSeconds = 7 });
                var (first, second) = (subscriber.Take<PublishPacket>(), subscriber.Take<PublishPacket>());
                var names = string.Concat(first.Properties.UserProperties.Select(property => property.Name));
                return $"{first.Properties.ContentType}:{names}, "
                    + $"{second.Properties.ContentType}:{second.Properties.MessageExpiryIntervalSeconds}";
            }
        );

    [Test]
    public void Deliveries_have_no_expiry() =>
        Differs(
            BrokerMutant.ExpiryNotForwarded,
            "[10] []",
            "[] []",
            bench =>
            {
                var (publisher, subscriber) = Pair(bench);
                publisher.Publish("t", "x", properties: new PacketProperties { MessageExpiryIntervalSeconds = 10 });
                publisher.Publish("t", "y");
                return string.Join(
                    ' ',
                    subscriber.Deliveries().Select(packet => $"[{packet.Properties.MessageExpiryIntervalSeconds}]")
                );
            }
        );

    [Test]
    public void The_Maximum_Packet_Size_of_a_client_is_ignored() =>
        Differs(
            BrokerMutant.MaximumPacketIgnored,
            "0",
            "1",
            bench =>
            {
                var subscriber = bench.Connect(
                    ProtocolVersion.V5,
                    "s",
                    change: c => c with { Properties = new PacketProperties { MaximumPacketSizeBytes = 40 } }
                );
                subscriber.Subscribe("t");
                bench.Join("p").Publish("t", new string('x', 100), 1);
                return $"{subscriber.Deliveries().Length}";
            }
        );

    [Test]
    public void A_byte_order_mark_is_stripped_from_topics() =>
        Differs(
            BrokerMutant.ByteOrderMarkStripped,
            "plain",
            "marked in-between plain",
            bench =>
            {
                var (publisher, subscriber) = Pair(bench);
                subscriber.Subscribe("ab", 0);
                publisher.Publish("\uFEFFt", "marked");
                publisher.Publish("a\uFEFFb", "in-between");
                publisher.Publish("t", "plain");
                return subscriber.Payloads();
            }
        );

    [Test]
    public void An_alias_stands_for_its_first_topic() =>
        Differs(
            BrokerMutant.AliasNotSetAnew,
            "a=1 b=2 b=3",
            "a=1 a=2 a=3",
            bench =>
            {
                var (publisher, subscriber) = Pair(bench);
                subscriber.Subscribe("#", 0);
                var alias = new PacketProperties { TopicAlias = 1 };
                publisher.Publish("a", "1", properties: alias);
                publisher.Publish("b", "2", properties: alias);
                publisher.Publish("", "3", properties: alias);
                return string.Join(' ', subscriber.TakeMessages());
            }
        );

    [Test]
    public void Messages_come_at_the_published_QoS() =>
        Differs(
            BrokerMutant.PublishedQos,
            "1 1",
            "1 2",
            bench =>
            {
                var (publisher, subscriber) = Pair(bench, qos: 1);
                publisher.Publish("t", "x", 1, 1);
                publisher.Publish("t", "x", 2, 2);
                return string.Join(' ', subscriber.Deliveries().Select(packet => (int)packet.Qos));
            }
        );

    // A PUBREC for nothing makes no room, nor does a repeated one.
    [Test]
    public void PUBREC_makes_room() =>
        Differs(
            BrokerMutant.WindowFreedAtPubrec,
            "",
            "2",
            bench =>
            {
                var subscriber = bench.Join("s", receiveMaximum: 1);
                subscriber.Subscribe("t", 2);
                bench.Join("p").PublishSome(3, qos: 2);
                var first = subscriber.Take<PublishPacket>().PacketId;
                foreach (var id in new ushort[] { 999, first, first })
                    subscriber.Send(new PubrecPacket(id));
                return subscriber.Payloads();
            }
        );

    private static (BenchClient Publisher, BenchClient Subscriber) Pair(BrokerBench bench, int qos = 2)
    {
        var subscriber = bench.Join("s");
        subscriber.Subscribe("t", qos);
        return (bench.Join("p"), subscriber);
    }
}
