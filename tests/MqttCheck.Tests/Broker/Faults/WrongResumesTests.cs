using MqttCheck.Broker.Faults;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Tests.Broker.Faults.WrongCore;

namespace MqttCheck.Tests.Broker.Faults;

/// <summary>Each wrong core loses or spoils in its one way what a session has open, or what waits for it.</summary>
[TestFixture]
internal sealed class WrongResumesTests
{
    [TestCase(BrokerMutant.QueueLost, ", 3 dropped")]
    [TestCase(BrokerMutant.QueueReversed, "3 2 1, 0 dropped")]
    public void What_waited_is_lost_or_reversed(BrokerMutant mutant, string wrong) =>
        Differs(
            mutant,
            "1 2 3, 0 dropped",
            wrong,
            bench =>
            {
                var subscriber = Subscriber(bench, 1);
                subscriber.Lose();
                bench.Join("p").PublishSome(3);
                return $"{bench.Join("s").Payloads()}, {bench.Core.Counters.Dropped} dropped";
            }
        );

    // With nothing that waits there is nothing to turn round.
    [Test]
    public void A_session_without_a_queue_is_resumed_by_a_core_that_reverses_queues()
    {
        var bench = Bench(BrokerMutant.QueueReversed);
        bench.Join("s").Lose();
        Assert.That(bench.Join("s").Connack!.SessionPresent, Is.True);
    }

    [TestCase(BrokerMutant.InFlightForgotten, "", "")]
    [TestCase(BrokerMutant.ResendReversed, "3 2 1", "DDD")]
    [TestCase(BrokerMutant.ResendWithoutDup, "1 2 3", "---")]
    public void What_was_sent_is_not_sent_again_or_wrongly(BrokerMutant mutant, string payloads, string flags) =>
        Differs(
            mutant,
            "1 2 3 DDD",
            $"{payloads} {flags}",
            bench =>
            {
                var subscriber = Subscriber(bench, 1);
                bench.Join("p").PublishSome(3);
                subscriber.Lose();
                var again = bench.Join("s").Deliveries();
                return $"{string.Join(' ', again.Select(packet => packet.Payload.ToText()))} {Flags(again)}";
            }
        );

    [Test]
    public void Open_PUBREL_packets_are_not_sent_again() =>
        Differs(
            BrokerMutant.PubrelNotResumed,
            "1",
            "0",
            bench =>
            {
                var subscriber = Subscriber(bench, 2);
                bench.Join("p").PublishSome(1, qos: 2);
                subscriber.Send(new PubrecPacket(subscriber.Take<PublishPacket>().PacketId));
                subscriber.Lose();
                return $"{bench.Join("s").TakeAll().OfType<PubrelPacket>().Count()}";
            }
        );

    [Test]
    public void Receive_Maximum_is_ignored_on_a_resume() =>
        Differs(
            BrokerMutant.WindowIgnoredOnResume,
            "1",
            "1 2 3",
            bench =>
            {
                Subscriber(bench, 1).Lose();
                bench.Join("p").PublishSome(3);
                return bench.Join("s", receiveMaximum: 1).Payloads();
            }
        );

    [Test]
    public void Received_QoS_2_identifiers_are_forgotten_on_a_resume() =>
        Differs(
            BrokerMutant.ReceivedQos2Forgotten,
            "x",
            "x x",
            bench =>
            {
                var subscriber = Subscriber(bench, 0);
                var publisher = bench.Join("p");
                publisher.Publish("t", "x", 2, 9);
                publisher.Lose();
                bench.Join("p").Publish("t", "x", 2, 9, duplicate: true);
                return subscriber.Payloads();
            }
        );

    [Test]
    public void Received_QoS_2_identifiers_outlive_a_clean_start() =>
        Differs(
            BrokerMutant.CleanStartKeepsReceived,
            "old new",
            "old",
            bench =>
            {
                var subscriber = Subscriber(bench, 0);
                var publisher = bench.Join("p");
                publisher.Publish("t", "old", 2, 9);
                publisher.Lose();
                bench.Join("p", clean: true).Publish("t", "new", 2, 9);
                return subscriber.Payloads();
            }
        );

    [Test]
    public void What_waited_outlives_a_clean_start() =>
        Differs(
            BrokerMutant.CleanStartKeepsQueue,
            "",
            "1 2",
            bench =>
            {
                Subscriber(bench, 1).Lose();
                bench.Join("p").PublishSome(2);
                return bench.Join("s", clean: true).Payloads();
            }
        );

    [TestCase(BrokerMutant.DupAfterAbsence, "DD -")]
    [TestCase(BrokerMutant.DupBehindWindow, "-- D")]
    public void DUP_is_set_on_what_waited(BrokerMutant mutant, string wrong) =>
        Differs(
            mutant,
            "-- -",
            wrong,
            bench =>
            {
                Subscriber(bench, 1).Lose();
                var slow = bench.Join("slow", receiveMaximum: 1);
                slow.Subscribe("t", 1);
                bench.Join("p").PublishSome(2);
                slow.Send(new PubackPacket(slow.Take<PublishPacket>().PacketId));
                return $"{Flags(bench.Join("s").Deliveries())} {Flags(slow.Deliveries())}";
            }
        );

    // The head of a queue counts as such on a resume only.
    [TestCase(BrokerMutant.ExpiredQueueSent, "short brief long, short")]
    [TestCase(BrokerMutant.ExpiredHeadSent, "short long, long")]
    [TestCase(BrokerMutant.QueueStallsAtExpired, ", ")]
    public void Expired_messages_in_a_queue_are_sent_or_stop_it(BrokerMutant mutant, string wrong) =>
        Differs(
            mutant,
            "long, long",
            wrong,
            bench =>
            {
                Subscriber(bench, 1).Lose();
                var slow = bench.Join("slow", receiveMaximum: 1);
                slow.Subscribe("first", 1);
                slow.Subscribe("t", 1);
                var publisher = bench.Join("p");
                publisher.Publish("first", "first", 1, 1);
                foreach (var (payload, expiry) in new[] { ("short", 5u), ("brief", 5u), ("long", 50u) })
                    publisher.Publish(
                        "t",
                        payload,
                        1,
                        2,
                        properties: new PacketProperties { MessageExpiryIntervalSeconds = expiry }
                    );
                bench.Pass(6);
                slow.Send(new PubackPacket(slow.Take<PublishPacket>().PacketId));
                return $"{bench.Join("s").Payloads()}, {slow.Payloads()}";
            }
        );

    private static BenchClient Subscriber(BrokerBench bench, int qos)
    {
        var subscriber = bench.Join("s");
        subscriber.Subscribe("t", qos);
        return subscriber;
    }

    private static string Flags(IEnumerable<PublishPacket> packets) =>
        string.Concat(packets.Select(packet => packet.Duplicate ? 'D' : '-'));
}
