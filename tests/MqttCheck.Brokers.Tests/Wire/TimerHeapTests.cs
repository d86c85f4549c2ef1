using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Brokers.Wire.Timers;

namespace MqttCheck.Brokers.Tests.Wire;

public sealed class TimerHeapTests
{
    [Test]
    public void Timers_fire_in_the_order_of_due_time_and_of_setting_whatever_is_cancelled()
    {
        // A case: due times, and which of the timers set so far to cancel after each.
        var cases = Gen.Zip(Gen.Choose(0, 50), Gen.Choose(-20, 200)).ListOf().ToArbitrary();
        Check.One(
            Config.QuickThrowOnFailure.WithReplay(7, 11),
            Prop.ForAll(
                cases,
                steps =>
                {
                    var heap = new TimerHeap();
                    var tickets = new List<long>();
                    var model = new List<(long Due, int Tag)>();
                    foreach (var (due, cancel) in steps)
                    {
                        model.Add((due, tickets.Count));
                        tickets.Add(heap.Add(heap, due, tickets.Count));
                        if (cancel < 0 || cancel >= tickets.Count)
                            continue;
                        Assert.That(
                            heap.Cancel(tickets[cancel]),
                            Is.EqualTo(model.RemoveAll(timer => timer.Tag == cancel) == 1)
                        );
                    }
                    Assert.That(heap.Count, Is.EqualTo(model.Count));
                    var expected = model
                        .OrderBy(timer => timer.Due)
                        .ThenBy(timer => timer.Tag)
                        .Select(timer => timer.Tag);
                    Assert.That(TakeAll(heap), Is.EqualTo(expected));
                }
            )
        );
    }

    [Test]
    public void A_ticket_of_a_fired_timer_does_not_cancel_the_one_that_took_its_place()
    {
        var heap = new TimerHeap();
        var first = heap.Add(heap, 1, 1);
        Assert.That(TakeAll(heap), Is.EqualTo([1]));
        var second = heap.Add(heap, 2, 2);
        Assert.That((heap.Cancel(first), heap.Cancel(second)), Is.EqualTo((false, true)));
        Assert.That((heap.Cancel(second), heap.Cancel(0)), Is.EqualTo((false, false)));
    }

    [Test]
    public void A_timer_set_during_a_round_waits_for_the_next()
    {
        var heap = new TimerHeap();
        heap.Add(heap, 5, 1);
        var round = heap.NextSequence;
        heap.Add(heap, 4, 2);
        Assert.That(heap.TryTake(10, round, out _), Is.False, "the new timer is first, and older ones wait behind it");
        Assert.That((heap.TryTake(10, heap.NextSequence, out var timer), timer.Tag), Is.EqualTo((true, 2)));
    }

    private static List<int> TakeAll(TimerHeap heap)
    {
        var tags = new List<int>();
        while (heap.TryTake(long.MaxValue, long.MaxValue, out var timer))
            tags.Add(timer.Tag);
        return tags;
    }
}
