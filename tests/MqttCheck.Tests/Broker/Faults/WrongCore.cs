using MqttCheck.Broker.Core;
using MqttCheck.Broker.Faults;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Tests.Broker.Faults;

/// <summary>The same play against the core as it is, and against one that does one thing wrong on purpose.</summary>
internal static class WrongCore
{
    public static BrokerBench Bench(BrokerMutant mutant) => new(new BrokerOptions { Mutant = mutant });

    /// <summary>The play ends differently on the two cores, and as it should on each.</summary>
    public static void Differs(BrokerMutant mutant, string right, string wrong, Func<BrokerBench, string> play)
    {
        Assert.That(play(new BrokerBench()), Is.EqualTo(right), "the core as it is");
        Assert.That(play(Bench(mutant)), Is.EqualTo(wrong), $"the core with {mutant}");
    }

    /// <summary>An MQTT 5 client whose session outlives its connection, without end unless told otherwise.</summary>
    public static BenchClient Join(
        this BrokerBench bench,
        string clientId,
        uint expiry = uint.MaxValue,
        bool clean = false,
        WillMessage? will = null,
        ushort keepAlive = 0,
        ushort? receiveMaximum = null
    ) =>
        bench.Connect(
            ProtocolVersion.V5,
            clientId,
            clean,
            connect =>
                connect with
                {
                    Will = will,
                    KeepAliveSeconds = keepAlive,
                    Properties = new PacketProperties
                    {
                        SessionExpiryIntervalSeconds = expiry,
                        ReceiveMaximum = receiveMaximum,
                    },
                }
        );

    /// <summary>A will of one word that waits for so many seconds.</summary>
    public static WillMessage Will(string payload, uint delay = 0, bool retain = false) =>
        new("will", Bytes.FromText(payload), Retain: retain)
        {
            Properties = new PacketProperties
            {
                WillDelayIntervalSeconds = delay == 0 ? null : delay,
                ContentType = "text",
            },
        };

    /// <summary>Messages 1, 2 and so on to the topic t, under the identifiers 1, 2 and so on.</summary>
    public static void PublishSome(this BenchClient client, int count, int qos = 1)
    {
        for (ushort i = 1; i <= count; i++)
            client.Publish("t", $"{i}", qos, i);
    }

    public static PublishPacket[] Deliveries(this BenchClient client) => [.. client.TakeAll().OfType<PublishPacket>()];

    /// <summary>The payloads that have come and were not taken yet.</summary>
    public static string Payloads(this BenchClient client) =>
        string.Join(' ', client.Deliveries().Select(packet => packet.Payload.ToText()));

    /// <summary>Payload, RETAIN, subscription identifiers and QoS of what has come.</summary>
    public static string Details(this BenchClient client) =>
        string.Join(
            ' ',
            client
                .Deliveries()
                .Select(packet =>
                    $"{packet.Payload.ToText()}:{(packet.Retain ? "kept" : "live")}:"
                    + $"{string.Join('+', packet.Properties.SubscriptionIdentifiers)}:{(int)packet.Qos}"
                )
        );
}
