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
        Assert.That(LevelChanges.Find([.. Enumerable.Repeat(1.0, 40)]), Is.Empty);
        Assert.That(LevelChanges.Find([]), Is.Empty);
        Assert.That(LevelChanges.Find([1, 1, 1, 0, 0, 0, 0]), Is.Empty);
    }

    // A look at 11 values has the error 1 / 220. At most 9 of its 2200 orders may be as extreme, since 10 / 2201 is
    // below that and 11 / 2201 above. Counted by a loop of its own there are 9, fewer than 9, and 11.
    [TestCase(new double[] { 88, 87, 89, 89, 87, 70, 75, 69, 74, 73, 68 }, new[] { 5 })]
    [TestCase(new double[] { 80, 83, 82, 84, 67, 76, 73, 76, 67, 71, 74 }, new[] { 4 })]
    [TestCase(new double[] { 89, 83, 84, 89, 86, 73, 73, 76, 81, 73, 77 }, new int[0])]
    public void The_first_look_allows_nine_orders_as_extreme(double[] values, int[] changes) =>
        Assert.That(LevelChanges.Find(values), Is.EqualTo(changes));

    // The sums of deviations from 20 are -44 after five values and, since the two in the middle are 20, after seven.
    [Test]
    public void Of_equal_sums_the_first_is_the_change() =>
        Assert.That(LevelChanges.Find([15, 12, 9, 11, 9, 20, 20, 31, 29, 31, 28, 25]), Is.EqualTo([5]));

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

    // A clean step and its mirror image are 2 of 252, 924 and 3432 orders of 10, 12 and 14 values: .008, .0022 and
    // .0006. A look at n values has the error .05 * 10 / (n (n - 1)): .0056 (there is none), .0038 and .0027.
    [TestCase(4, 4, false)]
    [TestCase(5, 5, false)]
    [TestCase(6, 6, true)]
    [TestCase(7, 7, true)]
    public void A_clean_step_is_a_change_once_its_order_is_rare_enough(int before, int after, bool isChange)
    {
        double[] values = [.. Enumerable.Repeat(.9, before), .. Enumerable.Repeat(.7, after)];
        // Values that differ a little: equal ones have more orders that look alike.
        for (var at = 0; at < values.Length; at++)
            values[at] += .001 * (at * 5 % 7);
        Assert.That(LevelChanges.Find(values), Is.EqualTo(isChange ? new[] { before } : []));
    }
}
