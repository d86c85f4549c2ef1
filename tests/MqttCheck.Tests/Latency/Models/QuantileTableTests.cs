using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Latency.Models;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Latency.Models;

public sealed class QuantileTableTests
{
    private static readonly Config Replayed = Config.QuickThrowOnFailure.WithReplay(17, 3);

    [Test]
    public void Knots_ascend_from_the_smallest_value_and_stay_inside_the_data_range()
    {
        var samples = Gen.Choose(1, 800)
            .SelectMany(count => Gen.Choose(0, 30_000).Select(i => i / 7.0).ArrayOf(count))
            .ToArbitrary();
        Check.One(
            Replayed,
            Prop.ForAll(
                samples,
                values =>
                {
                    var table = Table(values);
                    var knots = table.KnotsMilliseconds;
                    return table.Rows == values.Length
                        && knots.Zip(knots.Skip(1)).All(pair => pair.First <= pair.Second)
                        && Math.Abs(knots[0] - values.Min()) <= 1e-3 * values.Min()
                        && knots[^1] <= values.Max() * 1.001;
                }
            )
        );
    }

    [Test]
    public void Distribution_function_inverts_the_draw()
    {
        var samples = Gen.Choose(2, 800)
            .SelectMany(count => Gen.Choose(0, 30_000).Select(i => i / 7.0).ArrayOf(count))
            .ToArbitrary();
        Check.One(
            Replayed,
            Prop.ForAll(
                samples,
                values =>
                {
                    var table = Table(values);
                    var model = LatencyModelTesting.Constant(table);
                    var random = RandomStream.For(5);
                    for (var i = 0; i < 50; i++)
                    {
                        var u = random;
                        var drawn = model.Draw(ref random);
                        var expected = u.NextDouble();
                        // Inside an atom the middle of the jump is returned.
                        var below = table.CumulativeProbability(MathF.BitDecrement((float)drawn));
                        var above = table.CumulativeProbability(MathF.BitIncrement((float)drawn));
                        if (expected < below - 1e-4 || expected > above + 1e-4)
                            return false;
                    }
                    return true;
                }
            )
        );
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

    [Test]
    public void Tables_of_weighted_latencies_agree_with_tables_of_repeated_ones()
    {
        var random = RandomStream.For(4);
        var sample = new WeightedSample();
        var repeated = new List<double>();
        for (var i = 0; i < 2000; i++)
        {
            var (value, weight) = (Math.Round(10 * random.NextDouble(), 2), 1 + random.NextInt(3));
            sample.Add(value, weight);
            for (var k = 0; k < weight; k++)
                repeated.Add(value);
        }
        var weighted = QuantileTable.From(sample, repeated.Count);
        var plain = Table([.. repeated]);
        for (var i = 0; i < plain.KnotsMilliseconds.Length - 1; i++)
            Assert.That(weighted.KnotsMilliseconds[i], Is.EqualTo(plain.KnotsMilliseconds[i]).Within(0.03));
    }

    [Test]
    public void Large_table_in_a_pool_stands_for_its_exchanges()
    {
        var law = new LogNormalLaw(5, 0.7);
        var random = RandomStream.For(12);
        var table = Table([.. Enumerable.Range(0, 50_000).Select(_ => law.Draw(ref random))]);
        var sample = new WeightedSample();
        table.AddTo(sample, 2);
        var doubled = QuantileTable.From(sample, table.Rows);
        foreach (var p in new[] { 2.0, 5, 10, 15 })
            Assert.That(doubled.CumulativeProbability(2 * p), Is.EqualTo(table.CumulativeProbability(p)).Within(0.004));
    }

    [TestCase(50_000, 0.01)]
    [TestCase(200, 0.02)]
    public void Table_to_the_power_of_four_stands_for_the_largest_of_four(int rows, double tolerance)
    {
        var random = RandomStream.For(13);
        var table = Table([.. Enumerable.Range(0, rows).Select(_ => -3 * Math.Log(1 - random.NextDouble()))]);
        var sample = new WeightedSample();
        table.AddTo(sample, 1, 4);
        var largest = QuantileTable.From(sample, rows);
        foreach (var x in new[] { 1.0, 3, 5, 8 })
            Assert.That(
                largest.CumulativeProbability(x),
                Is.EqualTo(Math.Pow(table.CumulativeProbability(x), 4)).Within(tolerance),
                $"at {x}"
            );
    }

    // E|X - y| - E|X - X'| / 2 on the logarithmic scale, by the sum over all pairs of knots of a table of single
    // values.
    [TestCase(0.5)]
    [TestCase(3)]
    [TestCase(4.2)]
    [TestCase(40)]
    [Category("Whole")]
    public void Ranked_score_is_that_of_its_definition(double observed)
    {
        var random = RandomStream.For(2);
        var values = Enumerable.Range(0, 200).Select(_ => 1 + 9 * random.NextDouble()).ToArray();
        var table = Table(values);
        var model = LatencyModelTesting.Constant(table);
        var draws = Enumerable.Range(0, 3000).Select(_ => Math.Log(model.Draw(ref random) + 0.001)).ToArray();
        var y = Math.Log(observed + 0.001);
        var expected =
            draws.Average(x => Math.Abs(x - y))
            - draws.Average(a => draws.Where((_, i) => i % 10 == 0).Average(b => Math.Abs(a - b))) / 2;
        Assert.That(table.MeanRankedScore([observed], 1), Is.EqualTo(expected).Within(0.03));
        Assert.That(
            table.MeanRankedScore([observed, observed, observed], 64),
            Is.EqualTo(table.MeanRankedScore([observed], 1)).Within(1e-9)
        );
    }

    // With 4 million draws of a law with deviation 5 the mean is off by .0025; a tolerance of .02 is 8 deviations.
    [Test]
    public void Quantiles_and_mean_of_a_skewed_law_are_kept()
    {
        var law = new LogNormalLaw(5, 0.7);
        var random = RandomStream.For(11);
        var values = new double[200_000];
        for (var i = 0; i < values.Length; i++)
            values[i] = law.Draw(ref random);
        var table = Table(values);
        Array.Sort(values);
        using (Assert.EnterMultipleScope())
        {
            foreach (var p in new[] { 0.01, 0.1, 0.5, 0.9, 0.97, 0.99, 0.998 })
                Assert.That(
                    table.CumulativeProbability(values[(int)(p * values.Length)]),
                    Is.EqualTo(p).Within(0.0005),
                    $"at {p}"
                );
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
        var model = LatencyModelTesting.Constant(table);
        var random = RandomStream.For(3);
        var sum = 0.0;
        const int draws = 4_000_000;
        for (var i = 0; i < draws; i++)
            sum += model.Draw(ref random);
        return sum / draws;
    }
}
