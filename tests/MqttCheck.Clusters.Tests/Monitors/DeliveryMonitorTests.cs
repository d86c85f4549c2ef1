using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;

namespace MqttCheck.Clusters.Tests.Monitors;

[TestFixture]
internal sealed class DeliveryMonitorTests
{
    private const long Settle = 1_000 * EventTape.Millisecond;

    // What each QoS allows of 0, 1 and 2 deliveries (MQTT 5, section 4.3).
    [TestCase(0, 0, 0)]
    [TestCase(0, 1, 0)]
    [TestCase(0, 2, 1)]
    [TestCase(1, 0, 1)]
    [TestCase(1, 1, 0)]
    [TestCase(1, 2, 0)]
    [TestCase(2, 0, 1)]
    [TestCase(2, 1, 0)]
    [TestCase(2, 2, 1)]
    // The lower QoS of publication and subscription counts.
    [TestCase(2, 0, 0, 0)]
    public void The_guarantee_of_each_QoS_is_judged(int qos, int deliveries, int violations, int subscribed = 2)
    {
        var tape = new EventTape().Subscribed(0, 1, "t", subscribed).Published(2_000, 7, "t", qos);
        for (var delivery = 0; delivery < deliveries; delivery++)
            tape.Delivered(2_001 + delivery, 7, 1);
        Assert.That(Judge(tape), Is.EqualTo(violations));
    }

    private static readonly TestCaseData[] s_owed =
    [
        Case("not acknowledged", 0, 0, tape => tape.Published(2_000, 7, "t", isAcknowledged: false)),
        Case("to a racing subscriber", 1_500, 0, tape => tape.Published(2_000, 7, "t")),
        Case("until it unsubscribes", 0, 0, tape => tape.Published(2_000, 7, "t").Unsubscribed(2_500, 1, "t")),
        Case("just before a fault", 0, 0, tape => tape.Published(2_000, 7, "t").Fault(2_900, 2_950, 1)),
        Case("just after a fault", 0, 0, tape => tape.Fault(500, 1_100, 1).Published(2_000, 7, "t")),
        Case("after a fault", 0, 1, tape => tape.Fault(500, 900, 1).Published(2_000, 7, "t")),
        Case("before a fault", 0, 1, tape => tape.Published(2_000, 7, "t").Fault(3_100, null, 1)),
    ];

    private static TestCaseData Case(string name, long subscribed, long owed, Func<EventTape, EventTape> happens) =>
        new TestCaseData(happens(new EventTape().Subscribed(subscribed, 1, "t")), owed).SetArgDisplayNames(name);

    [TestCaseSource(nameof(s_owed))]
    public void Nothing_is_owed_without_an_acknowledgement_near_a_fault_or_to_a_racing_subscriber(
        object tape,
        long owed
    ) => Assert.That(Judge((EventTape)tape), Is.EqualTo(owed));

    [Test]
    public void Filters_find_their_topics_and_overlapping_ones_owe_one_delivery()
    {
        var tape = new EventTape()
            .Subscribed(0, 1, "s/+")
            .Subscribed(0, 1, "s/#", qos: 2)
            .Subscribed(0, 2, "other/#")
            .Published(2_000, 7, "s/x", qos: 2);
        Assert.That((Judge(tape), Judge(tape.Delivered(2_001, 7, 1, "s/x"))), Is.EqualTo((1, 0)));
        Assert.That(Judge(tape.Delivered(2_002, 7, 1, "s/x")), Is.EqualTo(1), "QoS 2 is owed exactly once");
    }

    // Client 1 misses two messages within the settling time, client 2 none, and client 3 gets nothing at all.
    [Test]
    public void How_long_a_subscription_took_to_be_in_force_is_told()
    {
        var tape = new EventTape()
            .Subscribed(0, 1, "t")
            .Subscribed(0, 2, "t")
            .Subscribed(600, 3, "t")
            .Published(100, 7, "t")
            .Published(300, 8, "t")
            .Published(700, 9, "t");
        foreach (var (message, at) in new[] { (7, 101), (8, 301), (9, 701) })
            tape.Delivered(at, message, 2);
        tape.Delivered(702, 9, 1);
        var monitor = tape.Play(new DeliveryMonitor(Settle));
        Assert.That(monitor.Violations, Is.Empty);
        Assert.That(
            monitor.Remarks.Select(remark => (remark.Invariant, remark.What)),
            Is.EqualTo([
                (
                    "subscription in force",
                    "1 of 2 subscriptions missed messages after their SUBACK, the last one after 0.3 s at the median "
                        + "and 0.3 s at most"
                ),
            ])
        );
    }

    [Test]
    public void Nothing_is_told_of_subscriptions_that_missed_nothing() =>
        Assert.That(
            new EventTape()
                .Subscribed(0, 1, "t")
                .Published(100, 7, "t")
                .Delivered(101, 7, 1)
                .Play(new DeliveryMonitor(Settle))
                .Remarks,
            Is.Empty
        );

    [Test]
    public void Of_random_runs_in_which_all_arrives_a_removed_delivery_is_found() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(200),
            Prop.ForAll(
                Runs().ToArbitrary(),
                run =>
                {
                    var full = Tape(run.Clients, run.Messages, without: -1);
                    var broken = Tape(run.Clients, run.Messages, run.Removed % (run.Clients * run.Messages));
                    return Judge(full) == 0 && Judge(broken) == 1;
                }
            )
        );

    private static EventTape Tape(int clients, int messages, int without)
    {
        var tape = new EventTape();
        for (var client = 0; client < clients; client++)
            tape.Subscribed(client, client, client % 2 == 0 ? "t" : "+");
        for (var message = 0; message < messages; message++)
        {
            tape.Published(2_000 + message, message, "t");
            for (var client = 0; client < clients; client++)
            {
                if (message * clients + client != without)
                    tape.Delivered(2_010 + message, message, client);
            }
        }
        return tape;
    }

    private static Gen<(int Clients, int Messages, int Removed)> Runs() =>
        from clients in Gen.Choose(1, 5)
        from messages in Gen.Choose(1, 20)
        from removed in Gen.Choose(0, 1000)
        select (clients, messages, removed);

    private static long Judge(EventTape tape) => tape.Play(new DeliveryMonitor(Settle)).ViolationCount;
}
