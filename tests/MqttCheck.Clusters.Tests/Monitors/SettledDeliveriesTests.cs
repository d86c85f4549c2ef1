using MqttCheck.Clusters.Monitors;

namespace MqttCheck.Clusters.Tests.Monitors;

[TestFixture]
internal sealed class SettledDeliveriesTests
{
    private const long Settle = 1_000 * EventTape.Millisecond;

    // A publication at 5 s to a subscription that was granted and ended at these times, in milliseconds.
    [TestCase(0, null, PairState.Settled)]
    [TestCase(4_000, null, PairState.Settled)]
    [TestCase(4_001, null, PairState.Racing)]
    [TestCase(0, 6_000, PairState.Settled)]
    [TestCase(0, 5_999, PairState.Racing)]
    [TestCase(0, 59_999, PairState.Settled)]
    public void A_subscription_owes_what_was_published_well_within_it(int granted, int? ended, PairState state)
    {
        var tape = new EventTape().Subscribed(granted, 1, "t").Published(5_000, 7, "t");
        if (ended is { } over)
            tape.Unsubscribed(over, 1, "t");
        Assert.That(Pair(tape).State, Is.EqualTo(state));
    }

    [Test]
    public void Subscriptions_that_end_with_the_run_do_not_hide_a_loss()
    {
        var tape = new EventTape().Subscribed(0, 1, "t");
        for (var message = 0; message < 40; message++)
            tape.Published(2_000 + 100 * message, message, "t");
        tape.Unsubscribed(7_000, 1, "t");
        Assert.That(Pairs(tape).Count(pair => pair.IsLost), Is.EqualTo(40));
    }

    [Test]
    public void A_session_that_the_broker_forgot_is_still_owed_what_came_before()
    {
        var tape = new EventTape()
            .Subscribed(0, 1, "t")
            .Published(5_000, 7, "t")
            .Forgotten(5_100, 1, "t")
            .Published(5_150, 8, "t")
            .Subscribed(5_200, 1, "t")
            .Published(5_300, 9, "t");
        Assert.That(
            Pairs(tape).Select(pair => (pair.Message, pair.State, pair.IsLost)),
            Is.EqualTo([(7L, PairState.Settled, true), (9L, PairState.Racing, false)])
        );
    }

    // A link is back at 5 s, and its bridge at 7.8 s. A message is published at this time, and lost.
    [TestCase(7_700, PairState.NearFault)]
    [TestCase(8_700, PairState.NearFault)]
    [TestCase(8_900, PairState.Settled)]
    public void A_fault_goes_on_until_its_bridge_was_seen_to_work(int published, PairState state)
    {
        var tape = new EventTape()
            .Subscribed(0, 1, "t")
            .Fault(2_000, 5_000, 0, 1)
            .Restored(7_800, 0, 1)
            .Published(published, 7, "t");
        Assert.That(Pair(tape).State, Is.EqualTo(state));
    }

    // Another message, published and delivered at these times, tells how slow the cluster was before a fault at 6.04 s.
    [TestCase(4_900, 6_000, PairState.NearFault, TestName = "What_others_took_before_a_fault_may_be_under_way_at_it")]
    [TestCase(4_990, 6_500, PairState.NearFault, TestName = "What_comes_after_a_fault_was_under_way_at_it")]
    [TestCase(4_990, 5_010, PairState.Settled, TestName = "A_fast_cluster_owes_what_was_published_before_a_fault")]
    [TestCase(3_000, 4_900, PairState.Settled, TestName = "Slowness_long_before_a_fault_excuses_nothing")]
    [TestCase(5_010, 6_500, PairState.Settled, TestName = "A_shorter_time_under_way_excuses_nothing_older")]
    public void A_lost_message_is_settled_if_it_had_the_time_that_others_took(int published, int came, PairState state)
    {
        var tape = new EventTape()
            .Subscribed(0, 1, "t")
            .Published(published, 6, "t")
            .Delivered(came, 6, 1)
            .Published(5_000, 7, "t")
            .Fault(6_040, 8_000, 2);
        Assert.That(Pairs(tape).Single(pair => pair.Message == 7).State, Is.EqualTo(state));
    }

    private static DeliveryPair Pair(EventTape tape) => Pairs(tape).Single();

    private static List<DeliveryPair> Pairs(EventTape tape)
    {
        var ledger = new SettledDeliveries(Settle);
        foreach (var clusterEvent in tape.InOrder())
            ledger.Add(clusterEvent);
        return [.. ledger.Pairs()];
    }
}
