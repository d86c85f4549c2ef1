using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Tests.Profiles.Workloads;

public sealed class ArrivalScheduleTests
{
    [Test]
    public void A_constant_rate_is_spread_evenly_over_the_publishers()
    {
        // 4 publishers, 8 messages a second: one every 125 ms, in turns.
        var times = Enumerable
            .Range(0, 4)
            .SelectMany(publisher => Take(new(Load(ArrivalKind.Constant, 8, 4), publisher, 1), 3))
            .Order();
        Assert.That(times, Is.EqualTo(Enumerable.Range(0, 12).Select(message => message * 125_000_000L)));
    }

    [Test]
    public void A_constant_rate_begins_as_late_as_its_phase_says() =>
        // A message every 125 ms: a quarter of that is 31.25 ms.
        Assert.That(
            Take(new(Load(ArrivalKind.Constant, 8, 4), 1, 1, phase: .25), 2),
            Is.EqualTo(new[] { 156_250_000L, 656_250_000L })
        );

    [Test]
    public void A_constant_rate_does_not_drift()
    {
        var schedule = new ArrivalSchedule(Load(ArrivalKind.Constant, 3, 1), 0, 1);
        var last = Take(schedule, 3_000_001)[^1];
        Assert.That(last, Is.EqualTo(1_000_000 * 1_000_000_000L).Within(1));
    }

    [Test]
    public void Poisson_arrivals_have_the_rate_and_its_variance()
    {
        // 100 publishers, 1000/s together: gaps of 100 ms on average, exponential. 50 000 gaps, seed 1.
        var gaps = Enumerable
            .Range(0, 100)
            .SelectMany(publisher =>
            {
                var times = Take(new(Load(ArrivalKind.Poisson, 1000, 100), publisher, 1), 500);
                return times.Select((time, index) => (time - (index == 0 ? 0 : times[index - 1])) / 1e6);
            })
            .ToList();
        var mean = gaps.Average();
        var deviation = Math.Sqrt(gaps.Average(gap => (gap - mean) * (gap - mean)));
        // Four standard deviations of the mean (0.447) and of the deviation (0.632): a false alarm in 16 000 seeds.
        Assert.That(mean, Is.EqualTo(100).Within(1.8));
        Assert.That(deviation, Is.EqualTo(100).Within(2.6));
    }

    [Test]
    public void The_seed_decides_and_a_copy_repeats()
    {
        var schedule = new ArrivalSchedule(Load(ArrivalKind.Poisson, 100, 10), 3, 7);
        Assert.That(Take(schedule, 20), Is.EqualTo(Take(new(Load(ArrivalKind.Poisson, 100, 10), 3, 7), 20)));
        Assert.That(Take(schedule, 20), Is.Not.EqualTo(Take(new(Load(ArrivalKind.Poisson, 100, 10), 3, 8), 20)));
        Assert.That(Take(schedule, 20), Is.Not.EqualTo(Take(new(Load(ArrivalKind.Poisson, 100, 10), 4, 7), 20)));
    }

    [Test]
    public void A_closed_loop_has_no_schedule() =>
        Assert.That(() => new ArrivalSchedule(Load(ArrivalKind.Closed, 1, 1), 0, 1), Throws.ArgumentException);

    [Test]
    public void A_burst_has_its_rate_and_the_time_after_it_the_usual_one()
    {
        // 10 a second, and 50 a second from second 2 to 4: by the warm-up of a second, from 3 to 5.
        var load = Load(ArrivalKind.Constant, 10, 1) with
        {
            Burst = new(50, TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(4)),
        };
        var times = Take(new(load, 0, 1), 200);
        int Between(double from, double until) => times.Count(time => time >= from * 1e9 && time < until * 1e9);
        Assert.That((Between(0, 3), Between(3, 5), Between(5, 8)), Is.EqualTo((30, 100, 30)), string.Join(' ', times));
        Assert.That(times, Is.Ordered);
    }

    private static Workload Load(ArrivalKind kind, double perSecond, int publishers) =>
        new()
        {
            Name = "test",
            Publishers = publishers,
            Subscribers = publishers,
            Arrivals = kind,
            MessagesPerSecond = perSecond,
        };

    private static long[] Take(ArrivalSchedule schedule, int count)
    {
        var times = new long[count];
        for (var index = 0; index < count; index++)
            times[index] = schedule.Next();
        return times;
    }
}
