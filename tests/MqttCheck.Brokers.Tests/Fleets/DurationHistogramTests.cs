using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Brokers.Fleets;

namespace MqttCheck.Brokers.Tests.Fleets;

public sealed class DurationHistogramTests
{
    [Test]
    public void Quantiles_are_those_of_the_sorted_durations_to_3_percent()
    {
        var property = Prop.ForAll(Gen.NonEmptyListOf(Gen.Choose(0, int.MaxValue).Select(value => (long)value * value >> 20)).ToArbitrary(), durations =>
        {
            var histogram = new DurationHistogram();
            foreach (var duration in durations) histogram.Add(duration);
            var sorted = durations.Order().ToArray();
            foreach (var share in new[] { 0.01, 0.5, 0.9, 0.99, 1 })
            {
                var exact = sorted[Math.Max(1, (int)Math.Ceiling(share * sorted.Length)) - 1];
                Assert.That(histogram.QuantileNanoseconds(share), Is.EqualTo((double)exact).Within(exact / 32.0));
            }
            Assert.That((histogram.Count, histogram.MaximumNanoseconds), Is.EqualTo((sorted.Length, sorted[^1])));
        });
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(200).WithReplay(4711UL, 1UL), property);
    }

    [Test]
    public void Extremes_are_counted_and_without_durations_a_quantile_is_0()
    {
        var histogram = new DurationHistogram();
        Assert.That(histogram.QuantileNanoseconds(0.5), Is.Zero);

        histogram.Add(long.MaxValue);
        histogram.Add(-5);

        Assert.That(histogram.QuantileNanoseconds(0.5), Is.Zero);
        Assert.That(histogram.QuantileNanoseconds(1) / long.MaxValue, Is.EqualTo(1).Within(1 / 32.0));
    }
}
