using MqttCheck.Broker.Faults;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Tests.Broker.Faults.WrongCore;

namespace MqttCheck.Tests.Broker.Faults;

/// <summary>Each wrong core treats sessions and connections wrongly in its one way, and is right otherwise.</summary>
[TestFixture]
internal sealed class WrongSessionsTests
{
    [TestCase(BrokerMutant.DisconnectExpiryIgnored, "1 2")]
    [TestCase(BrokerMutant.DisconnectZeroIgnored, "1 1")]
    public void The_expiry_of_DISCONNECT_is_ignored(BrokerMutant mutant, string wrong) =>
        Differs(
            mutant,
            "0 0",
            wrong,
            bench =>
            {
                Leave(bench.Join("zero", 100), 0);
                var left = bench.Core.Counters.Sessions;
                bench.Pass(50);
                Leave(bench.Join("short", 100), 20);
                bench.Pass(30);
                return $"{left} {bench.Core.Counters.Sessions}";
            }
        );

    // A connection without CONNECT has no keep alive, and ends all the same.
    [Test]
    public void A_silent_client_stays() =>
        Differs(
            BrokerMutant.KeepAliveIgnored,
            "True True",
            "False True",
            bench =>
            {
                var (client, stranger) = (bench.Join("a", keepAlive: 10), bench.Open(ProtocolVersion.V5));
                bench.Pass(16);
                return $"{client.IsClosed} {stranger.IsClosed}";
            }
        );

    [Test]
    public void PINGREQ_is_no_activity() =>
        Differs(
            BrokerMutant.PingIsNoActivity,
            "False False",
            "True False",
            bench =>
            {
                var (pings, busy) = (bench.Join("pings", keepAlive: 10), bench.Join("busy", keepAlive: 10));
                for (var i = 0; i < 3; i++)
                {
                    bench.Pass(8);
                    if (!pings.IsClosed)
                        pings.Send(new PingreqPacket());
                    busy.Publish("t", "x");
                }
                return $"{pings.IsClosed} {busy.IsClosed}";
            }
        );

    [Test]
    public void What_is_sent_to_a_client_keeps_it_alive() =>
        Differs(
            BrokerMutant.SendingIsActivity,
            "True",
            "False",
            bench =>
            {
                var client = bench.Join("a", keepAlive: 10);
                client.Subscribe("t");
                var publisher = bench.Join("p");
                for (ushort i = 1; i <= 3; i++)
                {
                    bench.Pass(6);
                    publisher.Publish("t", "x", 1, i);
                }
                return $"{client.IsClosed}";
            }
        );

    [Test]
    public void A_take_over_is_silent() =>
        Differs(
            BrokerMutant.SilentTakeOver,
            "1",
            "0",
            bench =>
            {
                var first = bench.Join("a");
                bench.Join("a");
                return $"{first.TakeAll().Length}";
            }
        );

    // A 3.1.1 server sends no DISCONNECT at all, so that the bench cannot even read this one.
    [Test]
    public void A_client_of_MQTT_3_1_1_gets_DISCONNECT()
    {
        foreach (var mutant in new[] { BrokerMutant.None, BrokerMutant.DisconnectTold311 })
        {
            var bench = Bench(mutant);
            bench.Connect(ProtocolVersion.V311, "a");
            if (mutant == BrokerMutant.None)
                bench.Connect(ProtocolVersion.V311, "a");
            else
                Assert.That(() => bench.Connect(ProtocolVersion.V311, "a"), Throws.InstanceOf<ProtocolException>());
            Assert.That(
                bench.Outputs.Any(output => output.StartsWith("0 E0", StringComparison.Ordinal)),
                Is.EqualTo(mutant != BrokerMutant.None)
            );
        }
    }

    [Test]
    public void A_session_with_an_expiry_never_ends() =>
        Differs(BrokerMutant.SessionExpiryIgnored, "0", "1", bench => Left(bench, 11, 10));

    // An expiry of 10 s is none of those below.
    [Test]
    public void A_session_with_a_short_expiry_ends_at_once() =>
        Differs(BrokerMutant.ShortSessionEndsAtOnce, "2", "1", bench => Left(bench, 0, 9, 10));

    [Test]
    public void A_session_without_end_ends_with_its_connection() =>
        Differs(
            BrokerMutant.NoEndAsZero,
            "3",
            "2",
            bench =>
            {
                bench.Connect(ProtocolVersion.V311, "old", clean: false).Lose();
                return Left(bench, 0, uint.MaxValue, 10);
            }
        );

    // Sessions without an end, or without a life of their own, have no such timer.
    [Test]
    public void The_expiry_begins_with_the_connection() =>
        Differs(
            BrokerMutant.ExpiryFromConnect,
            "True True True True",
            "False True True True",
            bench =>
            {
                var clients = new[] { bench.Join("short", 10), bench.Join("none", 0), bench.Join("endless") };
                foreach (var client in clients)
                    client.Subscribe("t", 0);
                bench.Pass(11);
                bench.Join("p").Publish("t", "x");
                return string.Join(' ', clients.Select(client => client.HasReceived))
                    + $" {bench.Core.NextDue == long.MaxValue}";
            }
        );

    [Test]
    public void A_session_is_never_present() =>
        Differs(
            BrokerMutant.SessionNeverPresent,
            "True",
            "False",
            bench =>
            {
                bench.Join("a").Lose();
                return $"{bench.Join("a").Connack!.SessionPresent}";
            }
        );

    [TestCase(BrokerMutant.SubscriptionsLostOnResume, "")]
    [TestCase(BrokerMutant.OptionsLostOnResume, "own:live::1 other:live::1")]
    public void A_resumed_session_loses_subscriptions_or_their_options(BrokerMutant mutant, string wrong) =>
        Differs(
            mutant,
            "other:kept:7:1",
            wrong,
            bench =>
            {
                var client = bench.Join("a");
                client.Subscribe("t", 1, identifier: 7, noLocal: true, asPublished: true);
                client.Lose();
                client = bench.Join("a");
                client.Publish("t", "own", 1, retain: true);
                bench.Join("b").Publish("t", "other", 1, retain: true);
                return client.Details();
            }
        );

    [Test]
    public void A_resumed_session_gets_the_retained_messages_again() =>
        Differs(
            BrokerMutant.RetainedOnResume,
            "",
            "x",
            bench =>
            {
                bench.Join("p").Publish("t", "x", retain: true);
                var client = bench.Join("a");
                client.Subscribe("t", 0);
                client.TakeAll();
                client.Subscribe("$share/g/t", 0);
                client.Lose();
                return bench.Join("a").Payloads();
            }
        );

    private static void Leave(BenchClient client, uint expiry) =>
        client.Send(
            new DisconnectPacket { Properties = new PacketProperties { SessionExpiryIntervalSeconds = expiry } }
        );

    // How many sessions are left so many seconds after their connections were lost.
    private static string Left(BrokerBench bench, double seconds, params uint[] expiries)
    {
        foreach (var expiry in expiries)
            bench.Join($"expires {expiry}", expiry).Lose();
        bench.Pass(seconds);
        return $"{bench.Core.Counters.Sessions}";
    }
}
