using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Statistics;

public sealed class ChangePointsTests
{
    // 2000 stationary series of a seed each; were the false-alarm rate 1 %, more than 36 alarms would come with
    // probability 4e-4 (binomial).
    [Test]
    public void Stationary_series_give_no_more_false_alarms_than_promised(
        [Values(32, 48, 64, 96, 128)] int length,
        [Values(0.0, 0.5, 0.8)] double correlation
    ) => Assert.That(Alarms(2000, seed => Series(seed, length, correlation, _ => 0)), Is.AtMost(36));

    // 1000 series of a seed each; were the rate 1 %, more than 22 alarms would come with probability 2e-4 (binomial).
    [Test]
    public void Heavy_tails_give_no_more_false_alarms_than_promised() =>
        Assert.That(
            Alarms(
                1000,
                seed =>
                {
                    var random = RandomStream.For(seed, 1);
                    var values = new double[96];
                    foreach (ref var value in values.AsSpan())
                        value = Math.Log(1 / random.NextOpenDouble() + (random.NextDouble() < 0.02 ? 40 : 0));
                    return values;
                }
            ),
            Is.AtMost(22)
        );

    // A lost message is answered at the second attempt: twenty deviations above the others. Seeds and bound as above.
    [Test]
    public void Rare_late_answers_give_no_more_false_alarms_than_promised(
        [Values(32, 64, 96, 128)] int length,
        [Values(.01, .02, .05)] double share
    )
    {
        Assert.That(Alarms(2000, Late), Is.AtMost(36));

        double[] Late(ulong seed)
        {
            var late = RandomStream.For(seed, 1);
            return Series(seed, length, 0.3, _ => late.NextDouble() < share ? 20 : 0);
        }
    }

    private static int Alarms(int series, Func<ulong, double[]> make) =>
        Enumerable
            .Range(0, series)
            .Count(seed => ChangePoints.Find(make((ulong)seed)) is not { State: StationarityState.Reached, Since: 0 });

    // Every second answer is late instead of one in a hundred, over a third of the series; 200 series, seeds 1 .. 200.
    [Test]
    public void A_time_with_more_late_answers_is_found()
    {
        var found = Enumerable
            .Range(1, 200)
            .Count(seed =>
            {
                var late = RandomStream.For((ulong)seed, 1);
                var values = Series((ulong)seed, 128, 0, at => late.NextDouble() < (at < 42 ? .5 : .01) ? 20 : 0);
                return ChangePoints.Find(values) is { State: StationarityState.Reached, Since: >= 30 and <= 54 };
            });

        Assert.That(found, Is.GreaterThanOrEqualTo(180));
    }

    // A warm-up of five deviations of a batch mean, over 15 of 96 values: found in nine of ten of 200 series, seeds 1
    // .. 200, to within a few values.
    [Test]
    public void The_end_of_a_warm_up_is_found()
    {
        var found = Enumerable
            .Range(1, 200)
            .Select(seed => ChangePoints.Find(Series((ulong)seed, 96, 0.3, at => at < 15 ? 5 : 0)))
            .ToArray();

        Assert.That(
            found.Count(result => result is { State: StationarityState.Reached, Since: >= 14 and <= 20 }),
            Is.GreaterThanOrEqualTo(180)
        );
    }

    [Test]
    public void A_series_that_goes_on_rising_never_becomes_stationary()
    {
        var found = Enumerable
            .Range(1, 100)
            .Select(seed => ChangePoints.Find(Series((ulong)seed, 96, 0.3, at => at * 0.1)))
            .ToArray();

        Assert.That(found.Count(result => result.State == StationarityState.Never), Is.GreaterThanOrEqualTo(95));
    }

    [Test]
    public void Short_series_are_not_judged() =>
        Assert.That(
            ChangePoints.Find(new double[ChangePoints.FewestValues - 1]).State,
            Is.EqualTo(StationarityState.Unknown)
        );

    // Both halves 0, 1, 2 and 10, 11, 12 about their means: -1, 0, 1, -1, 0, 1 has one product, 1 * -1, and squares of
    // 4.
    [TestCase(new double[] { 0, 1, 2, 10, 11, 12 }, 3, -.25)]
    [TestCase(new double[] { 3, 3, 7, 7, 7 }, 2, 0)]
    public void A_step_is_no_correlation(double[] values, int change, double expected) =>
        Assert.That(ChangePoints.Correlation(values, change), Is.EqualTo(expected).Within(1e-12));

