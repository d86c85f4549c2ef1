using MqttCheck.Broker.Core;
using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Tests.Broker.Core;

/// <summary>Packets are written within what a client takes, to the byte.</summary>
public sealed class PacketSenderTests
{
    private sealed class SentPackets : IBrokerOutput
    {
        public List<byte[]> All { get; } = [];

        public void Accepted(int connection, string clientId, ProtocolVersion version) { }

        public void Send(int connection, ReadOnlySpan<byte> packet) => All.Add(packet.ToArray());

        public void Close(int connection, BrokerCloseReason reason) { }

        public bool IsCongested(int connection) => false;

        public void PauseReading(int connection, long forNanoseconds) { }
    }

    // A code that reports no error is left out where it does not fit (MQTT-3.1.2-24); an error cannot be left out.
    [TestCase(ProtocolVersion.V5, 4u, ReasonCode.Success, "40020102")]
    [TestCase(ProtocolVersion.V5, 4u, ReasonCode.NoMatchingSubscribers, "40020102")]
    [TestCase(ProtocolVersion.V5, 4u, ReasonCode.UnspecifiedError, "")]
    [TestCase(ProtocolVersion.V5, 3u, ReasonCode.Success, "")]
    [TestCase(ProtocolVersion.V5, 5u, ReasonCode.NoMatchingSubscribers, "4003010210")]
    [TestCase(ProtocolVersion.V5, 5u, ReasonCode.UnspecifiedError, "4003010280")]
    [TestCase(ProtocolVersion.V311, uint.MaxValue, ReasonCode.NoMatchingSubscribers, "40020102")]
    public void An_acknowledgement_has_its_code_where_it_fits(
        ProtocolVersion version,
        uint maximum,
        ReasonCode reason,
        string expected
    )
    {
        var sent = new SentPackets();
        new PacketSender(sent).SendAck(
            new Connection(0) { Version = version, MaximumPacketBytes = maximum },
            PacketType.Puback,
            0x0102,
            reason
        );
        Assert.That(string.Concat(sent.All.Select(Convert.ToHexString)), Is.EqualTo(expected));
    }

    [Test]
    public void A_PUBLISH_may_be_as_large_as_the_client_takes()
    {
        var delivery = Deliver(10, [7], expiresAt: 5_000_000_000, properties: Properties(20));
        var length = Send(new Connection(0) { Version = ProtocolVersion.V5 }, delivery)!.Length;
        foreach (var maximum in new[] { length - 1, length, length + 1 })
        {
            var to = new Connection(0) { Version = ProtocolVersion.V5, MaximumPacketBytes = (uint)maximum };
            Assert.That(new PacketSender(new SentPackets()).Fits(to, delivery, 0), Is.EqualTo(maximum >= length));
            Assert.That(Send(to, delivery)?.Length, Is.EqualTo(maximum >= length ? length : default(int?)));
        }
    }

    // The alias takes three bytes; it is given up before the message is (MQTT-3.1.2-25, MQTT-3.1.2-26).
    [TestCase(2, null, false)]
    [TestCase(3, 1, true)]
    public void An_alias_is_used_where_there_is_room_for_it(int room, int? alias, bool isLater)
    {
        var delivery = Deliver(10, null);
        var length = Send(new Connection(0) { Version = ProtocolVersion.V5 }, delivery)!.Length;
        var to = new Connection(0)
        {
            Version = ProtocolVersion.V5,
            MaximumPacketBytes = (uint)(length + room),
            Aliases = new OutgoingAliases(1),
        };
        var (first, second) = (Decode(Send(to, delivery)!), Decode(Send(to, delivery)!));
        Assert.That((first.Topic, (int?)first.Properties.TopicAlias), Is.EqualTo(("t", alias)));
        Assert.That((second.Topic, (int?)second.Properties.TopicAlias), Is.EqualTo((isLater ? "" : "t", alias)));
    }

    [TestCase(4090)]
    [TestCase(5000)]
    [TestCase(10_000)]
    [TestCase(100_000)]
    public void A_payload_may_be_of_any_size(int size)
    {
        var delivery = Deliver(size, null);
        var packet = Decode(Send(new Connection(0) { Version = ProtocolVersion.V5 }, delivery)!);
        Assert.That(packet.Payload.Span.SequenceEqual(delivery.Message.Payload), Is.True);
    }

