using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Broker.Sessions;
using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.ClusterProtocols.Tests.Hops;

/// <summary>Packets of a hop as bytes: legal MQTT 5, of the size that frames count, read as written.</summary>
[TestFixture]
internal sealed class PeerPacketsTests
{
    private const long Now = 5_000_000_000;

    [Test]
    public void A_message_arrives_with_its_identity_and_its_own_properties() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(200).WithReplay(20261125, 27),
            Prop.ForAll(
                ArbMap.Default.ArbFor<(ulong Incarnation, long Counter, ushort Hops)>(),
                Gen.Choose(0, 2).ToArbitrary(),
                ArbMap.Default.ArbFor<byte[]>(),
                RoundTrip
            )
        );

    [Test]
    public void The_rest_of_the_expiry_interval_goes_along()
    {
        var content = new Message("t"u8, [], "x"u8, QualityOfService.AtLeastOnce, false, Now + 2_500_000_000, "");
        var hop = HopPacket.Publish(PeerMessage.Of(Routed(content)), QualityOfService.AtLeastOnce, 3, duplicate: true);
        var packet = Decode(Bytes(hop));
        Assert.That(
            (packet.Properties.MessageExpiryIntervalSeconds, packet.PacketId, packet.Duplicate),
            Is.EqualTo((3, 3, true))
        );
    }

    [TestCase("")]
    [TestCase("häuser/#")]
    public void A_control_message_arrives_as_it_was(string topic)
    {
        var fields = new ControlFields();
        for (var i = 0; i < ControlFields.Count; i++)
            fields[i] = long.MinValue + i;
        var message = new PeerMessage
        {
            Kind = PeerMessageKind.Control,
            ControlKind = 7,
            Fields = fields,
            Data = new RoutedMessage
            {
                Origin = 0,
                Incarnation = 0,
                Counter = 0,
                Topic = topic,
            },
        };
        var hop = HopPacket.Publish(message, QualityOfService.AtMostOnce, 0, duplicate: false);
        Assert.That(PeerPackets.TryRead(Taken(Bytes(hop)), 5, out var read), Is.True);
        Assert.That(
            (read.Kind, read.ControlKind, read.Data.Topic),
            Is.EqualTo((PeerMessageKind.Control, (byte)7, topic))
        );
        for (var i = 0; i < ControlFields.Count; i++)
            Assert.That(read.Fields[i], Is.EqualTo(long.MinValue + i));
    }

    [TestCase("mqttcheck-peer", "too short")]
    [TestCase("another", "00010000000000000002000000000000000300040")]
    [TestCase("mqttcheck-peer", "00090000000000000002000000000000000300042", TestName = "A node that there is not")]
    public void What_no_node_writes_is_not_read(string name, string value)
    {
        var properties = PacketEncoder.EncodeProperties(
            new PacketProperties { UserProperties = [new UserProperty(name, value)] }
        );
        var message = new Message("t"u8, properties, [], QualityOfService.AtMostOnce, false, long.MaxValue, "");
        Assert.That(PeerPackets.TryRead(message, 5, out _), Is.False);
    }

    [Test]
    public void CONNECT_tells_who_sends_it_and_has_the_size_that_frames_count()
    {
        var bytes = PeerPackets.Connect(3, 0xABCDEF, cleanStart: true);
        var connect = (ConnectPacket)PacketDecoder.Decode(bytes, ProtocolVersion.V5, PacketOrigin.Client, 1 << 20);
        Assert.That(
            (connect.CleanStart, connect.KeepAliveSeconds, connect.Properties.SessionExpiryIntervalSeconds),
            Is.EqualTo((true, 0, uint.MaxValue))
        );
        Assert.That(
            PeerPackets.TryReadGreeting(connect.Properties.UserProperties[0].Value, out var node, out var incarnation),
            Is.True
        );
        Assert.That(
            (node, incarnation, bytes.Length),
            Is.EqualTo((3, 0xABCDEFUL, HopBytes.Of(HopPacket.Of(HopPacketKind.Connect))))
        );
    }

    [TestCase("")]
    [TestCase("000")]
    [TestCase("0001-00000000000000zz")]
    public void What_is_no_greeting_is_not_read(string text) =>
        Assert.That(PeerPackets.TryReadGreeting(text, out _, out _), Is.False);

    private static void RoundTrip((ulong Incarnation, long Counter, ushort Hops) identity, int qos, byte[] payload)
    {
        var properties = PacketEncoder.EncodeProperties(
            new PacketProperties { ContentType = "text", UserProperties = [new UserProperty("mqttcheck-peer", "own")] }
        );
        var content = new Message("a/b"u8, properties, payload, (QualityOfService)qos, true, long.MaxValue, "");
        var routed = Routed(content) with
        {
            Incarnation = identity.Incarnation,
            Counter = Math.Abs(identity.Counter),
            Hops = identity.Hops,
        };
        var hop = HopPacket.Publish(PeerMessage.Of(routed), (QualityOfService)qos, (ushort)(qos == 0 ? 0 : 9), false);
        Assert.That(PeerPackets.TryRead(Taken(Bytes(hop)), 5, out var read), Is.True);
        var data = read.Data;
        Assert.That(
            (data with { Content = null }, data.Content!.Payload.ToArray(), data.Content.Properties.ToArray()),
            Is.EqualTo((routed with { Content = null }, payload, properties))
        );
    }

    private static RoutedMessage Routed(Message content) =>
        new()
        {
            Origin = 4,
            Incarnation = 1,
            Counter = 2,
            Topic = System.Text.Encoding.UTF8.GetString(content.Topic),
            Qos = content.Qos,
            Retain = content.Retain,
            PayloadBytes = content.Payload.Length,
            Content = content,
        };

    // Judged by the strict decoder. The size is what frames count, apart from what only the message's own properties
    // add, which are not simulated.
    private static byte[] Bytes(in HopPacket packet)
    {
        var bytes = new PeerPackets().Write(packet, Now).ToArray();
        Decode(bytes);
        var hasOwn =
            packet.Message.Data.Content is { } content
            && (content.Properties.Length > 0 || content.ExpiresAtNanoseconds != long.MaxValue);
        if (!hasOwn)
            Assert.That(bytes, Has.Length.EqualTo(HopBytes.Of(packet)));
        return bytes;
    }

    private static PublishPacket Decode(byte[] bytes) =>
        (PublishPacket)PacketDecoder.Decode(bytes, ProtocolVersion.V5, PacketOrigin.Client, 1 << 20);

    // As the broker takes it.
    private static Message Taken(byte[] bytes)
    {
        Assert.That(PublishView.TryParse(ProtocolVersion.V5, bytes, out var view, PacketOrigin.Client), Is.True);
        var properties = new ForwardedProperties().Of(view.RawProperties, out _);
        return new Message(view.Topic, properties, view.Payload, view.Qos, view.Retain, long.MaxValue, "");
    }
}
