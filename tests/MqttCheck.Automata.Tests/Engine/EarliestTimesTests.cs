using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Automata.Engine;
using MqttCheck.Statistics;

namespace MqttCheck.Automata.Tests.Engine;

public sealed class EarliestTimesTests
{
    [Test]
    public void The_first_is_the_smallest_number_with_the_earliest_time()
    {
        var cases =
            from count in Gen.Choose(1, 70)
            from values in Gen.Choose(1, 100)
            from seed in Gen.Choose(0, int.MaxValue)
            select (count, values, seed);
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(200).WithReplay(1, 1),
            Prop.ForAll(Arb.From(cases), c => SameAsSearching(c.count, c.values, (ulong)c.seed))
        );
    }

    [Test]
    public void A_copy_knows_the_same_and_a_cleared_one_nothing()
    {
        var (one, other) = (new EarliestTimes(5), new EarliestTimes(5));
        one.Set(3, 7);
        one.Set(4, 7);
        other.CopyFrom(one);
        one.Clear();
        Assert.That((other.First, other.FirstTime, other.HasTie), Is.EqualTo((3, 7.0, true)));
        Assert.That((one.First, one.FirstTime), Is.EqualTo((0, double.PositiveInfinity)));
    }

    // Few different values make many ties.
    private static bool SameAsSearching(int count, int values, ulong seed)
    {
        var random = RandomStream.For(seed);
        var times = new EarliestTimes(count);
        var expected = Enumerable.Repeat(double.PositiveInfinity, count).ToArray();
        for (var i = 0; i < 300; i++)
        {
            var number = random.NextInt(count);
            expected[number] = random.NextInt(5) == 0 ? double.PositiveInfinity : random.NextInt(values);
            times.Set(number, expected[number]);
            var earliest = expected.Min();
            if (
                times.First != Array.IndexOf(expected, earliest)
                || times.FirstTime != earliest
                || times[number] != expected[number]
            )
                return false;
            if (double.IsPositiveInfinity(earliest))
                continue;
            var ties = new List<int>();
            times.AddTies(ties);
            int[] wanted = [.. Enumerable.Range(0, count).Where(k => expected[k] == earliest)];
            if (!ties.SequenceEqual(wanted) || times.HasTie != wanted.Length > 1)
                return false;
        }
        return true;
    }
}
