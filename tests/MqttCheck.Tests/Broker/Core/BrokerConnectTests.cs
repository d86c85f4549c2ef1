using MqttCheck.Broker.Core;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Protocol.ProtocolVersion;

namespace MqttCheck.Tests.Broker.Core;

/// <summary>Who is let in at the ends of the limits, and what CONNACK tells.</summary>
public sealed class BrokerConnectTests
{
    [TestCase("123456789012345678901234567890", true)]
    [TestCase("ééééééééééééééé", true)]
    [TestCase("éééééééééééééééx", false)]
    public void A_client_identifier_may_be_as_long_as_the_limit_in_bytes(string clientId, bool isAccepted) =>
        Assert.That(
            Answer(new BrokerLimits { ClientIdentifierBytes = 30 }, new ConnectPacket { ClientId = clientId }),
            Is.EqualTo(isAccepted ? ReasonCode.Success : ReasonCode.ClientIdentifierNotValid)
        );

    // MQTT-3.2.2-12 and -13 speak of wills beyond what is offered.
    [TestCase("a/b/c", 1, false, ReasonCode.Success)]
    [TestCase("a/b/c/d", 1, false, ReasonCode.TopicNameInvalid)]
    [TestCase("a/b/c", 2, false, ReasonCode.QosNotSupported)]
    [TestCase("a/b/c", 0, true, ReasonCode.RetainNotSupported)]
    [TestCase("secret", 0, false, ReasonCode.NotAuthorized)]
    public void A_will_may_use_all_that_is_offered(string topic, int qos, bool retain, ReasonCode expected)
    {
        var limits = new BrokerLimits
        {
            MaximumQos = QualityOfService.AtLeastOnce,
            RetainedMessages = 0,
            TopicLevels = 3,
        };
        var access = BrokerAccess.Parse("anonymous yes\ndeny * publish secret\nallow * both #", "test");
        var will = new WillMessage(topic, default, (QualityOfService)qos, retain);
        Assert.That(Answer(limits, new ConnectPacket { ClientId = "a", Will = will }, access), Is.EqualTo(expected));
    }

    // MQTT 5 gives a client without an identifier one in any case (MQTT-3.1.3-6); a name that is taken is left out.
    [Test]
    public void Identifiers_are_assigned_in_order_and_never_twice([Values] bool clean)
    {
        var bench = new BrokerBench();
        bench.Connect(V5, "mqttcheck2");
        var assigned = new[] { bench.Connect(V5, "", clean), bench.Connect(V5, "", clean) };
        Assert.That(
            assigned.Select(client => client.Connack!.Properties.AssignedClientIdentifier),
            Is.EqualTo(["mqttcheck1", "mqttcheck3"])
        );
        Assert.That(assigned.Select(client => client.ClientId), Is.EqualTo(["mqttcheck1", "mqttcheck3"]));
    }

    [Test]
    public void CONNACK_tells_what_differs_from_what_the_absence_of_a_property_means()
    {
        Assert.That(
            Announced(new BrokerLimits()),
            Is.EqualTo(
                new PacketProperties
                {
                    ReceiveMaximum = 1000,
                    MaximumPacketSizeBytes = 1024 * 1024,
                    TopicAliasMaximum = 100,
                }
            )
        );
        Assert.That(
            Announced(new BrokerLimits { ReceiveMaximum = 65_535, TopicAliasMaximum = 0 }),
            Is.EqualTo(new PacketProperties { MaximumPacketSizeBytes = 1024 * 1024 })
        );

        static PacketProperties Announced(BrokerLimits limits) =>
            new BrokerBench(new BrokerOptions { Limits = limits }).Connect(V5, "a").Connack!.Properties;
    }

    // MQTT-3.1.2-24: CONNACK counts as well.
    [Test]
    public void CONNACK_may_be_as_large_as_the_client_takes()
    {
        var length = Measure(1000).LargestPacketBytes;
        Assert.That(Measure((uint)length).CloseReason, Is.Null);
        var narrow = Measure((uint)length - 1);
        Assert.That(narrow.CloseReason, Is.EqualTo(BrokerCloseReason.ProtocolError));
        Assert.That(narrow.TakeAll(), Is.EqualTo([new DisconnectPacket(ReasonCode.PacketTooLarge)]));

        static BenchClient Measure(uint maximum)
        {
            var client = new BrokerBench().Open(V5);
            client.Send(
                new ConnectPacket
                {
                    ClientId = "a",
                    Properties = new PacketProperties { MaximumPacketSizeBytes = maximum },
                }
            );
            return client;
        }
    }

    // What the client may take less than CONNACK does not bring the rest of its session down.
    [Test]
    public void A_session_with_an_open_PUBREL_outlives_a_connection_that_ends_at_CONNACK()
    {
        var bench = new BrokerBench();
        var subscriber = bench.Connect(V5, "s", clean: false);
        subscriber.Subscribe("t", 2);
        bench.Connect(V5, "p").Publish("t", "x", 2);
        subscriber.Send(new PubrecPacket(subscriber.Take<PublishPacket>().PacketId)).Lose();
        var narrow = bench.Open(V5);
        narrow.Send(
            new ConnectPacket
            {
                ClientId = "s",
                CleanStart = false,
                Properties = new PacketProperties { MaximumPacketSizeBytes = 5, SessionExpiryIntervalSeconds = 100 },
            }
        );
        Assert.That(narrow.IsClosed, Is.True);
        Assert.That(bench.Connect(V5, "s", clean: false).TakeAll().OfType<PubrelPacket>().Count(), Is.EqualTo(1));
    }

    // Only brokers that work together keep names and topics for themselves.
    [Test]
    public void A_broker_that_is_alone_reserves_neither_names_nor_topics()
    {
        var bench = new BrokerBench();
        var client = bench.Connect(V5, "mqttcheck-peer-1");
        client.Subscribe("$mqttcheck/#", 0);
        client.Publish("$mqttcheck/1", "x", 1);
        Assert.That(client.TakeMessages(), Is.EqualTo(["$mqttcheck/1=x"]));
    }

    private static ReasonCode Answer(BrokerLimits limits, ConnectPacket connect, BrokerAccess? access = null)
    {
        var options = new BrokerOptions { Limits = limits, Access = access ?? BrokerAccess.Open };
        var client = new BrokerBench(options).Open(V5);
        client.Send(connect);
        var answer = client.Take<ConnackPacket>().ReasonCode;
        Assert.That(client.IsClosed, Is.EqualTo(answer != ReasonCode.Success));
        return answer;
    }
}
