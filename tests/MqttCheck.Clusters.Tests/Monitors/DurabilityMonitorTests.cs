using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;

namespace MqttCheck.Clusters.Tests.Monitors;

[TestFixture]
internal sealed class DurabilityMonitorTests
{
    private const long Settle = 1_000 * EventTape.Millisecond;

    [Test]
    public void A_message_that_one_crash_swallowed_is_a_violation_and_one_that_two_swallowed_is_none()
    {
        var tape = new EventTape().Subscribed(0, 1, "t").Published(2_000, 7, "t").Fault(2_100, 4_000, node: 1);
        Assert.That(tape.Play(new DurabilityMonitor(Settle)).ViolationCount, Is.EqualTo(1));
        tape.Fault(2_200, 4_000, node: 2);
        Assert.That(tape.Play(new DurabilityMonitor(Settle)).ViolationCount, Is.Zero);
    }

    [Test]
    public void What_arrives_after_the_crash_or_was_never_acknowledged_is_no_violation()
    {
        var tape = new EventTape()
            .Subscribed(0, 1, "t")
            .Published(2_000, 7, "t")
            .Published(2_010, 8, "t", isAcknowledged: false)
            .Fault(2_100, 4_000, node: 1)
            .Delivered(30_000, 7, 1);
        Assert.That(tape.Play(new DurabilityMonitor(Settle)).Violations, Is.Empty);
    }
}
