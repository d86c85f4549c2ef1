using MqttCheck.Broker.Core;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Protocol.ProtocolVersion;

namespace MqttCheck.Tests.Broker.Core;

/// <summary>Connections come and go, each with its number and its times.</summary>
public sealed class BrokerConnectionTests
{
    private const long Second = 1_000_000_000;

    // The core makes room for 16 connections at first. MQTT 5 alone tells the clients.
    [Test]
    public void However_many_there_are_all_are_served_and_told_of_the_end(
        [Values(15, 16, 17, 40)] int count,
        [Values] bool isDismissed,
        [Values(V311, V5)] ProtocolVersion version
    )
    {
        var bench = new BrokerBench();
        var clients = Enumerable.Range(0, count).Select(i => bench.Connect(version, $"c{i}")).ToArray();
        foreach (var client in clients)
            client.Subscribe("t", 0);
        clients[0].Publish("t", "x");
        Assert.That(clients.Select(client => client.TakeMessages().Length), Is.All.EqualTo(1));
        if (isDismissed)
            bench.Core.Dismiss(bench.Now);
        else
            bench.Core.Shutdown(bench.Now);
        Assert.That(clients.Select(client => client.CloseReason), Is.All.EqualTo(BrokerCloseReason.ShuttingDown));
        Assert.That(
            clients.SelectMany(client => client.TakeAll()),
            Is.EqualTo(
                Enumerable.Repeat(new DisconnectPacket(ReasonCode.ServerShuttingDown), version == V5 ? count : 0)
            )
        );
        Assert.That(bench.Core.Counters.Connections, Is.Zero);
    }

    [Test]
    public void Bytes_of_a_connection_that_is_not_there_are_an_error_of_the_host() =>
        Assert.That(
            () => new BrokerBench().Core.Receive(3, default, 0),
            Throws.TypeOf<ArgumentOutOfRangeException>().With.Message.Contains("no such connection")
        );

    [Test]
    public void A_loss_that_is_reported_after_the_end_changes_nothing()
    {
        var bench = new BrokerBench();
        var client = bench.Connect(V5, "a", clean: false);
        client.Disconnect();
        bench.Core.Lost(client.Number, bench.Now);
        bench.Core.Drained(client.Number, bench.Now);
        Assert.That((bench.Core.Counters.Connections, bench.Core.Counters.Sessions), Is.EqualTo((0, 1)));
    }

    [Test]
    public void Before_CONNECT_nothing_is_awaited_but_CONNECT()
    {
        var client = new BrokerBench().Open(V5);
        Assert.That((client.SendBytes(), client.IsClosed, client.SendBytes(0x10)), Is.EqualTo((0, false, 0)));
        // One byte tells that it is no CONNECT (MQTT-3.1.0-1); what is left of a closed connection is consumed.
        Assert.That((client.SendBytes(0xC0), client.IsClosed), Is.EqualTo((1, true)));
    }

    [Test]
    public void What_comes_behind_DISCONNECT_is_consumed_and_has_no_effect()
    {
        var client = new BrokerBench().Connect(V5, "a");
        Assert.That(client.SendBytes(0xE0, 0, 0xC0, 0, 0xC0), Is.EqualTo(5));
        client.AssertSilent();
    }

    [Test]
    public void A_packet_may_be_as_large_as_the_broker_takes([Values(V311, V5)] ProtocolVersion version)
    {
        foreach (var excess in new[] { 0, 1 })
        {
            var client = new BrokerBench(new BrokerOptions { Limits = new BrokerLimits { PacketBytes = 100 } }).Connect(
                version,
                "a"
            );
            var bytes = PacketEncoder.Encode(
                new PublishPacket
                {
                    Topic = "t",
                    Payload = new byte[(version == V5 ? 94 : 95) + excess],
                    Qos = QualityOfService.AtMostOnce,
                },
                version
            );
            Assert.That(bytes, Has.Length.EqualTo(100 + excess));
            client.SendBytes(bytes);
            Assert.That(client.IsClosed, Is.EqualTo(excess > 0));
        }
    }

    // A code that DISCONNECT may not carry is replaced by one that says as much.
    [Test]
    public void A_second_CONNECT_of_an_unknown_level_is_an_error_of_protocol()
    {
        var client = new BrokerBench().Connect(V5, "a");
        client.SendBytes([0x10, 13, 0, 4, .. "MQTT"u8, 6, 2, 0, 0, 0, 1, (byte)'a']);
        client.AssertClosedFor(ReasonCode.ProtocolError);
    }

