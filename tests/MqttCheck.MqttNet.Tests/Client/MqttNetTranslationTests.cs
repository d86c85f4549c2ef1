using System.Text;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.MqttNet.Client;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;
using MqttCheck.Statistics;
using MQTTnet;

namespace MqttCheck.MqttNet.Tests.Client;

/// <summary>
/// What a handler sends is what the library is given, and what the library gives is what a handler receives.
/// </summary>
public sealed class MqttNetTranslationTests
{
    // 300 packets of a fixed seed.
    [Test]
    public void A_message_there_and_back_is_the_same_packet()
    {
        var answers = new MqttNetAnswers();
        var property = Prop.ForAll(
            Gen.Choose(0, int.MaxValue - 1).ToArbitrary(),
            seed =>
            {
                var random = RandomStream.For((ulong)seed);
                var version = random.NextInt(2) == 0 ? ProtocolVersion.V311 : ProtocolVersion.V5;
                var qos = (QualityOfService)random.NextInt(3);
                var topic = Encoding.UTF8.GetBytes("prefix/ü/" + new string('t', random.NextInt(600)));
                var payload = new byte[random.NextInt(2000)];
                for (var index = 0; index < payload.Length; index++)
                    payload[index] = (byte)random.NextInt(256);
                var packet = new byte[PacketWriter.PublishLength(version, topic.Length, payload.Length, qos)];
                var id = (ushort)(1 + random.NextInt(65_535));
                PacketWriter.WritePublish(
                    packet,
                    version,
                    topic,
                    payload,
                    qos,
                    random.NextInt(2) == 0,
                    qos > 0 && random.NextInt(2) == 0,
                    id
                );

                Assert.That(PublishView.TryParse(version, packet, out var view), Is.True);
                var back = answers.Publish(MqttNetRequests.Message(view), id, version);

                Assert.That(back.ToArray(), Is.EqualTo(packet));
            }
        );
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(300).WithReplay(4711UL, 1UL), property);
    }

    [TestCase(QualityOfService.AtLeastOnce, MqttClientPublishReasonCode.Success, PacketType.Puback, ReasonCode.Success)]
    [TestCase(
        QualityOfService.AtLeastOnce,
        MqttClientPublishReasonCode.NoMatchingSubscribers,
        PacketType.Puback,
        ReasonCode.NoMatchingSubscribers
    )]
    [TestCase(
        QualityOfService.AtLeastOnce,
        MqttClientPublishReasonCode.QuotaExceeded,
        PacketType.Puback,
        ReasonCode.QuotaExceeded
    )]
    [TestCase(
        QualityOfService.ExactlyOnce,
        MqttClientPublishReasonCode.Success,
        PacketType.Pubcomp,
        ReasonCode.Success
    )]
    [TestCase(
        QualityOfService.ExactlyOnce,
        MqttClientPublishReasonCode.NoMatchingSubscribers,
        PacketType.Pubcomp,
        ReasonCode.Success
    )]
    [TestCase(
        QualityOfService.ExactlyOnce,
        MqttClientPublishReasonCode.NotAuthorized,
        PacketType.Pubrec,
        ReasonCode.NotAuthorized
    )]
    public void The_result_of_a_publication_is_its_last_acknowledgement(
        QualityOfService qos,
        MqttClientPublishReasonCode result,
        PacketType type,
        ReasonCode code
    )
    {
        var packet = new MqttNetAnswers().Acknowledgement(
            new MqttClientPublishResult(9, result, null, []),
            7,
            qos,
            ProtocolVersion.V5
        );

        Assert.That(AckView.TryParse(ProtocolVersion.V5, packet, out var ack, PacketOrigin.Server), Is.True);
        // The identifier is that of the request, not the one that the library chose on the wire.
        Assert.That((ack.Type, ack.PacketId, ack.ReasonCode), Is.EqualTo((type, (ushort)7, code)));
    }

    [TestCase(ProtocolVersion.V311)]
    [TestCase(ProtocolVersion.V5)]
    public void A_connection_that_is_accepted_offers_what_the_broker_said(ProtocolVersion version)
    {
        var result = new MqttClientConnectResult
        {
            IsSessionPresent = true,
            ReceiveMaximum = 20,
            MaximumPacketSize = 5000,
            MaximumQoS = MQTTnet.Protocol.MqttQualityOfServiceLevel.AtLeastOnce,
            WildcardSubscriptionAvailable = true,
            ServerKeepAlive = 30,
        };

        var connack = (ConnackPacket)
            PacketDecoder.Decode(MqttNetAnswers.Connack(result, version), version, PacketOrigin.Server);

        Assert.That((connack.SessionPresent, connack.ReasonCode), Is.EqualTo((true, ReasonCode.Success)));
        Assert.That(
            connack.Properties,
            Is.EqualTo(
                version == ProtocolVersion.V311
                    ? PacketProperties.Empty
                    : new PacketProperties
                    {
                        ReceiveMaximum = 20,
                        MaximumPacketSizeBytes = 5000,
                        MaximumQos = QualityOfService.AtLeastOnce,
                    }
            )
        );
    }

    [Test]
    public void A_kind_says_name_and_version_and_what_it_cannot_do()
    {
        Assert.That(MqttNetClient.Kind.ToString(), Does.Match(@"^mqttnet 5\.\d+"));
        Assert.That(
            (MqttNetClient.Kind.IsOwn, MqttNetClient.Kind.CanDropSessionWhenLeaving),
            Is.EqualTo((false, false))
        );
    }
}
