using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Monitors.Retained;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Tests.Monitors;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Clusters.Topologies.Sessions;

namespace MqttCheck.Clusters.Tests.Properties;

[TestFixture]
internal sealed class ClusterOutcomeRecorderTests
{
    [Test]
    public void An_acknowledgement_has_a_time_and_one_that_never_came_an_infinite_one()
    {
        var tape = new EventTape()
            .Published(2_000, 1, "t")
            .Published(3_000, 2, "t", isAcknowledged: false)
            .Published(4_000, 3, "t")
            .Published(5_000, 4, "t", qos: 0, isAcknowledged: false);
        var recorder = new ClusterOutcomeRecorder(TimeSpan.FromSeconds(1), null, []);
        foreach (var clusterEvent in tape.InOrder())
        {
            var late = clusterEvent.Kind == ClusterEventKind.Acknowledged ? 7 * EventTape.Millisecond : 0;
            recorder.Add(clusterEvent with { Nanoseconds = clusterEvent.Nanoseconds + late }, isProbe: false);
        }
        var times = recorder
            .End(60_000 * EventTape.Millisecond, 60_000 * EventTape.Millisecond)
            .AcknowledgementMilliseconds;
        Assert.That(times, Is.EqualTo([7, double.PositiveInfinity, 7]));
    }

    // Member 1 of the group leaves a message to nobody, and the load has none at all.
    [Test]
    public void Clients_of_sessions_are_judged_by_their_monitors_and_count_in_no_quantity()
    {
        var topology = TopologyFile.Read("pipeline-p2p") with
        {
            Scenario = new ClusterScenario { Sessions = new SessionLoad(SharedSubscriptions: 1, TakeOvers: 0) },
        };
        var monitors = RunMonitors.Of(topology, TimeSpan.FromSeconds(5), boundNanoseconds: 0, startNanoseconds: 0);
        var recorder = new ClusterOutcomeRecorder(TimeSpan.FromSeconds(1), null, monitors);
        foreach (var one in new EventTape().Subscribed(0, 1, "$share/g/t").Published(2_000, 1, "t").InOrder())
            recorder.Add(one with { IsOfSessions = true }, isProbe: true);
        var outcome = recorder.End(60_000 * EventTape.Millisecond, 60_000 * EventTape.Millisecond);
        Assert.That(
            outcome.Violations.Single().What,
            Is.EqualTo("client 100 #1 of $share/g/t was acknowledged and came to no member")
        );
        Assert.That(outcome.Reports.Single().What, Does.Contain("1 messages came 0 times"));
        Assert.That((outcome.Publications, outcome.Owed, outcome.Lost), Is.EqualTo((0, 0, 0)));
    }

    [Test]
    public void Every_quantity_is_counted_once_where_it_belongs()
    {
        var tape = new EventTape()
            .Subscribed(0, 1, "t")
            .Subscribed(4_900, 2, "t")
            .Published(2_000, 1, "t")
            .Published(3_000, 2, "t")
            .Published(5_000, 3, "t")
            .Published(9_500, 4, "t")
            .Fault(10_000, 12_000, node: 1)
            .Published(30_000, 5, "t")
            .Published(31_000, 6, "elsewhere");
        tape.Delivered(2_010, 1, 1).Delivered(2_020, 1, 1);
        tape.Delivered(5_010, 3, 1).Delivered(5_020, 2, 1);
        tape.Crossed(2_001, 1, 0, 1).Crossed(2_002, 1, 0, 1);
        var recorder = new ClusterOutcomeRecorder(TimeSpan.FromSeconds(1), null, [new OrderMonitor()]);
        var outcome = Play(tape, recorder);

        using var _ = Assert.EnterMultipleScope();
        Assert.That((outcome.Publications, outcome.Deliveries, outcome.WithoutSubscription), Is.EqualTo((6L, 4L, 1)));
        // Client 1 misses 4 and 5, client 2 misses 4 and 5; message 4 is near the fault, and 3 races for client 2.
        Assert.That((outcome.Lost, outcome.LostSettled, outcome.Racing), Is.EqualTo((4L, 2L, 1L)));
        // Message 3 is not owed to client 2 for sure, which subscribed a tenth of a second before it.
        Assert.That(
            (outcome.Owed, outcome.Missing, outcome.Duplicates, outcome.Reordered),
            Is.EqualTo((8L, new MissingDeliveries(4, 0, 1, 0), 1L, 1L))
        );
        Assert.That(
            (outcome.DeliveryMilliseconds, outcome.LinkMessages, outcome.LinkBytes, outcome.Retransmitted),
            Is.EqualTo(((int[])[10, 2_020, 10], 2L, 20L, 1L))
        );
        // All that is missing, but for the one that races.
        Assert.That(
            (outcome.UndeliveredAtEnd, outcome.CaughtUpMilliseconds),
            Is.EqualTo((4L, (double?)double.PositiveInfinity))
        );
        // Four deliveries came in the 29 s from the first publication to the last.
        Assert.That(outcome.Throughput, Is.EqualTo(4 / 29.0).Within(1e-9));
        Assert.That(
            (outcome.Violations.Single().Invariant, outcome.RepairMilliseconds, outcome.ConvergenceMilliseconds),
            Is.EqualTo(("order", (double?)null, (double?)null))
        );
    }