    // One and a half times the keep alive (MQTT-3.1.2-24; 5: MQTT-3.1.2-22), counted from the last packet.
    [Test]
    public void A_client_is_looked_at_one_and_a_half_keep_alives_after_its_last_packet(
        [Values(V311, V5)] ProtocolVersion version
    )
    {
        var bench = new BrokerBench();
        bench.Pass(2);
        var client = bench.Connect(version, "a", change: c => c with { KeepAliveSeconds = 10 });
        Assert.That(bench.Core.NextDue, Is.EqualTo(17 * Second));
        bench.Core.Receive(client.Number, [0xC0, 0], 7 * Second);
        bench.Core.Tick(17 * Second);
        Assert.That((client.IsClosed, bench.Core.NextDue), Is.EqualTo((false, 22 * Second)));
        bench.Core.Tick((22 * Second) - 1);
        Assert.That(client.IsClosed, Is.False);
        bench.Core.Tick(22 * Second);
        Assert.That(client.CloseReason, Is.EqualTo(BrokerCloseReason.Silent));
        Assert.That(
            client.TakeAll().OfType<DisconnectPacket>().Select(packet => packet.ReasonCode),
            Is.EqualTo(version == V5 ? [ReasonCode.KeepAliveTimeout] : Array.Empty<ReasonCode>())
        );
    }

    [Test]
    public void Without_keep_alive_and_without_an_end_nothing_is_due()
    {
        var bench = new BrokerBench();
        var client = bench.Connect(V5, "a", clean: false);
        Assert.That(bench.Core.NextDue, Is.EqualTo(long.MaxValue));
        client.Lose();
        Assert.That(bench.Core.NextDue, Is.EqualTo(long.MaxValue));
    }

    [Test]
    public void Inputs_bring_their_time_with_them_and_it_never_runs_backwards()
    {
        var bench = new BrokerBench();
        var core = bench.Core;
        Assert.That((core.TryOpen(5 * Second, out var number), core.NextDue), Is.EqualTo((true, 15 * Second)));
        core.Lost(number, 6 * Second);
        Assert.That((core.TryOpen(3 * Second, out _), core.NextDue), Is.EqualTo((true, 16 * Second)));
    }

    [Test]
    public void A_session_ends_so_long_after_the_time_at_which_its_connection_did([Values] bool isShutDown)
    {
        var bench = new BrokerBench();
        var client = Expiring(bench, "a", 10);
        if (isShutDown)
            bench.Core.Shutdown(5 * Second);
        else
            bench.Core.Lost(client.Number, 5 * Second);
        Assert.That(bench.Core.NextDue, Is.EqualTo(15 * Second));
    }

    [Test]
    public void What_has_expired_when_a_client_has_drained_is_not_sent()
    {
        var bench = new BrokerBench();
        var subscriber = bench.Connect(V5, "s");
        subscriber.Subscribe("t", 1);
        bench.Congested.Add(subscriber);
        bench
            .Connect(V5, "p")
            .Publish("t", "x", 1, properties: new PacketProperties { MessageExpiryIntervalSeconds = 5 });
        bench.Congested.Clear();
        bench.Core.Drained(subscriber.Number, 5 * Second);
        subscriber.AssertSilent();
    }

    // What an ended session had set must not end the one that follows it.
    [Test]
    public void The_expiry_of_a_session_is_over_when_it_is_resumed_or_replaced([Values] bool clean)
    {
        var bench = new BrokerBench();
        Expiring(bench, "a", 10).Lose();
        bench.Pass(5);
        bench.Connect(V5, "a", clean).Subscribe("t");
        Assert.That(bench.Core.NextDue, Is.EqualTo(long.MaxValue));
        bench.Pass(100);
        Assert.That((bench.Core.Counters.Sessions, bench.Core.Counters.Subscriptions), Is.EqualTo((1, 1)));
    }

    // MQTT-3.14.2-2 forbids to raise an expiry of 0, and nothing else.
    [TestCase(100u, 20u, 20)]
    [TestCase(20u, 50u, 50)]
    [TestCase(100u, 1000u, 60)]
    [TestCase(0u, 0u, 0)]
    public void DISCONNECT_changes_the_expiry_within_the_limit(uint asked, uint changed, int seconds)
    {
        var bench = new BrokerBench(new BrokerOptions { Limits = new BrokerLimits { SessionExpirySeconds = 60 } });
        var client = Expiring(bench, "a", asked);
        client.Send(
            new DisconnectPacket { Properties = new PacketProperties { SessionExpiryIntervalSeconds = changed } }
        );
        Assert.That(client.CloseReason, Is.EqualTo(BrokerCloseReason.Disconnected));
        client.AssertSilent();
        Assert.That(bench.Core.NextDue, Is.EqualTo(seconds == 0 ? long.MaxValue : seconds * Second));
    }

    private static BenchClient Expiring(BrokerBench bench, string clientId, uint seconds) =>
        bench.Connect(
            V5,
            clientId,
            clean: false,
            connect => connect with { Properties = new PacketProperties { SessionExpiryIntervalSeconds = seconds } }
        );
}