    // By hand: the mean is 4, the sums -3, -5, -8, -7, 0; the squared differences 1, 1, 16, 36 without the two largest
    // make a variance of 2 / 4; so 8 / sqrt(5 * 2 / 4).
    [TestCase(new double[] { 1, 2, 1, 5, 11 }, 1, 5.0596442562694071, 3)]
    // The first of equal sums is the change. By hand: the mean is 0 and the sums are 1, 0, 1, 0 .. All squared
    // differences are 4, so the variance is 2, and 1 / sqrt(8 * 2) is .25.
    [TestCase(new double[] { 1, -1, 1, -1, 1, -1, 1, -1 }, 1, .25, 1)]
    // In R, for blocks of two after one value that is left over: 10.3333 / sqrt(9 * 1), reached after six values.
    [TestCase(new double[] { 3, 1, 2, 2, 5, 4, 9, 7, 8 }, 2, 3.4444444444444442, 6)]
    public void Statistic_follows_its_formula(double[] values, int block, double statistic, int change)
    {
        var seen = ChangePoints.Statistic(values, block);
        Assert.That(seen.Item1, Is.EqualTo(statistic).Within(1e-12));
        Assert.That(seen.Item2, Is.EqualTo(change));
    }

    // The table of 99 % quantiles, raised by a quarter below twelve blocks and by .15 below sixteen.
    [TestCase(32, 4, 5.0 * 1.25)]
    [TestCase(36, 4, 4.5 * 1.25)]
    [TestCase(40, 4, 4.1 * 1.25)]
    [TestCase(44, 4, 3.8 * 1.25)]
    [TestCase(48, 4, 3.6 * 1.15)]
    [TestCase(52, 4, 3.5 * 1.15)]
    [TestCase(56, 4, 3.35 * 1.15)]
    [TestCase(63, 4, 3.25 * 1.15)]
    [TestCase(64, 4, 3.2)]
    [TestCase(79, 4, 3.2)]
    [TestCase(80, 5, 3.2)]
    [TestCase(160, 10, 3.2)]
    public void A_step_is_a_change_above_the_critical_value_of_its_blocks(int length, int block, double critical)
    {
        // Noise that changes its sign with every value has a negative correlation, which raises nothing.
        var random = RandomStream.For(1);
        var noise = new double[length];
        for (var at = 0; at < length; at++)
            noise[at] = (at % 2 == 0 ? 1 : -1) * random.NextDouble();
        var (statistic, correlation) = AtTheBorder(noise, block);
        Assert.That(correlation, Is.Negative);
        Assert.That(statistic, Is.EqualTo(critical).Within(1e-6));
    }

    // The critical value grows by 3.5 for each unit of correlation that the blocks do not take in.
    [TestCase(40, 4, 4.1 * 1.25, .3)]
    [TestCase(52, 4, 3.5 * 1.15, .3)]
    [TestCase(64, 4, 3.2, .3)]
    [TestCase(80, 5, 3.2, .35)]
    [TestCase(96, 6, 3.2, .45)]
    [TestCase(160, 10, 3.2, .45)]
    public void Correlation_raises_the_critical_value(int length, int block, double critical, double takenIn)
    {
        var (statistic, correlation) = AtTheBorder(Series(2, length, .9, _ => 0), block);
        Assert.That(correlation, Is.GreaterThan(takenIn + .05));
        Assert.That(statistic, Is.EqualTo(critical * (1 + 3.5 * (correlation - takenIn))).Within(1e-6));
    }

    // What comes after a cut is tested without allowance: a trend would pass for correlation there. Values with a step
    // that the whole series may just have are stationary on their own, and not after thirty others.
    [Test]
    public void Only_the_whole_series_is_allowed_its_correlation()
    {
        var noise = Series(2, 64, .9, _ => 0);
        double[] before = [.. Enumerable.Repeat(50.0, 30)];
        var stepped = Stepped(noise, 2);
        Assert.That(ChangePoints.Find(stepped), Is.EqualTo(new Stationarity(StationarityState.Reached, 0)));
        Assert.That(
            ChangePoints.Find([.. before, .. noise]),
            Is.EqualTo(new Stationarity(StationarityState.Reached, 30))
        );
        Assert.That(
            ChangePoints.Find([.. before, .. stepped]),
            Is.EqualTo(new Stationarity(StationarityState.Never, 0))
        );
    }

