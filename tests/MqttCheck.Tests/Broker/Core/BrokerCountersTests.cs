using MqttCheck.Broker.Core;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Protocol.ProtocolVersion;

namespace MqttCheck.Tests.Broker.Core;

/// <summary>The counters tell what there is, and what was published, delivered and dropped.</summary>
public sealed class BrokerCountersTests
{
    private BrokerBench _bench = null!;

    [SetUp]
    public void Begin() => _bench = new BrokerBench();

    [Test]
    public void They_tell_what_there_is()
    {
        var client = _bench.Connect(V5, "a", clean: false);
        client.Subscribe("t/1", 0);
        client.Subscribe("t/2", 0);
        client.Publish("kept", "x", retain: true);
        _bench.Connect(V5, "b", clean: false).Lose();
        var counters = _bench.Core.Counters;
        Assert.That(
            (counters.Connections, counters.Sessions, counters.Subscriptions, counters.RetainedMessages),
            Is.EqualTo((1, 2, 2, 1))
        );
    }

    [Test]
    public void A_message_is_published_once_and_delivered_to_each_subscriber([Values(0, 1, 2)] int qos)
    {
        _bench.Connect(V5, "s1").Subscribe("t", qos);
        _bench.Connect(V5, "s2").Subscribe("t", qos);
        var publisher = _bench.Connect(V5, "p");
        publisher.Publish("t", "x", qos, 1).Publish("nobody", "x", qos, 2);
        AssertTraffic(published: 2, delivered: 2, dropped: 0);
    }

    [Test]
    public void A_repeated_QoS_2_packet_is_no_publication_and_a_will_is_one()
    {
        var publisher = _bench.Connect(
            V5,
            "p",
            change: c => c with { Will = new WillMessage("will", Bytes.FromText("gone")) }
        );
        publisher.Publish("t", "x", 2, 9).Publish("t", "x", 2, 9, duplicate: true).Lose();
        AssertTraffic(published: 2, delivered: 0, dropped: 0);
    }

    [Test]
    public void What_waits_for_a_client_that_is_away_is_delivered_later_and_QoS_0_is_dropped()
    {
        var subscriber = _bench.Connect(V5, "s", clean: false);
        subscriber.Subscribe("t", 1);
        var publisher = _bench.Connect(V5, "p");
        publisher.Publish("t", "open", 1, 1);
        subscriber.Lose();
        publisher.Publish("t", "waits", 1, 2).Publish("t", "lost", 0);
        AssertTraffic(published: 3, delivered: 1, dropped: 1);
        Assert.That(
            _bench.Connect(V5, "s", clean: false).TakeMessages(),
            Is.EqualTo(["t=open", "t=waits"]),
            "the first is sent once more"
        );
        AssertTraffic(published: 3, delivered: 3, dropped: 1);
    }

    [Test]
    public void What_is_too_large_for_a_client_is_dropped([Values(0, 1, 2)] int qos)
    {
        var subscriber = _bench.Connect(
            V5,
            "s",
            change: c => c with { Properties = new PacketProperties { MaximumPacketSizeBytes = 40 } }
        );
        subscriber.Subscribe("t", qos);
        _bench.Connect(V5, "p").Publish("t", new string('x', 100), qos);
        AssertTraffic(published: 1, delivered: 0, dropped: 1);
    }

    [Test]
    public void What_a_full_store_does_not_take_is_dropped()
    {
        _bench = new BrokerBench(new BrokerOptions { Limits = new BrokerLimits { RetainedMessages = 1 } });
        var publisher = _bench.Connect(V5, "p");
        publisher.Publish("t/1", "x", retain: true);
        AssertTraffic(published: 1, delivered: 0, dropped: 0);
        publisher.Publish("t/2", "x", retain: true);
        AssertTraffic(published: 2, delivered: 0, dropped: 1);
        Assert.That(_bench.Core.Counters.RetainedMessages, Is.EqualTo(1));
    }

    private void AssertTraffic(long published, long delivered, long dropped)
    {
        var counters = _bench.Core.Counters;
        Assert.That(
            (counters.Published, counters.Delivered, counters.Dropped),
            Is.EqualTo((published, delivered, dropped))
        );
    }
}
