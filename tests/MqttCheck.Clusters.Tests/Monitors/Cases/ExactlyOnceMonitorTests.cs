using MqttCheck.Clusters.Monitors.Cases;

namespace MqttCheck.Clusters.Tests.Monitors.Cases;

[TestFixture]
internal sealed class ExactlyOnceMonitorTests
{
    [TestCase(2, 2, 1)]
    [TestCase(2, 1, 0)]
    [TestCase(1, 2, 0)]
    public void A_second_delivery_is_a_violation_at_QoS_2(int published, int subscribed, int violations)
    {
        var tape = new EventTape()
            .Subscribed(0, 1, "t", subscribed)
            .Published(10, 7, "t", published)
            .Delivered(11, 7, client: 1);
        Assert.That(tape.Play(new ExactlyOnceMonitor()).ViolationCount, Is.Zero);
        // Also near a fault.
        tape.Fault(12, 13, 0).Delivered(14, 7, client: 1);
        Assert.That(tape.Play(new ExactlyOnceMonitor()).ViolationCount, Is.EqualTo(violations));
    }
}
