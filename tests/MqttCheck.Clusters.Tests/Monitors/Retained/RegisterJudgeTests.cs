using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clusters.Monitors.Retained;

namespace MqttCheck.Clusters.Tests.Monitors.Retained;

[TestFixture]
internal sealed class RegisterJudgeTests
{
    // Times of a small range make many operations concurrent, and few values are written and read again and again.
    private static readonly Gen<RegisterOperation[]> s_histories =
        from count in Gen.Choose(1, 7)
        from operations in (
            from isWrite in Gen.Elements(true, false)
            from value in Gen.Choose(isWrite ? 0 : -1, 2)
            from called in Gen.Choose(0, 12)
            from took in Gen.Choose(0, 6)
            from isAnswered in Gen.Frequency((4, Gen.Constant(true)), (1, Gen.Constant(false)))
            select new RegisterOperation(
                isWrite,
                value,
                called,
                isWrite && !isAnswered ? RegisterOperation.Never : called + took,
                Node: 0
            )
        ).ArrayOf(count)
        select operations;

    [Test]
    public void The_judge_agrees_with_the_trial_of_every_order()
    {
        var linearizable = 0;
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(2000),
            Prop.ForAll(
                s_histories.ToArbitrary(),
                operations =>
                {
                    var expected = HasOrder([.. operations], RegisterOperation.Nothing);
                    linearizable += expected ? 1 : 0;
                    return RegisterJudge.Judge(operations).IsLinearizable == expected;
                }
            )
        );
        Assert.That(linearizable, Is.InRange(100, 1900), "both answers occur");
    }

    [Test]
    public void The_shortest_part_of_a_wrong_history_is_wrong_and_no_operation_of_it_can_be_left_out() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(500),
            Prop.ForAll(
                s_histories.Where(history => RegisterJudge.Judge(history).IsLinearizable == false).ToArbitrary(),
                operations =>
                {
                    var part = RegisterJudge.Shortest(operations, RegisterJudge.Judge(operations).Shown);
                    return part.All(operations.Contains)
                        && !HasOrder([.. part], RegisterOperation.Nothing)
                        && part.Where(one => !one.IsWrite)
                            .All(read => HasOrder([.. part.Where(one => one != read)], RegisterOperation.Nothing));
                }
            )
        );

    [Test]
    public void A_stale_read_is_shown_with_the_write_that_it_misses()
    {
        RegisterOperation[] operations =
        [
            new(true, 1, 0, 10, 0),
            new(true, 2, 20, 30, 0),
            new(false, 2, 32, 35, 1),
            new(false, 1, 40, 50, 1),
            new(true, 3, 60, 70, 0),
        ];
        var (isLinearizable, shown) = RegisterJudge.Judge(operations);
        Assert.That((isLinearizable, shown), Is.EqualTo(((bool?)false, 3)));
        Assert.That(
            RegisterJudge.Shortest(operations, shown),
            Is.EqualTo([operations[0], operations[1], operations[3]])
        );
    }

    [Test]
    public void A_write_without_an_answer_may_happen_at_any_time_once_or_never()
    {
        var write = new RegisterOperation(true, 1, 0, RegisterOperation.Never, 0);
        RegisterOperation Read(long value, long at) => new(false, value, at, at + 1, 0);
        const long nothing = RegisterOperation.Nothing;
        Assert.That(RegisterJudge.Judge([write, Read(nothing, 10)]).IsLinearizable, Is.True);
        Assert.That(RegisterJudge.Judge([write, Read(nothing, 10), Read(1, 1000)]).IsLinearizable, Is.True);
        Assert.That(RegisterJudge.Judge([write, Read(1, 10), Read(nothing, 20)]).IsLinearizable, Is.False);
    }

    [Test]
    public void Ten_thousand_operations_of_eight_clients_are_judged_and_a_stale_read_among_them_is_found()
    {
        // The seed is fixed. The values of a real register are read, so no false alarm is possible.
        var operations = RegisterHistories.Of(clients: 8, operations: 10_000, seed: 1);
        Assert.That(RegisterJudge.Judge(operations).IsLinearizable, Is.True);
        foreach (var place in (int[])[100, 5000, 9900])
        {
            var stale = operations.ToArray();
            // The value of a write that was over and overwritten before the read began.
            var read = Array.FindIndex(stale, place, one => !one.IsWrite);
            var old = stale
                .Where(one => one.IsWrite && one.Returned < stale[read].Called)
                .OrderBy(one => one.Called)
                .First();
            stale[read] = stale[read] with { Value = old.Value };
            var (isLinearizable, shown) = RegisterJudge.Judge(stale);
            Assert.That(isLinearizable, Is.False, $"{place}");
            Assert.That(RegisterJudge.Shortest(stale, shown), Has.Count.LessThanOrEqualTo(4));
        }
    }

    // Every order that time allows, one operation after the other.
    private static bool HasOrder(List<RegisterOperation> left, long value)
    {
        if (left.TrueForAll(one => one.Returned == RegisterOperation.Never))
            return true;
        var firstReturn = left.Min(one => one.Returned);
        for (var index = 0; index < left.Count; index++)
        {
            var next = left[index];
            if (next.Called > firstReturn || (!next.IsWrite && next.Value != value))
                continue;
            var rest = left.ToList();
            rest.RemoveAt(index);
            if (HasOrder(rest, next.IsWrite ? next.Value : value))
                return true;
        }
        return false;
    }
}
