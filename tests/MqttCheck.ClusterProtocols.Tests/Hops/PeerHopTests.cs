using FsCheck;
using FsCheck.Fluent;
using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.Protocol;

namespace MqttCheck.ClusterProtocols.Tests.Hops;

/// <summary>The contract of a hop: MQTT 5, sections 4.3 and 4.4.</summary>
[TestFixture]
internal sealed class PeerHopTests
{
    private const QualityOfService Qos0 = QualityOfService.AtMostOnce;
    private const QualityOfService Qos1 = QualityOfService.AtLeastOnce;
    private const QualityOfService Qos2 = QualityOfService.ExactlyOnce;

    [Test]
    public void A_message_goes_at_its_own_quality_of_service_or_that_of_the_link_if_it_is_lower()
    {
        var bench = Connected(new HopOptions { Qos = Qos1 }).Offer(Qos0, Qos1, Qos2).Settle();
        Assert.That(
            (bench.Sent.Skip(1), bench.Received, bench.Hop.Pending),
            Is.EqualTo(((string[])["PUBLISH 0 id 0", "PUBLISH 1 id 1", "PUBLISH 2 id 2"], (int[])[0, 1, 2], 0))
        );
    }

    // Statements are PINGREQ, too: the answer to one of them says nothing of the round trip that was asked for.
    [Test]
    public void In_band_only_the_answer_to_the_ping_that_was_asked_for_is_one()
    {
        var bench = Connected(new HopOptions { InsidePings = StatementBytes.Instance });
        bench.Hop.Send(PeerMessage.Control(Bpdu.ControlKind));
        bench.Hop.Send(PeerMessage.PingWith(PeerMessage.Control(Bpdu.ControlKind)));
        bench.Hop.Send(PeerMessage.Control(Bpdu.ControlKind));
        var answers = new List<int>();
        for (var packet = 0; packet < 3; packet++)
        {
            bench.Step(there: true);
            bench.Step(there: false);
            answers.Add(bench.Sent.Count(sent => sent == "answered"));
        }
        Assert.That(answers, Is.EqualTo([0, 1, 1]));
    }

    [Test]
    public void A_QoS_2_message_takes_four_packets()
    {
        var bench = Connected(new HopOptions());
        bench.Hop.Offer(HopBench.Message(5, Qos2));
        Assert.That(
            (bench.Step(true), bench.Step(false), bench.Step(true), bench.Step(false)),
            Is.EqualTo((true, true, true, true))
        );
        Assert.That(
            (bench.UnderWay, bench.Sent.Skip(1), bench.Hop.Pending),
            Is.EqualTo((0, (string[])["PUBLISH 5 id 1", "PUBREL 1"], 0))
        );
    }

    [Test]
    public void QoS_0_without_a_connection_is_dropped_and_counted_and_others_wait_in_order()
    {
        var bench = new HopBench(new HopOptions());
        bench.Hop.Start();
        bench.Offer(Qos0, Qos2, Qos1);
        Assert.That((bench.Hop.Dropped, bench.Hop.Pending), Is.EqualTo((1, 2)));
        bench.Connect().Settle();
        Assert.That(bench.Received, Is.EqualTo([1, 2]));
    }

    [Test]
    public void No_more_than_the_window_is_in_flight_and_no_more_than_the_queue_waits()
    {
        var bench = Connected(new HopOptions { InFlight = 2, Queued = 3 }).Offer([.. Enumerable.Repeat(Qos1, 7)]);
        Assert.That((bench.UnderWay, bench.Hop.Pending, bench.Hop.Dropped), Is.EqualTo((2, 5, 2)));
        bench.Step(there: true);
        bench.Step(there: false);
        Assert.That(bench.UnderWay, Is.EqualTo(2), "an acknowledgement makes room for one");
        bench.Settle();
        Assert.That(bench.Received, Is.EqualTo([0, 1, 2, 3, 4]));
    }

    [Test]
    public void After_a_reconnect_PUBREL_and_PUBLISH_are_sent_again_and_nothing_is_received_twice_at_QoS_2()
    {
        var bench = Connected(new HopOptions()).Offer([.. Enumerable.Repeat(Qos2, 3)]);
        // The first is released, the second received, the third under way.
        bench.Step(there: true);
        bench.Step(there: false);
        bench.Step(there: true);
        bench.Break();
        bench.Sent.Clear();
        bench.Reconnect();
        Assert.That(
            bench.Sent,
            Is.EqualTo(["CONNECT 0", "PUBREL 1", "PUBLISH 1 id 2 dup", "PUBLISH 2 id 3 dup", "PUBREL 2", "PUBREL 3"])
        );
        Assert.That((bench.Received, bench.Hop.Pending, bench.Hop.Dropped), Is.EqualTo(((int[])[0, 1, 2], 0, 0)));
    }

