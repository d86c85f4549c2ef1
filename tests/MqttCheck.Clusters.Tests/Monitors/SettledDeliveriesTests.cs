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

    private static DeliveryPair Pair(EventTape tape) => Pairs(tape).Single();

    private static List<DeliveryPair> Pairs(EventTape tape)
    {
        var ledger = new SettledDeliveries(Settle);
        foreach (var clusterEvent in tape.InOrder())
            ledger.Add(clusterEvent);
        return [.. ledger.Pairs()];
    }
}
