using MqttCheck.Clusters.Monitors.Cases;

namespace MqttCheck.Clusters.Tests.Monitors.Cases;

[TestFixture]
internal sealed class StoredMessagesMonitorTests
{
    private const long Second = 1_000 * EventTape.Millisecond;

    [Test]
    public void A_store_over_its_limit_keeps_the_newest()
    {
        var tape = Published();
        tape.Delivered(9_000, 2, client: 1).Delivered(9_001, 3, client: 1);
        Assert.That(tape.Play(Of(limit: 2)).ViolationCount, Is.Zero, "the oldest is dropped");
        Assert.That(tape.Play(Of(limit: 3)).ViolationCount, Is.EqualTo(1), "there is room for three");
    }

    [Test]
    public void Of_several_publishers_nobody_knows_whose_message_is_the_newest()
    {
        var tape = Published().Published(2_003, 4, "t", client: 101).Delivered(9_000, 4, client: 1);
        Assert.That(tape.Play(Of(limit: 1)).ViolationCount, Is.Zero);
    }

    [Test]
    public void What_has_expired_does_not_come_and_what_has_not_does()
    {
        var tape = Published();
        Assert.That(tape.Play(Of(lifetime: 2 * Second, away: 9_000)).ViolationCount, Is.Zero, "it is not owed");
        Assert.That(tape.Play(Of(lifetime: 20 * Second, away: 9_000)).ViolationCount, Is.EqualTo(3), "it is owed");
        tape.Delivered(9_000, 1, client: 1);
        var late = tape.Play(Of(lifetime: 2 * Second, away: 9_000)).Violations;
        Assert.That(late.Select(violation => violation.Invariant), Is.EqualTo(new[] { "expired message" }));
    }

    [Test]
    public void Acknowledgements_come_in_the_order_of_publications()
    {
        var right = new EventTape().Published(1, 7, "t").Published(2, 8, "u").Published(3, 9, "t", client: 5);
        Assert.That(right.Play(new AcknowledgementOrderMonitor()).ViolationCount, Is.Zero);
        var wrong = new EventTape()
            .Published(1, 7, "t", isAcknowledged: false)
            .Published(2, 8, "u")
            .Acknowledged(3, 7, client: 100);
        Assert.That(wrong.Play(new AcknowledgementOrderMonitor()).ViolationCount, Is.EqualTo(1));
    }

    private static EventTape Published() =>
        new EventTape()
            .Subscribed(0, 1, "t")
            .Published(2_000, 1, "t")
            .Published(2_001, 2, "t")
            .Published(2_002, 3, "t");

    private static StoredMessagesMonitor Of(
        int limit = int.MaxValue,
        long lifetime = long.MaxValue,
        long away = 8_000
    ) => new(limit, lifetime, [(1, Second, away * EventTape.Millisecond)]);
}
