using MqttCheck.Statistics;

namespace MqttCheck.Tests.Statistics;

[TestFixture]
public sealed class LevelChangesTests
{
    private const ulong Seed = 20;

    // Laws of the share in time: even, in steps with many equal values, and level but for a bad one in ten.
    [TestCase("even")]
    [TestCase("steps")]
    [TestCase("bad nights")]
    public void A_series_without_a_change_is_said_to_have_one_no_more_often_than_stated(string law)
    {
        const int series = 400,
            length = 60;
        var alarms = 0;
        for (ulong number = 0; number < series; number++)
        {
            var random = RandomStream.For(Seed, number);
            if (LevelChanges.Find(Values(ref random, law, length, level: .8)).Count > 0)
                alarms++;
        }
        // 99.9 % of a binomial law with the stated rate lie below 35.
        Assert.That(alarms, Is.LessThan(35), $"seed {Seed}");
    }

    // Once a change has been found, what comes after it is a stretch of its own with the same error.
    [Test]
    public void After_a_change_the_next_false_one_is_as_rare()
    {
        const int series = 400;
        var (found, more) = (0, 0);
        for (ulong number = 0; number < series; number++)
        {
            var random = RandomStream.For(Seed + 1, number);
            double[] values =
            [
                .. Values(ref random, "even", 20, level: .8),
                .. Values(ref random, "even", 30, level: .6),
            ];
            var changes = LevelChanges.Find(values);
            if (changes.Count > 0 && Math.Abs(changes[0] - 20) <= 1)
                found++;
            if (changes.Count > 1)
                more++;
        }
        Assert.That(found, Is.GreaterThan(series * .9), $"seed {Seed + 1}");
        Assert.That(more, Is.LessThan(35), $"seed {Seed + 1}");
    }

    [Test]
    public void Four_slower_builds_after_twenty_are_a_change_and_one_is_none()
    {
        double[] level =
        [
            .86,
            .88,
            .85,
            .87,
            .84,
            .86,
            .89,
            .85,
            .86,
            .88,
            .87,
            .84,
            .86,
            .85,
            .88,
            .86,
            .87,
            .85,
            .86,
            .88,
        ];
        Assert.That(LevelChanges.Find([.. level, .70]), Is.Empty);
        Assert.That(LevelChanges.Find([.. level, .70, .71, .69, .72]), Is.EqualTo([20]));
        Assert.That(LevelChanges.Find([.. level[..7], .70, .71, .69, .72, .70, .68, .71]), Is.EqualTo([7]));
        // Back again, once it can be told.
        Assert.That(
            LevelChanges.Find([.. level, .70, .71, .69, .72, .70, .68, .71, .69, .. level]),
            Is.EqualTo([20, 28])
        );
    }

    [Test]
    public void Equal_values_and_short_series_have_no_change()
    {
        double[][] series =
        [
            [.. Enumerable.Repeat(1.0, 40)],
            [],
            [1, 1, 1, 0, 0, 0, 0],
        ];
        Assert.That(series.SelectMany(values => LevelChanges.Find(values)), Is.Empty);
    }

    // The first look, at 13 values, has the error .001819. At most 2 of its 1650 orders may be as extreme, since
    // 3 / 1651 is below that and 4 / 1651 above. Counted by a loop of its own there are 2, 1, and 3.
    [TestCase(new double[] { 84, 84, 87, 86, 83, 80, 73, 69, 70, 68, 79, 76, 74 }, new[] { 6 })]
    [TestCase(new double[] { 81, 89, 80, 88, 82, 84, 68, 78, 77, 70, 76, 70, 77 }, new[] { 6 })]
    [TestCase(new double[] { 83, 81, 80, 88, 81, 89, 88, 80, 70, 75, 77, 70, 73 }, new int[0])]
    public void The_first_look_allows_two_orders_as_extreme(double[] values, int[] changes) =>
        Assert.That(LevelChanges.Find(values), Is.EqualTo(changes));

    // The sums of deviations from 20 are -54 after six values and, since the two in the middle are 20, after eight.
    [Test]
    public void Of_equal_sums_the_first_is_the_change() =>
        Assert.That(LevelChanges.Find([15, 12, 9, 11, 9, 10, 20, 20, 31, 29, 31, 28, 25, 30]), Is.EqualTo([6]));

    // The sum of the shares is what a series without a change may err in all of its life.
    [Test]
    public void However_many_looks_there_are_they_spend_no_more_than_the_stated_error()
    {
        const int looks = 1_000_000;
        var shares = Enumerable.Range(1, looks).Select(LevelChanges.Share).ToArray();
        Assert.That(shares[..(LevelChanges.FewestValues - 1)], Is.All.Zero);
        Assert.That(shares.Sum(), Is.GreaterThan(.0495).And.LessThan(LevelChanges.FalseAlarmRate));
        // So a look makes three million permutations at most.
        Assert.That(shares.Where(share => share > 0).Min(), Is.EqualTo(LevelChanges.SmallestShare).Within(1e-18));
        // One after each of the first 2000 results, and then in time after every few.
        Assert.That(shares[(LevelChanges.FewestValues - 1)..2000], Has.None.Zero);
        Assert.That(shares[9900..10_000].Count(share => share > 0), Is.EqualTo(9));
    }

    [Test]
    public void A_look_uses_the_latest_values_of_a_long_stretch()
    {
        double[] stretch = [.. Enumerable.Range(0, 400).Select(at => .8 + .01 * (at * 7 % 11)), .6, .6, .6, .6];
        Assert.That(
            (LevelChanges.Look(stretch, 404), LevelChanges.Look(stretch.AsSpan(204), 404)),
            Is.EqualTo((400, 196))
        );
        // Another level further back does not count.
        stretch.AsSpan(0, 204).Fill(.2);
        Assert.That(LevelChanges.Look(stretch, 404), Is.EqualTo(400));
    }

    [TestCase(12)]
    [TestCase(10_000)]
    public void A_result_without_a_share_is_not_looked_at(int number)
    {
        double[] step = [.. Enumerable.Repeat(.9, 30), .. Enumerable.Repeat(.7, 30)];
        Assert.That(LevelChanges.Look(step, number), Is.Null);
        Assert.That(LevelChanges.Look(step, 60), Is.EqualTo(30));
    }

    private static double[] Values(ref RandomStream random, string law, int length, double level)
    {
        var values = new double[length];
        for (var at = 0; at < length; at++)
        {
            var even = level + .05 * (random.NextDouble() - .5);
            values[at] = law switch
            {
                "steps" => Math.Round(even, 2),
                "bad nights" => random.NextDouble() < .1 ? .1 : even,
                _ => even,
            };
        }
        return values;
    }

    // A clean step and its mirror image are 2 of 924 and 3432 orders of 12 and 14 values: .0022 and .0006.
    // A first look at 12 values would have an error of .0020. There is none; the look at 14 has .0016.
    [TestCase(4, 4, false)]
    [TestCase(6, 6, false)]
    [TestCase(7, 7, true)]
    [TestCase(8, 8, true)]
    public void A_clean_step_is_a_change_once_its_order_is_rare_enough(int before, int after, bool isChange)
    {
        double[] values = [.. Enumerable.Repeat(.9, before), .. Enumerable.Repeat(.7, after)];
        // Values that differ a little: equal ones have more orders that look alike.
        for (var at = 0; at < values.Length; at++)
            values[at] += .001 * (at * 5 % 7);
        Assert.That(LevelChanges.Find(values), Is.EqualTo(isChange ? new[] { before } : []));
    }
}
