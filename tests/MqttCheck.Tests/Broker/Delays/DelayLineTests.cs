using MqttCheck.Broker.Delays;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Broker.Delays;

/// <summary>A line keeps its bytes, and counts what it holds back.</summary>
public sealed class DelayLineTests
{
    // Some packets leave while others wait, so that the room is used again, and grows.
    [Test]
    public void Packets_of_any_size_leave_as_they_came()
    {
        var random = RandomStream.For(20261128);
        for (var round = 0; round < 20; round++)
        {
            var schedule = new DelaySchedule(DelayPlan.Parse("constant:10ms", "test"), 1, 0);
            var wire = new DelayRecorder();
            var line = new DelayLine(schedule, wire);
            var (sent, pending) = (new List<byte>(), new Queue<(long Due, int Length)>());
            for (long now = 0; now < 300_000_000; now += random.NextInt(8) * 1_000_000)
            {
                schedule.Release(now);
                while (pending.TryPeek(out var first) && first.Due <= now)
                    pending.Dequeue();
                Assert.That(line.PendingBytes, Is.EqualTo(pending.Sum(packet => packet.Length)));
                var bytes = new byte[1 + random.NextInt(round < 10 ? 100 : 2000)];
                for (var i = 0; i < bytes.Length; i++)
                    bytes[i] = (byte)random.NextInt(256);
                line.Send(DelayedAnswer.Publish, bytes, now);
                sent.AddRange(bytes);
                pending.Enqueue((now + 10_000_000, bytes.Length));
            }
            schedule.Release(1_000_000_000);
            Assert.That(
                (string.Concat(wire.Seen), line.PendingBytes, schedule.NextDue),
                Is.EqualTo((Convert.ToHexString([.. sent]), 0, long.MaxValue))
            );
        }
    }

    [Test]
    public void A_close_ends_the_line_after_what_was_sent_before()
    {
        var schedule = new DelaySchedule(DelayPlan.Parse("constant:5ms", "test"), 1, 0);
        var wire = new DelayRecorder();
        var line = new DelayLine(schedule, wire);
        line.Send(DelayedAnswer.Connack, [1, 2], 0);
        line.Close(0);
        line.Send(DelayedAnswer.Puback, [3], 0);
        Assert.That(schedule.HeldAnswers, Is.EqualTo(2));
        schedule.Release(5_000_000);
        Assert.That(
            (wire.Seen, schedule.HeldAnswers, line.PendingBytes, schedule.NextDue),
            Is.EqualTo(((string[])["0102", "closed"], 0, 0, long.MaxValue))
        );
    }

    // Messages and closes are nobody's request.
    [Test]
    public void Requests_whose_answer_is_held_back_are_counted_and_nothing_else()
    {
        var schedule = new DelaySchedule(DelayPlan.Parse("constant:5ms", "test"), 1, 0);
        var line = new DelayLine(schedule, new DelayRecorder());
        foreach (var answer in Enum.GetValues<DelayedAnswer>().Where(answer => answer != DelayedAnswer.Close))
            line.Send(answer, [1], 0);
        line.Close(0);
        Assert.That(schedule.HeldAnswers, Is.EqualTo(6));
        line.Clear();
        Assert.That((schedule.HeldAnswers, line.PendingBytes, schedule.NextDue), Is.EqualTo((0, 0, long.MaxValue)));
    }

    [Test]
    public void What_is_due_when_a_stall_begins_leaves_at_its_end()
    {
        var plan = DelayPlan.Parse("constant:1ms;stall=2s@10s;stall=3s@11s", "test");
        var schedule = new DelaySchedule(plan, 1, startNanoseconds: 5_000_000_000);
        Assert.That(Due(14_998_999_999), Is.EqualTo(14_999_999_999));
        Assert.That(Due(14_999_000_000), Is.EqualTo(19_000_000_000), "the second stall begins in the first");
        Assert.That(Due(19_000_000_000), Is.EqualTo(19_001_000_000));

        long Due(long arrival)
        {
            var line = new DelayLine(schedule, new DelayRecorder());
            line.Send(DelayedAnswer.Publish, [1], arrival);
            var due = schedule.NextDue;
            line.Clear();
            return due;
        }
    }

    [Test]
    public void No_delay_is_longer_than_a_day()
    {
        var schedule = new DelaySchedule(DelayPlan.Parse("constant:100000s", "test"), 1, 0);
        new DelayLine(schedule, new DelayRecorder()).Send(DelayedAnswer.Puback, [1], 0);
        Assert.That(schedule.NextDue, Is.EqualTo(86_400_000_000_000));
    }
}