    // Around the first size of the buffer for properties, with everything in them that there may be.
    [Test]
    public void Properties_may_be_of_any_size()
    {
        foreach (var size in Enumerable.Range(220, 60).Append(600).Append(5000))
        foreach (var expiresAt in new[] { long.MaxValue, 5_000_000_000 })
        {
            var properties = Properties(size);
            var to = new Connection(0) { Version = ProtocolVersion.V5, Aliases = new OutgoingAliases(1) };
            var packet = Decode(Send(to, Deliver(1, null, expiresAt, properties))!);
            Assert.That(
                packet.Properties,
                Is.EqualTo(
                    properties with
                    {
                        TopicAlias = 1,
                        MessageExpiryIntervalSeconds = expiresAt == long.MaxValue ? null : 5,
                    }
                )
            );
        }
    }

    [Test]
    public void A_message_may_carry_any_number_of_subscription_identifiers()
    {
        for (var count = 0; count <= 120; count++)
        {
            var identifiers = Enumerable.Range(0, count).Select(i => 268_435_455 - (uint)i).ToArray();
            var to = new Connection(0) { Version = ProtocolVersion.V5, Aliases = new OutgoingAliases(1) };
            var packet = Decode(Send(to, Deliver(1, identifiers, expiresAt: 5_000_000_000))!);
            Assert.That(packet.Properties.SubscriptionIdentifiers, Is.EqualTo(identifiers));
            Assert.That((int?)packet.Properties.MessageExpiryIntervalSeconds, Is.EqualTo(5));
        }
    }

    // MQTT-3.3.2-6: the interval less the time that the message has waited, here of 5 s.
    [TestCase(0, 5)]
    [TestCase(1, 5)]
    [TestCase(999_999_999, 5)]
    [TestCase(1_000_000_000, 4)]
    [TestCase(4_000_000_001, 1)]
    [TestCase(5_000_000_000, 0)]
    [TestCase(9_000_000_000, 0)]
    public void What_is_left_of_an_expiry_interval_is_rounded_up_and_never_negative(long now, int expected)
    {
        var bytes = Send(
            new Connection(0) { Version = ProtocolVersion.V5 },
            Deliver(1, null, expiresAt: 5_000_000_000),
            now
        )!;
        Assert.That((int?)Decode(bytes).Properties.MessageExpiryIntervalSeconds, Is.EqualTo(expected));
    }

    [Test]
    public void A_client_of_MQTT_3_1_1_gets_neither_properties_nor_aliases()
    {
        var bytes = Send(
            new Connection(0) { Aliases = new OutgoingAliases(1) },
            Deliver(1, [7], 5_000_000_000, Properties(5))
        )!;
        Assert.That(Convert.ToHexString(bytes), Is.EqualTo("3206000174000900"));
    }

    private static Delivery Deliver(
        int payloadBytes,
        uint[]? identifiers,
        long expiresAt = long.MaxValue,
        PacketProperties? properties = null
    )
    {
        var payload = new byte[payloadBytes];
        for (var i = 0; i < payloadBytes; i++)
            payload[i] = (byte)(i % 251);
        var message = new Message(
            "t"u8,
            properties is null ? default : PacketEncoder.EncodeProperties(properties),
            payload,
            QualityOfService.AtLeastOnce,
            false,
            expiresAt,
            "p"
        );
        return new Delivery(message, QualityOfService.AtLeastOnce, false, identifiers);
    }

    private static PacketProperties Properties(int bytes) =>
        new() { UserProperties = [new UserProperty("", new string('x', bytes - 5))] };

    private static byte[]? Send(Connection to, Delivery delivery, long now = 0)
    {
        var sent = new SentPackets();
        var isSent = new PacketSender(sent).SendPublish(to, delivery, 9, duplicate: false, now);
        Assert.That(sent.All, Has.Count.EqualTo(isSent ? 1 : 0));
        return sent.All.SingleOrDefault();
    }

    private static PublishPacket Decode(byte[] bytes) =>
        (PublishPacket)PacketDecoder.Decode(bytes, ProtocolVersion.V5, PacketOrigin.Server);
}
