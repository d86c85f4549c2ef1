using MqttCheck.Broker.Core;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Broker;

/// <summary>
/// Bytes that no client sends on purpose. The bench decodes every answer strictly, so it also checks that the broker
/// itself stays correct.
/// </summary>
public sealed class BrokerFuzzTests
{
    [Test]
    public void Mutated_packets_never_harm_the_broker_or_its_other_clients(
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version
    )
    {
        const int connections = 10_000;
        var random = RandomStream.For(20260103, (ulong)version);
        var bench = new BrokerBench(
            new BrokerOptions
            {
                Limits = new BrokerLimits
                {
                    Sessions = 50,
                    RetainedMessages = 20,
                    QueuedMessagesPerSession = 10,
                    ReceiveMaximum = 5,
                },
            }
        );
        var (witness, publisher) = (bench.Connect(version, "witness"), bench.Connect(version, "publisher"));
        witness.Subscribe("witness", 0);
        var templates = Templates(version);
        for (var i = 0; i < connections; i++)
        {
            var client = bench.Open(version);
            client.SendBytes(
                PacketEncoder.Encode(
                    new ConnectPacket
                    {
                        ProtocolVersion = version,
                        ClientId = $"c{random.NextInt(40)}",
                        CleanStart = random.NextInt(2) == 0,
                    },
                    version
                )
            );
            for (var packets = 0; packets < 4 && !client.IsClosed; packets++)
                client.SendBytes(Mutate(templates[random.NextInt(templates.Length)], ref random));
            bench.Pass(random.NextDouble());
            if (!client.IsClosed)
                client.Lose();
        }
        Assert.That(witness.IsClosed, Is.False);
        witness.TakeAll();
        publisher.Publish("witness", "still there");
        Assert.That(witness.TakeMessages(), Does.Contain("witness=still there"));
        Assert.That(
            bench.Core.Counters,
            Has.Property("Sessions")
                .LessThanOrEqualTo(50)
                .And.Property("RetainedMessages")
                .LessThanOrEqualTo(20)
                .And.Property("Connections")
                .EqualTo(2)
        );
    }

    private static byte[] Mutate(byte[] template, ref RandomStream random)
    {
        var bytes = (byte[])template.Clone();
        for (var changes = random.NextInt(4); changes > 0; changes--)
        {
            // A byte replaced (often by a small one, which lengths are), removed, or doubled.
            var at = random.NextInt(bytes.Length);
            bytes = random.NextInt(5) switch
            {
                0 when bytes.Length > 2 => [.. bytes[..at], .. bytes[(at + 1)..]],
                1 => [.. bytes[..at], bytes[at], .. bytes[at..]],
                2 => [.. bytes[..at], (byte)random.NextInt(8), .. bytes[(at + 1)..]],
                _ => [.. bytes[..at], (byte)random.NextInt(256), .. bytes[(at + 1)..]],
            };
        }
        return bytes;
    }

    private static byte[][] Templates(ProtocolVersion version)
    {
        var properties = new PacketProperties
        {
            MessageExpiryIntervalSeconds = 5,
            TopicAlias = 2,
            ContentType = "x",
            UserProperties = [new("a", "b")],
            CorrelationData = new byte[] { 1 },
            ResponseTopic = "r",
        };
        Packet[] packets =
        [
            new ConnectPacket
            {
                ProtocolVersion = version,
                ClientId = "c1",
                Will = new WillMessage("w", Bytes.FromText("x"), QualityOfService.AtLeastOnce, true),
                UserName = "u",
                Password = Bytes.FromText("p"),
            },
            new PublishPacket
            {
                Topic = "a/b",
                Payload = Bytes.FromText("payload"),
                Qos = QualityOfService.AtLeastOnce,
                PacketId = 3,
                Properties = properties,
            },
            new PublishPacket
            {
                Topic = "a/b",
                Payload = Bytes.FromText("payload"),
                Qos = QualityOfService.ExactlyOnce,
                PacketId = 4,
                Retain = true,
            },
            new PublishPacket
            {
                Topic = "a",
                Payload = Bytes.FromText("payload"),
                Retain = true,
                Properties = properties,
            },
            new PubackPacket(1, ReasonCode.UnspecifiedError),
            new PubrecPacket(1),
            new PubrelPacket(4),
            new PubcompPacket(1),
            new SubscribePacket(
                5,
                [
                    new("a/#", QualityOfService.ExactlyOnce),
                    new("+/b", QualityOfService.AtLeastOnce),
                    new("$share/g/a", QualityOfService.AtLeastOnce),
                ]
            )
            {
                Properties = new PacketProperties { SubscriptionIdentifiers = [300] },
            },
            new UnsubscribePacket(6, ["a/#", "x"]),
            new PingreqPacket(),
            new DisconnectPacket(ReasonCode.DisconnectWithWill),
        ];
        return [.. packets.Select(packet => PacketEncoder.Encode(packet, version))];
    }
}