    // By bisection of the height of a step in the middle: what the largest series says that is still stationary.
    private static (double Statistic, double Correlation) AtTheBorder(double[] noise, int block)
    {
        var (stationary, changed) = (0.0, 1000.0);
        Assert.That((IsStationary(stationary), IsStationary(changed)), Is.EqualTo((true, false)));
        for (var step = 0; step < 50; step++)
        {
            var middle = (stationary + changed) / 2;
            if (IsStationary(middle))
                stationary = middle;
            else
                changed = middle;
        }
        var values = ChangePoints.Winsorized(Stepped(noise, stationary));
        var (statistic, change) = ChangePoints.Statistic(values, block);
        return (statistic, ChangePoints.Correlation(values, change));

        bool IsStationary(double height) =>
            ChangePoints.Find(Stepped(noise, height)) is { State: StationarityState.Reached, Since: 0 };
    }

    private static double[] Stepped(double[] noise, double height) =>
        [.. noise.Select((value, at) => at < noise.Length / 2 ? value + height : value)];

    private static double[] Series(ulong seed, int length, double correlation, Func<int, double> mean)
    {
        var random = RandomStream.For(seed);
        var noise = NormalLaw.Standard(ref random);
        var values = new double[length];
        for (var at = 0; at < length; at++)
        {
            noise = correlation * noise + Math.Sqrt(1 - correlation * correlation) * NormalLaw.Standard(ref random);
            values[at] = mean(at) + noise;
        }
        return values;
    }

    // By hand: the median is 3, the median deviation 1, and five standard deviations are 5 / .6745 = 7.4129.
    [Test]
    public void An_outlying_value_counts_at_five_deviations_from_the_median()
    {
        Assert.That(
            (ChangePoints.Winsorized([1, 2, 3, 4, 100])[4], ChangePoints.Winsorized([1, 2, 3, 4, -100])[4]),
            Is.EqualTo((10.4129, 2 - 7.4129)).Within(1e-4)
        );
        Assert.That(ChangePoints.Winsorized([1, 2, 3, 4, 10]), Is.EqualTo(new double[] { 1, 2, 3, 4, 10 }));
        Assert.That(ChangePoints.Winsorized([1, 1, 1, 9]), Is.EqualTo(new double[] { 1, 1, 1, 9 }));
    }

    // The first half may be cut off, but not more, and a rest of fewer than 32 values is not judged.
    [TestCase(10, 80, StationarityState.Reached)]
    [TestCase(40, 80, StationarityState.Reached)]
    [TestCase(41, 80, StationarityState.Never)]
    [TestCase(18, 50, StationarityState.Reached)]
    [TestCase(19, 50, StationarityState.Never)]
    public void At_least_half_of_a_series_and_32_values_must_be_left(int before, int length, StationarityState expected)
    {
        double[] step = [.. Enumerable.Repeat(5.0, before), .. Enumerable.Repeat(1.0, length - before)];
        Assert.That(
            ChangePoints.Find(step),
            Is.EqualTo(new Stationarity(expected, expected == StationarityState.Reached ? before : 0))
        );
    }

    // This holds whatever the number of blocks and their length are.
    [Test]
    public void Constant_series_of_every_length_are_stationary()
    {
        using var _ = Assert.EnterMultipleScope();
        for (var length = ChangePoints.FewestValues; length <= 300; length++)
            Assert.That(
                ChangePoints.Find(Enumerable.Repeat(3.0, length).ToArray()),
                Is.EqualTo(new Stationarity(StationarityState.Reached, 0)),
                $"{length} values"
            );
    }

    // The mean of values that no binary number equals is rounded, and sums of deviations grow with its size.
    [TestCase(.1)]
    [TestCase(123456789.1)]
    [TestCase(-123456789.1)]
    [TestCase(1e12 + .3)]
    public void Rounding_of_a_constant_is_no_deviation(double value)
    {
        using var _ = Assert.EnterMultipleScope();
        for (var length = ChangePoints.FewestValues; length <= 100; length++)
            Assert.That(
                ChangePoints.Statistic(Enumerable.Repeat(value, length).ToArray(), 4),
                Is.EqualTo((0.0, 0)),
                $"{length} values"
            );
    }
}
