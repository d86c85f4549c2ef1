using MqttCheck.Brokers.Wire.Epoll;

namespace MqttCheck.Brokers.Tests.Wire;

[Platform(Include = "Linux", Reason = "asks the scheduler of Linux")]
public sealed class ThreadUrgencyTests
{
    [Test]
    public void A_thread_is_urgent_while_it_asks_for_it_and_ordinary_afterwards()
    {
        LibC.SchedulingAttributes before = default,
            meanwhile = default,
            after = default;
        var thread = new Thread(() =>
        {
            before = Read();
            using (ThreadUrgency.Begin())
                meanwhile = Read();
            after = Read();
        });
        thread.Start();
        thread.Join();
        Assert.That(
            (after.Policy, after.Nice, after.Priority, meanwhile.Policy),
            Is.EqualTo((before.Policy, before.Nice, before.Priority, before.Policy))
        );
        Assert.That(meanwhile.Nice, Is.LessThanOrEqualTo(before.Nice));
        // Kernels before 6.12 have no slices to tell of; a thread of another policy than the usual one is left alone.
        if (before is { Policy: 0, RuntimeNanoseconds: > 0 })
            Assert.That(
                (meanwhile.RuntimeNanoseconds, after.RuntimeNanoseconds),
                Is.EqualTo((100_000UL, before.RuntimeNanoseconds))
            );
    }

    private static LibC.SchedulingAttributes Read() =>
        ThreadUrgency.Read() ?? throw new IgnoreException("The system does not tell how a thread is scheduled.");
}
