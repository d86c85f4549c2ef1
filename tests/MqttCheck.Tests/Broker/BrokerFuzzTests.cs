using MqttCheck.Broker.Core;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using MqttCheck.Statistics;
using MqttCheck.Tests.Protocol.Fuzzing;

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
                client.SendBytes(PacketMutator.Next(ref random));
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
}
