using MqttCheck.Statistics;

namespace MqttCheck.Tests.Statistics;

public sealed class ChangePointsTests
{
    // 1000 stationary series of a seed each; were the false-alarm rate 1 %, more than 22 alarms would come with probability 2e-4 (binomial). In finite samples of strongly dependent values the test
    // exceeds its nominal rate somewhat, for which the bound of the second case leaves room: 3 %, more than 47 alarms with probability 2e-3.
    [TestCase(0.0, 22)]
    [TestCase(0.5, 47)]
    public void Stationary_series_give_no_more_false_alarms_than_promised(double correlation, int most)
    {
        var alarms = Enumerable.Range(0, 1000).Count(seed => ChangePoints.Find(Series((ulong)seed, 96, correlation, _ => 0)) is not { State: StationarityState.Reached, Since: 0 });

        Assert.That(alarms, Is.LessThanOrEqualTo(most));
    }

    [Test]
    public void Heavy_tails_give_no_more_false_alarms_than_promised()
    {
        var alarms = Enumerable.Range(0, 1000).Count(seed =>
        {
            var random = RandomStream.For((ulong)seed, 1);
            var values = new double[96];
            foreach (ref var value in values.AsSpan()) value = Math.Log(1 / random.NextOpenDouble() + (random.NextDouble() < 0.02 ? 40 : 0));
            return ChangePoints.Find(values) is not { State: StationarityState.Reached, Since: 0 };
        });

        Assert.That(alarms, Is.LessThanOrEqualTo(22));
    }

    // A warm-up of three deviations, over 15 of 96 values: found in all of 200 series, seeds 1 .. 200, to within a few values.
    [Test]
    public void The_end_of_a_warm_up_is_found()
    {
        var found = Enumerable.Range(1, 200).Select(seed => ChangePoints.Find(Series((ulong)seed, 96, 0.3, at => at < 15 ? 3 : 0))).ToArray();

        Assert.That(found.Count(result => result is { State: StationarityState.Reached, Since: >= 12 and <= 24 }), Is.GreaterThanOrEqualTo(190));
    }

    [Test]
    public void A_series_that_goes_on_rising_never_becomes_stationary()
    {
        var found = Enumerable.Range(1, 100).Select(seed => ChangePoints.Find(Series((ulong)seed, 96, 0, at => at * 0.2))).ToArray();

        Assert.That(found.Select(result => result.State), Has.All.EqualTo(StationarityState.Never));
    }

    [Test]
    public void Short_series_are_not_judged() =>
        Assert.That(ChangePoints.Find(new double[ChangePoints.FewestValues - 1]).State, Is.EqualTo(StationarityState.Unknown));

    [Test]
    public void Constant_series_are_stationary_and_a_step_between_constants_is_found()
    {
        var constant = Enumerable.Repeat(0.1, 40).ToArray();
        double[] step = [.. Enumerable.Repeat(5.0, 10), .. Enumerable.Repeat(1.0, 30)];
        using var _ = Assert.EnterMultipleScope();
        Assert.That(ChangePoints.Find(constant), Is.EqualTo(new Stationarity(StationarityState.Reached, 0)));
        Assert.That(ChangePoints.Find(step), Is.EqualTo(new Stationarity(StationarityState.Reached, 10)));
    }

    // 1, 2, 3, 10 by hand: the mean is 4, the sums -3, -5, -6, 0. After k = 3 values the contrast is -6; before, the sums deviate from their line (-2 a value) by -1, -1, 0; after it by 0.
    // So 4 * 36 / 2 = 72.
    [Test]
    public void Statistic_follows_its_formula() => Assert.That(ChangePoints.Statistic([1, 2, 3, 10]), Is.EqualTo((72.0, 3)));

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
}
