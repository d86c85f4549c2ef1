using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Latency;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Latency;

public sealed class QuantileTableTests
{
    private static readonly Config Replayed = Config.QuickThrowOnFailure.WithReplay(17, 3);

    [Test]
    public void Knots_ascend_from_the_smallest_value_and_stay_inside_the_data_range()
    {
        var samples = Gen.Choose(1, 800).SelectMany(count => Gen.Choose(0, 30_000).Select(i => i / 7.0).ArrayOf(count)).ToArbitrary();
        Check.One(Replayed, Prop.ForAll(samples, values =>
        {
            var table = Table(values);
            var knots = table.KnotsMilliseconds;
            return table.Rows == values.Length && knots.Zip(knots.Skip(1)).All(pair => pair.First <= pair.Second)
                && Math.Abs(knots[0] - values.Min()) <= 1e-4 * values.Min() && knots[^1] <= values.Max() * 1.0001;
        }));
    }

    [Test]
    public void Distribution_function_inverts_the_draw()
    {
        var samples = Gen.Choose(2, 800).SelectMany(count => Gen.Choose(0, 30_000).Select(i => i / 7.0).ArrayOf(count)).ToArbitrary();
        Check.One(Replayed, Prop.ForAll(samples, values =>
        {
            var table = Table(values);
            var model = new BinnedQuantilesModel(new Dictionary<int, QuantileTable> { [0] = table });
            var random = RandomStream.For(5);
            for (var i = 0; i < 50; i++)
            {
                var u = random;
                var drawn = model.Draw(ref random);
                var expected = u.NextDouble();
                // Inside an atom the middle of the jump is returned.
                var below = table.CumulativeProbability(MathF.BitDecrement((float)drawn));
                var above = table.CumulativeProbability(MathF.BitIncrement((float)drawn));
                if (expected < below - 1e-4 || expected > above + 1e-4) return false;
            }
            return true;
        }));
    }

    [Test]
    public void Small_samples_are_kept_value_by_value() =>
        Assert.That(Table([3, 1, 2, 2]).KnotsMilliseconds, Is.EqualTo(new[] { 1f, 2f, 2f, 3f }));

    [Test]
    public void One_value_makes_a_constant()
    {
        var table = Table([1.5]);
        Assert.That(table.KnotsMilliseconds, Is.EqualTo(new[] { 1.5f, 1.5f }));
        Assert.That(table.CumulativeProbability(1.5), Is.EqualTo(0.5));
    }

    // With 4 million draws of a law with deviation 5 the mean is off by .0025; a tolerance of .02 is 8 deviations.
    [Test]
    public void Quantiles_and_mean_of_a_skewed_law_are_kept()
    {
        var law = new LogNormalLaw(5, 0.7);
        var random = RandomStream.For(11);
        var values = new double[200_000];
        for (var i = 0; i < values.Length; i++) values[i] = law.Draw(ref random);
        var table = Table(values);
        Array.Sort(values);
        using (Assert.EnterMultipleScope())
        {
            foreach (var p in new[] { 0.01, 0.1, 0.5, 0.9, 0.97, 0.99, 0.998 })
                Assert.That(table.CumulativeProbability(values[(int)(p * values.Length)]), Is.EqualTo(p).Within(0.0005), $"at {p}");
            Assert.That(MeanOf(table), Is.EqualTo(values.Average()).Within(0.02));
        }
    }

    [Test]
    public void One_outlier_does_not_stretch_the_tail_beyond_its_weight()
    {
        var values = Enumerable.Range(0, 99_999).Select(i => i / 99_999.0).Append(10_000).ToArray();
        var table = Table(values);
        Assert.That(table.KnotsMilliseconds[^1], Is.LessThan(250));
        Assert.That(MeanOf(table), Is.EqualTo(values.Average()).Within(0.01));
    }

    private static QuantileTable Table(double[] values) => QuantileTable.From(values.Order().ToArray());

    private static double MeanOf(QuantileTable table)
    {
        var model = new BinnedQuantilesModel(new Dictionary<int, QuantileTable> { [0] = table });
        var random = RandomStream.For(3);
        var sum = 0.0;
        const int draws = 4_000_000;
        for (var i = 0; i < draws; i++) sum += model.Draw(ref random);
        return sum / draws;
    }
}
