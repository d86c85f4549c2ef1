using MqttCheck.Brokers.Wire.Epoll;

namespace MqttCheck.Brokers.Tests.Wire;

public sealed class PunctualWaitTests
{
    private const long Early = PunctualWait.EarlyNanoseconds;

    [Test]
    public void It_sleeps_until_shortly_before_and_then_polls()
    {
        var wait = new PunctualWait(0);
        Assert.That(wait.SleepUntil(0, 1_000_000), Is.EqualTo(1_000_000 - Early));
        Assert.That(
            wait.SleepUntil(1_000_000 - Early + 30_000, 1_000_000),
            Is.EqualTo(1_000_000 - Early + 30_000),
            "not at all"
        );
        Assert.That(wait.SleepUntil(1_000_000 - 1, 1_000_000), Is.EqualTo(1_000_000 - 1));
    }

    [TestCase(long.MaxValue)]
    [TestCase(5L)]
    [TestCase(-1L)]
    public void Without_a_timer_ahead_it_waits_as_told(long due)
    {
        var wait = new PunctualWait(0);
        Assert.That(wait.SleepUntil(5, due), Is.EqualTo(due));
    }

    // Timers at a constant distance; a loop that polls takes 1 us per round, and one that sleeps wakes on time.
    [TestCase(2_000_000, 0.04, 0.06)]
    [TestCase(500_000, 0.19, 0.21)]
    [TestCase(150_000, 0.22, 0.26)]
    [TestCase(50_000, 0.22, 0.26)]
    public void Polling_takes_a_quarter_of_the_time_at_most(long distance, double least, double most)
    {
        var wait = new PunctualWait(0);
        var (now, polled, due) = (0L, 0L, distance);
        while (now < 1_000_000_000)
        {
            var until = wait.SleepUntil(now, due);
            if (until <= now)
            {
                polled += 1000;
                now += 1000;
            }
            else
            {
                now = until;
            }
            if (now >= due)
                due += distance;
        }
        Assert.That(polled / 1e9, Is.InRange(least, most));
    }
}
