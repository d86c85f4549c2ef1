using MqttCheck.Broker.Core;
using MqttCheck.Broker.Faults;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Protocol.ProtocolVersion;

namespace MqttCheck.Tests.Broker.Faults;

/// <summary>A core with an unusual habit uses one freedom of the standard, and no other.</summary>
[TestFixture]
internal sealed class BrokerHabitsTests
{
    [TestCase(BrokerHabits.None, "1+2:1")]
    [TestCase(BrokerHabits.LowerGrant, "1+2:1")]
    [TestCase(BrokerHabits.OneCopyEach, "1:0 2:1")]
    [TestCase(BrokerHabits.OneCopyEach | BrokerHabits.EndsUntold, "1:0 2:1")]
    public void Overlapping_subscriptions_make_one_copy_or_one_each(BrokerHabits habits, string expected)
    {
        var bench = Bench(habits);
        var client = bench.Connect(V5, "s");
        client.Subscribe("a/#", 0, identifier: 1);
        client.Subscribe("a/b", 1, identifier: 2);
        bench.Connect(V5, "p").Publish("a/b", "x", 1);
        Assert.That(
            client
                .TakeAll()
                .Cast<PublishPacket>()
                .Select(copy => $"{string.Join('+', copy.Properties.SubscriptionIdentifiers.Order())}:{(int)copy.Qos}"),
            Is.EquivalentTo(expected.Split(' '))
        );
    }

    // Acknowledgements find their messages under the scattered identifiers, too.
    [TestCase(BrokerHabits.None, new[] { 1, 2, 3 })]
    [TestCase(BrokerHabits.ScatteredIdentifiers, new[] { 128, 256, 384 })]
    public void Packet_identifiers_are_small_or_scattered(BrokerHabits habits, int[] expected)
    {
        var bench = Bench(habits);
        var client = bench.Connect(
            V5,
            "s",
            change: c => c with { Properties = new PacketProperties { ReceiveMaximum = 1 } }
        );
        client.Subscribe("t", 2);
        var publisher = bench.Connect(V5, "p");
        for (ushort i = 1; i <= 3; i++)
            publisher.Publish("t", "x", 2, i);
        var seen = new List<int>();
        while (client.HasReceived)
        {
            var id = client.Take<PublishPacket>().PacketId;
            seen.Add(id);
            client.Send(new PubrecPacket(id));
            Assert.That(client.Take<PubrelPacket>(), Is.EqualTo(new PubrelPacket(id)));
            client.Send(new PubcompPacket(id));
        }
        Assert.That(seen, Is.EqualTo(expected));
    }

    [TestCase(BrokerHabits.None, "0 1 2")]
    [TestCase(BrokerHabits.LowerGrant, "0 1 1")]
    public void QoS_2_is_granted_or_QoS_1(BrokerHabits habits, string expected)
    {
        var bench = Bench(habits);
        var client = bench.Connect(V5, "s");
        var granted = Enumerable.Range(0, 3).Select(qos => (int)client.Subscribe("t", qos).ReasonCodes[0]).ToArray();
        bench.Connect(V5, "p").Publish("t", "x", 2);
        Assert.That(string.Join(' ', granted), Is.EqualTo(expected));
        Assert.That((int)client.Take<PublishPacket>().Qos, Is.EqualTo(granted[2]));
    }

    // A client that is taken over has to be told all the same.
    [TestCase(BrokerHabits.None, "1 1")]
    [TestCase(BrokerHabits.EndsUntold, "0 1")]
    public void Connections_end_with_DISCONNECT_or_without(BrokerHabits habits, string expected)
    {
        var bench = Bench(habits);
        var (bad, taken) = (bench.Connect(V5, "bad"), bench.Connect(V5, "taken"));
        bad.SendBytes(0x36, 5, 0, 1, (byte)'t', 0, 1);
        bench.Connect(V5, "taken");
        Assert.That(
            $"{bad.TakeAll().OfType<DisconnectPacket>().Count()} {taken.TakeAll().OfType<DisconnectPacket>().Count()}",
            Is.EqualTo(expected)
        );
        Assert.That(
            (bad.CloseReason, taken.CloseReason),
            Is.EqualTo((BrokerCloseReason.ProtocolError, BrokerCloseReason.TakenOver))
        );
    }

    private static BrokerBench Bench(BrokerHabits habits) => new(new BrokerOptions { Habits = habits });
}
