using MqttCheck.Broker.Core;
using MqttCheck.Broker.Faults;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Tests.Broker.Faults;

/// <summary>Each fault and disturbance does what its description says, and nothing else.</summary>
public sealed class FaultTests
{
    private BenchClient _publisher = null!,
        _subscriber = null!;
    private BrokerBench _bench = null!;

    [TestCase("lose", "0")]
    [TestCase("lose-qos0", "1 2")]
    [TestCase("duplicate", "0 0 1 2 2")]
    [TestCase("repeat-qos1", "0 1 1 2")]
    public void A_fault_changes_deliveries_of_its_quality_alone(string fault, string delivered) =>
        Assert.That(string.Join(' ', Deliver($"{fault}:1", 0, 1, 2)), Is.EqualTo(delivered));

    [Test]
    public void Wrong_qos_changes_the_quality_of_a_delivery()
    {
        Deliver("wrong-qos:1");
        for (var qos = 0; qos <= 2; qos++)
            Send("t", "x", qos);
        Assert.That(_subscriber.TakeAll().Cast<PublishPacket>().Select(p => (int)p.Qos), Is.EqualTo(new[] { 1, 0, 0 }));
    }

    [Test]
    public void Ignore_unsubscribe_answers_and_goes_on()
    {
        Deliver("ignore-unsubscribe:1");
        Assert.That(_subscriber.Unsubscribe("t").ReasonCodes, Is.EqualTo(new[] { ReasonCode.Success }));
        Send("t", "x", 0);
        Assert.That(_subscriber.TakeMessages(), Is.EqualTo(new[] { "t=x" }));
    }

    [Test]
    public void Stale_session_keeps_the_old_subscriptions_and_hides_it()
    {
        _bench = new BrokerBench(new BrokerOptions { Faults = FaultPlan.Parse("stale-session:1", "test") });
        _bench.Connect(ProtocolVersion.V5, "s", clean: false).Subscribe("t");
        var again = _bench.Connect(ProtocolVersion.V5, "s", clean: true);
        Assert.That(again.Connack!.SessionPresent, Is.False);
        _bench.Connect(ProtocolVersion.V5, "p").Publish("t", "x");
        Assert.That(again.TakeMessages(), Is.EqualTo(new[] { "t=x" }));
    }

    [Test]
    public void Refuse_answers_server_unavailable()
    {
        var client = new BrokerBench(new BrokerOptions { Faults = FaultPlan.Parse("refuse:1", "test") }).Open(
            ProtocolVersion.V311
        );
        client.Send(new ConnectPacket { ProtocolVersion = ProtocolVersion.V311, ClientId = "a" });
        Assert.That(client.Take<ConnackPacket>().ReasonCode, Is.EqualTo(ReasonCode.ServerUnavailable));
    }

    [Test]
    public void Disconnect_closes_and_slow_reader_pauses()
    {
        Deliver("slow-reader:1");
        Send("t", "x", 0);
        Assert.That(_publisher.Pauses, Is.EqualTo(1));
        var client = new BrokerBench(new BrokerOptions { Faults = FaultPlan.Parse("disconnect:1", "test") }).Connect(
            ProtocolVersion.V5,
            "a"
        );
        client.Publish("t", "x");
        Assert.That(client.CloseReason, Is.EqualTo(BrokerCloseReason.Disturbance));
    }

    [Test]
    public void Disconnect_leaves_DISCONNECT_alone_since_the_will_would_be_wrong()
    {
        var client = new BrokerBench(new BrokerOptions { Faults = FaultPlan.Parse("disconnect:1", "test") }).Connect(
            ProtocolVersion.V311,
            "a"
        );
        client.Send(new DisconnectPacket());
        Assert.That(client.CloseReason, Is.EqualTo(BrokerCloseReason.Disconnected));
    }

    [Test]
    public void A_fault_happens_as_often_as_asked()
    {
        const int messages = 20_000;
        Deliver("lose:0.1");
        for (var i = 0; i < messages; i++)
            _publisher.Publish("t", "x", 1);
        _publisher.TakeAll();
        while (_subscriber.TakeAll() is { Length: > 0 } packets)
            foreach (var packet in packets)
                _subscriber.Send(new PubackPacket(((PublishPacket)packet).PacketId));
        // Binomial(20000, 0.1) has a standard deviation of 42; five of them are exceeded for one seed in two million.
        Assert.That(messages - _bench.Core.Counters.Delivered, Is.EqualTo(2000).Within(212));
    }

    private string[] Deliver(string faults, params int[] qualities)
    {
        _bench = new BrokerBench(new BrokerOptions { Faults = FaultPlan.Parse(faults, "test"), Seed = 1 });
        _subscriber = _bench.Connect(ProtocolVersion.V5, "s");
        _subscriber.Subscribe("t", 2);
        _publisher = _bench.Connect(ProtocolVersion.V5, "p");
        foreach (var qos in qualities)
            Send("t", $"{qos}", qos);
        return [.. _subscriber.TakeAll().OfType<PublishPacket>().Select(p => p.Payload.ToText())];
    }

    private void Send(string topic, string payload, int qos)
    {
        _publisher.Publish(topic, payload, qos);
        if (qos == 2)
            _publisher.Send(new PubrelPacket(1));
    }
}
