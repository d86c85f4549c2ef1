using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Broker.Delays;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Broker.Delays;

public sealed class DelayTests
{
    [Test]
    public void A_connection_keeps_its_order_and_each_packet_leaves_at_the_later_of_its_own_time_and_the_last() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(200).WithEndSize(100).WithReplay(20260106, 7),
            Prop.ForAll(
                ArbMap.Default.ArbFor<byte[]>(),
                gaps =>
                {
                    var plan = DelayPlan.Parse("uniform:0ms..20ms", "test");
                    var schedule = new DelaySchedule(plan, 3, 0);
                    var stream = RandomStream.For(3, 0xDE, (ulong)DelayedAnswer.Publish);
                    var recorder = new DelayRecorder();
                    var line = new DelayLine(schedule, recorder);
                    long now = 0,
                        previous = 0;
                    var expected = new List<(long Release, string Packet)>();
                    for (var i = 0; i < gaps.Length; i++)
                    {
                        now += gaps[i] * 50_000L;
                        Run(now);
                        line.Send(DelayedAnswer.Publish, [0x30, (byte)i], now);
                        previous = Math.Max(
                            previous,
                            now + (long)(plan.Of(DelayedAnswer.Publish).Draw(ref stream) * 1e6)
                        );
                        expected.Add((previous, $"30{i:X2}"));
                    }
                    line.Close(now);
                    Run(long.MaxValue - 1);
                    Assert.That(recorder.Seen, Is.EqualTo(expected.Select(e => e.Packet).Append("closed")));

                    void Run(long until)
                    {
                        while (schedule.NextDue <= until)
                        {
                            var due = schedule.NextDue;
                            var before = recorder.Seen.Count;
                            schedule.Release(due);
                            foreach (var e in expected.Skip(before).Take(recorder.Seen.Count - before))
                                Assert.That(e.Release, Is.EqualTo(due));
                        }
                    }
                }
            )
        );

    [Test]
    public void Delays_that_grow_with_the_load_are_longer_by_a_share_for_each_answer_that_is_held_back()
    {
        var schedule = new DelaySchedule(DelayPlan.Parse("constant:10ms;load=0.5", "test"), 1, 0);
        var (first, second, third) = (new DelayRecorder(), new DelayRecorder(), new DelayRecorder());
        var lines = new[] { first, second, third }.Select(recorder => new DelayLine(schedule, recorder)).ToArray();
        foreach (var line in lines)
            line.Send(DelayedAnswer.Puback, [1], 0);
        // Behind none, one and two others: 10, 15 and 20 ms.
        schedule.Release(15_000_000 - 1);
        Assert.That((first.Seen.Count, second.Seen.Count), Is.EqualTo((1, 0)));
        schedule.Release(15_000_000);
        lines[2].Clear();
        lines[0].Send(DelayedAnswer.Puback, [2], 15_000_000);
        schedule.Release(25_000_000);
        Assert.That(
            (first.Seen.Count, second.Seen.Count, third.Seen.Count),
            Is.EqualTo((2, 1, 0)),
            "what has left or is lost is no load"
        );
    }

    [Test]
    public void The_same_seed_gives_the_same_delays_and_one_law_does_not_move_another()
    {
        Assert.That(
            Dues("lognormal:5ms,0.5", 7),
            Is.EqualTo(Dues("lognormal:5ms,0.5;connack=none", 7)).And.Not.EqualTo(Dues("lognormal:5ms,0.5", 8))
        );

        static long[] Dues(string plan, ulong seed)
        {
            var schedule = new DelaySchedule(DelayPlan.Parse(plan, "test"), seed, 0);
            return
            [
                .. Enumerable
                    .Range(0, 20)
                    .Select(i =>
                    {
                        var line = new DelayLine(schedule, new DelayRecorder());
                        line.Send(DelayedAnswer.Connack, [1], 0);
                        line.Clear();
                        line.Send(DelayedAnswer.Puback, [1], 1_000_000_000);
                        var due = schedule.NextDue;
                        line.Clear();
                        return due;
                    }),
            ];
        }
    }

    [TestCase("lognormal:5", "--delay: 'lognormal:5' is not a law")]
    [TestCase("puback=fast", "--delay, puback: 'fast' is not a law")]
    public void What_is_no_law_is_refused(string text, string message) =>
        Assert.That(
            () => DelayPlan.Parse(text, "--delay"),
            Throws.TypeOf<InputException>().With.Message.StartsWith(message)
        );
}
