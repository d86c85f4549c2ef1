using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Tests.Embedded.Judges;

/// <summary>
/// Mosquitto as the judge of packets that a client of ours sends, and our strict decoder as the judge of its answers.
/// </summary>
[Platform("Linux,MacOsX")]
public sealed class MosquittoServerTests : MosquittoFixture
{
    [Test]
    public void A_message_comes_back_as_it_was_sent(
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version,
        [Values] QualityOfService qos
    )
    {
        var topic = $"judge/{version}/{qos}";
        using var client = new RawClient(Broker.Address, version);
        Assert.That(client.Connect($"judged-{version}-{qos}").ReasonCode, Is.EqualTo(ReasonCode.Success));
        client.Send(
            new SubscribePacket(7, [new SubscriptionRequest(topic, QualityOfService.ExactlyOnce)])
            {
                Properties =
                    version == ProtocolVersion.V5
                        ? new PacketProperties { SubscriptionIdentifiers = [268_435_455] }
                        : PacketProperties.Empty,
            }
        );
        Assert.That(client.Receive<SubackPacket>(), Is.EqualTo(new SubackPacket(7, [ReasonCode.GrantedQos2])));
        var properties =
            version == ProtocolVersion.V311
                ? PacketProperties.Empty
                : new PacketProperties
                {
                    PayloadFormatIndicator = PayloadFormat.Utf8,
                    ContentType = "text/plain",
                    ResponseTopic = "answers/here",
                    CorrelationData = new byte[] { 0, 255, 1 },
                    UserProperties = [new("name", "value"), new("name", "ü"), new("", "")],
                };
        var id = qos == QualityOfService.AtMostOnce ? (ushort)0 : (ushort)65535;
        client.Send(
            new PublishPacket
            {
                Topic = topic,
                Payload = Bytes.FromText("ü, whole"),
                Qos = qos,
                PacketId = id,
                Properties = properties,
            }
        );

        var delivered = Exchange(client, qos, id);
        Assert.That(
            (delivered.Topic, delivered.Payload.ToText(), delivered.Qos, delivered.Retain, delivered.Duplicate),
            Is.EqualTo((topic, "ü, whole", qos, false, false))
        );
        Assert.That(
            delivered.Properties,
            Is.EqualTo(
                version == ProtocolVersion.V5 ? properties with { SubscriptionIdentifiers = [268_435_455] } : properties
            )
        );

        client.Send(new UnsubscribePacket(8, [topic]));
        Assert.That(client.Receive<UnsubackPacket>().PacketId, Is.EqualTo(8));
        client.Send(new PingreqPacket());
        client.Receive<PingrespPacket>();
        client.Send(new DisconnectPacket());
        Assert.That(client.Receive(), Is.Null);
    }

    [Test]
    public void Will_retained_message_and_session_are_understood(
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version
    )
    {
        var topic = $"will/{version}";
        var isV5 = version == ProtocolVersion.V5;
        var connect = new ConnectPacket
        {
            ProtocolVersion = version,
            ClientId = $"mortal-{version}",
            CleanStart = false,
            KeepAliveSeconds = 30,
            Will = new WillMessage(topic, Bytes.FromText("gone"), QualityOfService.AtLeastOnce, Retain: true)
            {
                Properties = isV5
                    ? new PacketProperties { ContentType = "text/plain", WillDelayIntervalSeconds = 0 }
                    : PacketProperties.Empty,
            },
            Properties = isV5
                ? new PacketProperties { SessionExpiryIntervalSeconds = 60, ReceiveMaximum = 10 }
                : PacketProperties.Empty,
        };
        using var witness = RawClient.Connected($"witness-{version}", Broker.Address, version);
        witness.Subscribe(topic, 1);
        using (var mortal = new RawClient(Broker.Address, version))
        {
            mortal.Send(connect);
            Assert.That(mortal.Receive<ConnackPacket>().SessionPresent, Is.False);
        }
        Assert.That(witness.Receive<PublishPacket>().Payload.ToText(), Is.EqualTo("gone"));
        using var again = new RawClient(Broker.Address, version);
        again.Send(connect with { Will = null });
        Assert.That(again.Receive<ConnackPacket>().SessionPresent, Is.True);
        again.Send(new SubscribePacket(1, [new SubscriptionRequest(topic, QualityOfService.AtMostOnce)]));
        again.Receive<SubackPacket>();
        Assert.That(again.Receive<PublishPacket>().Retain, Is.True);
        again.Send(new PublishPacket { Topic = topic, Retain = true });
        Assert.That(again.Receive<PublishPacket>().Payload.IsEmpty, Is.True);
    }

    // Finishes both directions, in whatever order their packets come, and gives what was delivered.
    private static PublishPacket Exchange(RawClient client, QualityOfService qos, ushort id)
    {
        PublishPacket? delivered = null;
        for (var (isSent, isReceived) = (qos == QualityOfService.AtMostOnce, false); !(isSent && isReceived); )
        {
            switch (client.Receive())
            {
                case PubackPacket ack:
                    Assert.That((ack.PacketId, qos), Is.EqualTo((id, QualityOfService.AtLeastOnce)));
                    isSent = true;
                    break;
                case PubrecPacket received:
                    Assert.That(received, Is.EqualTo(new PubrecPacket(id)));
                    client.Send(new PubrelPacket(id));
                    break;
                case PubcompPacket complete:
                    Assert.That(complete, Is.EqualTo(new PubcompPacket(id)));
                    isSent = true;
                    break;
                case PublishPacket message:
                    delivered = message;
                    isReceived = message.Qos != QualityOfService.ExactlyOnce;
                    if (message.Qos == QualityOfService.AtLeastOnce)
                        client.Send(new PubackPacket(message.PacketId));
                    if (message.Qos == QualityOfService.ExactlyOnce)
                        client.Send(new PubrecPacket(message.PacketId));
                    break;
                case PubrelPacket release:
                    client.Send(new PubcompPacket(release.PacketId));
                    isReceived = true;
                    break;
                case var other:
                    Assert.Fail($"unexpected: {other}");
                    break;
            }
        }
        return delivered!;
    }
}
