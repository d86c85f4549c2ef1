using MqttCheck.Clusters.Monitors;

namespace MqttCheck.Clusters.Tests.Monitors;

[TestFixture]
internal sealed class ProbeMonitorTests
{
    private const int Interval = 100;

    [Test]
    public void Probes_that_all_arrive_show_no_gap_and_a_repair_at_once() =>
        Assert.That(Run(broken: (-1, -1), fault: (5_000, 6_000, 0, 1)), Is.EqualTo((0L, 0L)));

    // Node 2 dies at 5 s; the pair of the two others is broken from then to 8 s. The last working probe came at 4.901 s
    // and the next one at 8.001 s.
    [Test]
    public void A_gap_after_a_node_fault_is_the_blackout_and_its_end_the_repair() =>
        Assert.That(Run(broken: (5_000, 8_000), fault: (5_000, null, 2, -1)), Is.EqualTo((3_001L, 3_100L)));

    [Test]
    public void A_cluster_that_never_works_again_has_no_repair() =>
        Assert.That(Run(broken: (5_000, 20_000), fault: (5_000, null, 2, -1)), Is.EqualTo(((long?)null, 15_099L)));

    [Test]
    public void The_pairs_of_a_dead_node_do_not_count_while_it_is_dead()
    {
        Assert.That(Run(broken: (5_000, 8_000), fault: (5_000, 8_000, 1, -1)), Is.EqualTo((0L, 0L)));
        Assert.That(
            Run(broken: (5_000, 9_000), fault: (5_000, 8_000, 1, -1)),
            Is.EqualTo((1_001L, 1_001L)),
            "it is back at 8 s and works at 9 s"
        );
    }

    [Test]
    public void A_node_that_comes_back_after_the_last_probe_has_no_repair_that_could_be_seen() =>
        Assert.That(Run(broken: (5_000, 6_000), fault: (5_000, 20_500, 2, -1)), Is.EqualTo((1_001L, 1_100L)));

    [Test]
    public void A_link_that_heals_is_repaired_from_there() =>
        Assert.That(Run(broken: (5_000, 9_000), fault: (5_000, 8_000, 0, 1)), Is.EqualTo((1_001L, 4_100L)));

    [Test]
    public void Probes_that_wait_behind_a_link_and_still_come_in_time_do_not_shorten_the_blackout()
    {
        // A bridge that is down for 5 s hands on what it has kept: the probes of the last second come in time.
        var tape = new EventTape().Fault(5_000, 10_000, 0, 1);
        for (var at = 0; at < 20_000; at += Interval)
            tape.Probe(at, at, 0, 1, arrives: at is >= 5_000 and < 10_000 ? 10_000 : at + 1);
        Assert.That(Measure(tape), Is.EqualTo((0L, 5_099L)));
    }

    [TestCase(9_500, ExpectedResult = false)]
    [TestCase(5_000, ExpectedResult = true)]
    public bool A_service_is_lost_when_no_pair_works_at_the_end(int brokenFrom)
    {
        var tape = new EventTape().Fault(5_000, null, 2);
        for (var at = 0; at < 10_000; at += Interval)
            tape.Probe(at, at, 0, 1, arrives: at >= brokenFrom ? null : at + 1);
        return Monitor(tape).IsServiceLost(10_000 * EventTape.Millisecond);
    }

    [Test]
    public void The_time_with_fewer_than_two_nodes_up_is_known()
    {
        var monitor = Monitor(Tape((5_000, 8_000), (5_000, 8_000, 1, -1)));
        Assert.That(monitor.Unwatched(20_000 * EventTape.Millisecond) / EventTape.Millisecond, Is.EqualTo(3_000));
        Assert.That(monitor.Unwatched(7_000 * EventTape.Millisecond) / EventTape.Millisecond, Is.EqualTo(2_000));
    }

    [Test]
    public void Work_that_breaks_without_a_fault_later_is_repaired_from_there()
    {
        var tape = Tape((5_000, 6_000), (5_000, null, 2, -1));
        tape.Events.RemoveAll(probe =>
            probe.Nanoseconds / EventTape.Millisecond is >= 12_000 and < 14_000 && probe.Peer >= 0 && probe.Message >= 0
        );
        Assert.That(Measure(tape), Is.EqualTo((2_100L, 2_100L)));
    }

    // A node that dies without a word is no fault of the plan, and its pairs are silent all the same.
    [TestCase(5_000, 20_000, null, 15_099)]
    [TestCase(5_000, 8_000, 3_100, 3_100)]
    public void A_gap_that_no_fault_explains_has_a_repair_of_its_own(int from, int to, int? repair, int blackout)
    {
        var tape = new EventTape();
        for (var at = 0; at < 20_000; at += Interval)
            tape.Probe(at, at, 0, 1, arrives: at >= from && at < to ? null : at + 1);
        Assert.That(Measure(tape), Is.EqualTo(((long?)repair, (long)blackout)));
    }

    [Test]
    public void A_probe_that_comes_too_late_does_not_work_and_is_not_counted()
    {
        var tape = new EventTape();
        for (var at = 0; at < 10_000; at += Interval)
            tape.Probe(at, at, 0, 1, arrives: at is >= 3_000 and < 5_000 ? at + 1_001 : at + 999);
        Assert.That(Measure(tape, end: 10_000).Blackout, Is.EqualTo(2_100));
    }

    // Two nodes that probe each other for 20 s; while it is broken the probes of one direction are lost.
    private static (long? Repair, long Blackout) Run(
        (int From, int To) broken,
        (int Begin, int? End, int Node, int Peer) fault
    ) => Measure(Tape(broken, fault));

    private static EventTape Tape((int From, int To) broken, (int Begin, int? End, int Node, int Peer) fault)
    {
        var tape = new EventTape().Fault(fault.Begin, fault.End, fault.Node, fault.Peer);
        for (var at = 0; at < 20_000; at += Interval)
        {
            tape.Probe(at, 2 * at, 0, 1, arrives: at >= broken.From && at < broken.To ? null : at + 1);
            tape.Probe(at, 2 * at + 1, 1, 0, arrives: at + 1);
        }
        return tape;
    }

    private static (long? Repair, long Blackout) Measure(EventTape tape, long end = 20_000)
    {
        var (monitor, nanoseconds) = (Monitor(tape), end * EventTape.Millisecond);
        return (
            monitor.Repair(nanoseconds) / EventTape.Millisecond,
            monitor.Blackout(nanoseconds) / EventTape.Millisecond
        );
    }

    private static ProbeMonitor Monitor(EventTape tape)
    {
        var monitor = new ProbeMonitor(Interval * EventTape.Millisecond);
        foreach (var clusterEvent in tape.InOrder())
            monitor.Add(clusterEvent);
        return monitor;
    }
}