    [Test]
    public void A_peer_that_has_lost_the_session_costs_the_window_and_what_waited_behind_it_goes_on()
    {
        var bench = Connected(new HopOptions { InFlight = 2 }).Offer([.. Enumerable.Repeat(Qos2, 3)]).Break();
        bench.Receiver.Reset();
        bench.Reconnect();
        Assert.That((bench.Received, bench.Hop.Dropped), Is.EqualTo(((int[])[2], 2)));
    }

    [Test]
    public void A_process_that_starts_begins_a_clean_session_and_later_connections_keep_it()
    {
        var bench = Connected(new HopOptions());
        Assert.That(bench.Sent, Is.EqualTo(["CONNECT 0 clean"]));
        bench.Break().Reconnect();
        Assert.That(bench.Sent[^1], Is.EqualTo("CONNECT 0"));
        bench.Hop.Start();
        bench.Connect();
        Assert.That(bench.Sent[^1], Is.EqualTo("CONNECT 0 clean"));
    }

    [Test]
    public void Pauses_double_up_to_the_longest_and_a_peer_that_shows_itself_ends_them()
    {
        var bench = new HopBench(new HopOptions { FirstPauseNanoseconds = 10, LongestPauseNanoseconds = 35 });
        bench.Hop.Start();
        var (at, pauses) = (0L, new List<long>());
        for (var attempt = 0; attempt < 4; attempt++)
        {
            bench.Hop.Closed(at);
            pauses.Add(bench.Hop.NextDue - at);
            at = bench.Hop.NextDue;
            bench.Hop.Tick(at);
        }
        Assert.That(pauses, Is.EqualTo([10, 20, 35, 35]));
        bench.Hop.Closed(at);
        var opens = bench.Opens;
        bench.Hop.PeerSeen();
        Assert.That((bench.Opens, bench.Hop.NextDue), Is.EqualTo((opens + 1, long.MaxValue)));
        bench.Hop.Closed(at);
        Assert.That(bench.Hop.NextDue, Is.EqualTo(at + 10));
    }

    [Test]
    public void Control_messages_and_pings_need_a_connection_and_an_answer_is_told()
    {
        var bench = new HopBench(new HopOptions());
        bench.Hop.Start();
        bench.Hop.Ping();
        Assert.That(bench.Sent, Is.Empty);
        bench.Connect().Settle();
        bench.Hop.Ping();
        bench.Settle();
        Assert.That(bench.Sent.Skip(1), Is.EqualTo(["PINGREQ 0", "answered"]));
    }

    /// <summary>
    /// Any order of offers, packets and broken connections between two living processes: QoS 1 at least once, QoS 2
    /// exactly once, each in the order of the first delivery.
    /// </summary>
    [Test]
    public void Across_reconnects_nothing_is_lost_and_QoS_2_repeats_nothing() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(500).WithEndSize(120).WithReplay(20261125, 27),
            Prop.ForAll(Gen.ArrayOf(Gen.Choose(0, 9)).ToArbitrary(), Reconnects)
        );

    private static bool Reconnects(int[] steps)
    {
        var bench = Connected(new HopOptions { InFlight = 4 });
        var offered = new List<(long Counter, QualityOfService Qos)>();
        foreach (var step in steps)
        {
            switch (step)
            {
                case 0 when bench.IsOpen:
                    bench.Break();
                    break;
                case 0 or 1 when !bench.IsOpen:
                    bench.Wait();
                    bench.Connect();
                    break;
                case 2 or 3 or 4:
                    offered.Add((offered.Count, step == 2 ? Qos1 : Qos2));
                    bench.Hop.Offer(HopBench.Message(offered[^1].Counter, offered[^1].Qos));
                    break;
                default:
                    bench.Step(there: step % 2 == 0);
                    break;
            }
        }
        if (!bench.IsOpen)
            bench.Reconnect();
        bench.Settle();
        Assert.That(bench.Hop.Pending, Is.Zero);
        Assert.That(bench.Received.Distinct(), Is.EqualTo(offered.Select(one => one.Counter)), "none lost, in order");
        foreach (var (counter, qos) in offered)
            if (qos == Qos2)
                Assert.That(bench.Received.Count(one => one == counter), Is.EqualTo(1), "QoS 2 repeats nothing");
        return true;
    }

    private static HopBench Connected(HopOptions options)
    {
        var bench = new HopBench(options);
        bench.Hop.Start();
        bench.Connect().Settle();
        return bench;
    }
}