    [Test]
    public void The_messages_of_a_warm_up_are_judged_and_counted_by_no_quantity()
    {
        var tape = new EventTape()
            .Subscribed(0, 1, "t")
            .Published(2_000, 1, "t")
            .Published(2_900, 2, "t")
            .Published(3_000, 3, "t");
        tape.Delivered(3_004, 2, 1).Delivered(3_005, 1, 1).Delivered(3_010, 3, 1).Delivered(3_020, 1, 1);
        tape.Crossed(2_001, 1, 0, 1).Crossed(2_950, -1, 0, 1).Crossed(3_002, 2, 0, 1).Crossed(3_003, 3, 0, 1);
        var order = new OrderMonitor();
        var recorder = new ClusterOutcomeRecorder(TimeSpan.FromSeconds(1), null, [order])
        {
            CountsFromNanoseconds = 3_000 * EventTape.Millisecond,
        };
        var outcome = Play(tape, recorder);
        using var _ = Assert.EnterMultipleScope();
        Assert.That((outcome.Publications, outcome.Deliveries, outcome.Owed), Is.EqualTo((1L, 1L, 1L)));
        Assert.That((outcome.Duplicates, outcome.Reordered), Is.EqualTo((0L, 0L)));
        Assert.That((outcome.LinkMessages, outcome.LinkBytes), Is.EqualTo((1L, 10L)));
        Assert.That(outcome.DeliveryMilliseconds, Is.EqualTo([10]));
        Assert.That((outcome.UndeliveredAtEnd, outcome.CaughtUpMilliseconds), Is.EqualTo((0L, (double?)10)));
        Assert.That(order.ViolationCount, Is.EqualTo(1), "message 1 comes after message 2");
    }

    [Test]
    public void Deliveries_are_told_apart_by_the_places_of_their_clients_where_that_is_asked_for()
    {
        var tape = new EventTape()
            .Subscribed(0, 1, "t")
            .Subscribed(0, 2, "t")
            .Published(2_000, 1, "t", client: 0)
            .Published(3_000, 2, "t", client: 0);
        tape.Delivered(2_010, 1, 1).Delivered(2_030, 1, 2).Delivered(3_015, 2, 1);
        var recorder = new ClusterOutcomeRecorder(TimeSpan.FromSeconds(1), null, []) { ClientPlaces = [7, 7, 4] };
        var silent = new ClusterOutcomeRecorder(TimeSpan.FromSeconds(1), null, []);
        var pairs = Play(tape, recorder).Pairs;
        using var _ = Assert.EnterMultipleScope();
        Assert.That(
            pairs.Select(pair => (pair.From, pair.To, pair.Owed, pair.Missing, pair.Lost)),
            Is.EqualTo(((int, int, long, long, long)[])[(7, 4, 2, 1, 1), (7, 7, 2, 0, 0)])
        );
        Assert.That(pairs[1].DeliveryNanoseconds, Is.EqualTo([10_000_000, 15_000_000]));
        Assert.That(Play(tape, silent).Pairs, Is.Empty);
    }

    [Test]
    public void Retained_messages_that_differ_are_reported_and_neither_violate_nor_count()
    {
        var recorder = new ClusterOutcomeRecorder(
            TimeSpan.FromSeconds(1),
            TimeSpan.FromMilliseconds(100),
            [new RegisterMonitor(TopologyFile.Read("rabbitmq-3"), reaches: null, EventTape.Time, decides: false)]
        );
        var tape = new EventTape().Published(8, 5, "t").Published(9, 6, "t");
        tape.Delivered(10, 5, 0, node: 0).Delivered(11, 6, 1, node: 1);
        foreach (var clusterEvent in tape.InOrder())
            recorder.Add(clusterEvent with { IsRetained = true }, isProbe: true);
        var outcome = recorder.End(10_000 * EventTape.Millisecond, 10_000 * EventTape.Millisecond);
        Assert.That((outcome.Violations.Count, outcome.Reports.Count, outcome.Deliveries), Is.EqualTo((0, 1, 0L)));
    }

    [Test]
    public void Probes_give_repair_and_blackout_and_count_as_nothing_else()
    {
        var recorder = new ClusterOutcomeRecorder(TimeSpan.FromSeconds(1), TimeSpan.FromMilliseconds(100), []);
        var tape = new EventTape().Fault(1_000, null, node: 2);
        for (var at = 0; at < 10_000; at += 100)
            tape.Probe(at, at, 0, 1, arrives: at is >= 1_000 and < 3_000 ? null : at + 1);
        foreach (var clusterEvent in tape.InOrder())
            recorder.Add(clusterEvent, isProbe: clusterEvent.Message >= 0);
        var outcome = recorder.End(12_000 * EventTape.Millisecond, 10_000 * EventTape.Millisecond, linksAreSeen: true);
        Assert.That((outcome.RepairMilliseconds, outcome.BlackoutMilliseconds), Is.EqualTo((2_001.0, 2_100.0)));
        Assert.That((outcome.Publications, outcome.LinkMessages), Is.EqualTo((0L, (long?)0)));
    }

    private static ClusterOutcome Play(EventTape tape, ClusterOutcomeRecorder recorder)
    {
        foreach (var clusterEvent in tape.InOrder())
            recorder.Add(clusterEvent, isProbe: false);
        return recorder.End(60_000 * EventTape.Millisecond, 60_000 * EventTape.Millisecond);
    }
}
