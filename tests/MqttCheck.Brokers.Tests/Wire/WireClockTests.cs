using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Tests.Wire;

/// <summary>What every wire promises about timers and its thread.</summary>
[TestFixture(TestWire.Epoll)]
[TestFixture(TestWire.EpollWithTimerDescriptor)]
[TestFixture(TestWire.Portable)]
[TestFixture(TestWire.Memory)]
public sealed class WireClockTests(TestWire kind) : WireFixture(kind)
{
    [Test]
    public void Timers_fire_in_order_not_early_and_not_when_cancelled()
    {
        var fired = new List<(int Tag, long Due, long Now)>();
        var done = new TaskCompletionSource<bool>();
        var handler = new ScriptedHandler
        {
            Timer = (due, now, tag) =>
            {
                fired.Add((tag, due, now));
                if (tag == 99)
                    done.SetResult(true);
            },
        };
        Thread.Invoke(() =>
        {
            var now = Wire.NowNanoseconds;
            Wire.Schedule(handler, now + 60_000_000, 99);
            for (var tag = 40; tag > 0; tag--)
                Wire.Schedule(handler, now + tag * 1_000_000L, tag);
            Wire.Schedule(handler, now - 1, 0);
            var tickets = Enumerable
                .Range(200, 50)
                .Select(tag => Wire.Schedule(handler, now + tag * 100_000, tag))
                .ToArray();
            Assert.That(tickets, Has.None.Zero);
            foreach (var ticket in tickets)
                Wire.Cancel(ticket);
            Wire.Cancel(tickets[0]);
        });
        Thread.Wait(done.Task);
        Assert.That(fired.Select(timer => timer.Tag), Is.EqualTo([.. Enumerable.Range(0, 41), 99]));
        Assert.That(fired.Where(timer => timer.Now < timer.Due), Is.Empty, "no timer fires early");
    }

    [Test]
    public void Coalesced_timers_all_fire_and_none_early()
    {
        Restart(new WireOptions { TimerCoalescing = TimeSpan.FromMilliseconds(5) });
        var early = 0;
        var left = 100;
        var done = new TaskCompletionSource<bool>();
        var handler = new ScriptedHandler
        {
            Timer = (due, now, _) =>
            {
                if (now < due)
                    early++;
                if (--left == 0)
                    done.SetResult(true);
            },
        };
        Thread.Invoke(() =>
        {
            var now = Wire.NowNanoseconds;
            for (var i = 0; i < 100; i++)
                Wire.Schedule(handler, now + i * 300_000, i);
        });
        Thread.Wait(done.Task);
        Assert.That(early, Is.Zero);
    }

    [Test]
    public void A_timer_that_is_always_due_does_not_keep_others_from_their_turn()
    {
        Assume.That(Kind.HasSockets(), "in virtual time it keeps the clock from going on");
        var rounds = 0;
        ScriptedHandler? busy = null;
        busy = new ScriptedHandler
        {
            Timer = (_, now, _) =>
            {
                rounds++;
                Wire.Schedule(busy!, now - 1, 0);
            },
        };
        Thread.Invoke(() => Wire.Schedule(busy, 0, 0));
        var server = Serve(Echo);
        var client = new ScriptedHandler { Expected = 10 };
        var connection = Connect(server, client);
        Thread.Invoke(() => connection.Send(new byte[10]));
        Assert.That(Thread.Wait(client.WhenComplete), Is.True);
        Assert.That(rounds, Is.Positive);
    }

    [Test]
    public void Actions_posted_by_manyThreads_all_run_on_the_wiresThread()
    {
        const int threads = 4,
            each = 2000;
        var ids = new HashSet<int>();
        var count = 0;
        var done = new TaskCompletionSource<bool>();
        Parallel.For(
            0,
            threads,
            new ParallelOptions { MaxDegreeOfParallelism = threads },
            _ =>
            {
                for (var i = 0; i < each; i++)
                {
                    Wire.Post(() =>
                    {
                        ids.Add(Environment.CurrentManagedThreadId);
                        if (++count == threads * each)
                            done.SetResult(true);
                    });
                }
            }
        );
        Assert.That((Thread.Wait(done.Task), ids.Count), Is.EqualTo((true, 1)));
    }

    [Test]
    public void A_wire_stopped_before_it_runs_returns_at_once_and_may_be_disposed_twice()
    {
        var wire = Kind.Create(new WireOptions());
        wire.Stop();
        wire.Run();
        wire.Dispose();
        wire.Dispose();
        wire.Stop();
        wire.Post(() => { });
    }
}
