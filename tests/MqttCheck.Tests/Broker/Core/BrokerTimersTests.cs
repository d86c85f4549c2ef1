using MqttCheck.Broker.Core;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Broker.Core;

public sealed class BrokerTimersTests
{
    [Test]
    public void They_come_by_their_times_and_at_the_same_time_in_the_order_they_were_set()
    {
        var random = RandomStream.For(20261127);
        for (var round = 0; round < 50; round++)
        {
            var timers = new BrokerTimers();
            var all = Enumerable.Range(0, 12).Select(i => new BrokerTimer(i, BrokerTimerKind.Silence)).ToArray();
            // The timers that are set in the order of setting, with their times.
            var set = new List<(BrokerTimer Timer, long Due)>();
            for (long now = 0; now < 200; now++)
            {
                var timer = all[random.NextInt(all.Length)];
                set.RemoveAll(entry => entry.Timer == timer);
                if (random.NextInt(4) == 0)
                {
                    timers.Cancel(timer);
                }
                else
                {
                    var due = now + random.NextInt(8);
                    timers.Set(timer, due);
                    set.Add((timer, due));
                }
                if (random.NextInt(3) == 0)
                    TakeAll(timers, set, now);
                Assert.That(timers.NextDue, Is.EqualTo(set.Count == 0 ? long.MaxValue : set.Min(entry => entry.Due)));
            }
            TakeAll(timers, set, 300);
            Assert.That(all.Select(timer => timer.Position), Is.All.EqualTo(-1));
        }
    }

    [Test]
    public void A_timer_is_due_at_its_time_and_not_before()
    {
        var timers = new BrokerTimers();
        var timer = new BrokerTimer(this, BrokerTimerKind.WillDelay);
        timers.Set(timer, 10);
        Assert.That(timers.TakeDue(9), Is.Null);
        Assert.That(timers.TakeDue(10), Is.SameAs(timer));
        Assert.That(timers.TakeDue(long.MaxValue), Is.Null);
        Assert.That(timer.Owner, Is.SameAs(this));
        Assert.That(timer.Kind, Is.EqualTo(BrokerTimerKind.WillDelay));
    }

    private static void TakeAll(BrokerTimers timers, List<(BrokerTimer Timer, long Due)> set, long now)
    {
        var expected = set.Where(entry => entry.Due <= now).OrderBy(entry => entry.Due).ToArray();
        foreach (var entry in expected)
        {
            Assert.That(timers.TakeDue(now), Is.SameAs(entry.Timer));
            set.Remove(entry);
        }
        Assert.That(timers.TakeDue(now), Is.Null);
    }
}
