using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Statistics;

public sealed class DurationCountsTests
{
    private static readonly Config s_config = Config.QuickThrowOnFailure.WithReplay(4711, 17).WithMaxTest(300);

    // Durations of all magnitudes, from nanoseconds to hours.
    private static readonly Arbitrary<long[]> s_durations = Gen.Choose(0, 41)
        .SelectMany(magnitude => Gen.Choose(0, int.MaxValue).Select(part => (long)(Math.ScaleB(part, magnitude - 31))))
        .Select(value => Math.Min(value, DurationCounts.LongestNanoseconds))
        .NonEmptyListOf()
        .Select(list => list.ToArray())
        .ToArbitrary();

    [Test]
    public void Quantiles_are_the_order_statistics_to_a_thousandth() =>
        Check.One(
            s_config,
            Prop.ForAll(
                s_durations,
                Gen.Choose(0, 1000).ToArbitrary(),
                (durations, permille) =>
                {
                    var share = permille / 1000.0;
                    var exact = durations
                        .Order()
                        .ElementAt(Math.Clamp((int)Math.Ceiling(share * durations.Length), 1, durations.Length) - 1);
                    var quantile = Of(durations).QuantileNanoseconds(share);
                    return quantile >= exact && quantile <= exact + exact / 1000.0 + 1e-9;
                }
            )
        );

    [Test]
    public void Count_mean_and_maximum_are_exact() =>
        Check.One(
            s_config,
            Prop.ForAll(
                s_durations,
                durations =>
                {
                    var counts = Of(durations);
                    return counts.Count == durations.Length
                        && counts.MaximumNanoseconds == durations.Max()
                        && Math.Abs(counts.MeanNanoseconds - durations.Average()) <= 1e-9 * durations.Average() + 1e-9;
                }
            )
        );

    [Test]
    public void Adding_two_counts_is_counting_everything() =>
        Check.One(
            s_config,
            Prop.ForAll(
                s_durations,
                s_durations,
                (first, second) =>
                {
                    var sum = Of(first);
                    sum.Add(Of(second));
                    var whole = Of([.. first, .. second]);
                    return whole.Buckets.SequenceEqual(sum.Buckets)
                        && (sum.Count, sum.MaximumNanoseconds) == (whole.Count, whole.MaximumNanoseconds)
                        && Math.Abs(sum.MeanNanoseconds - whole.MeanNanoseconds) <= 1e-9 * whole.MeanNanoseconds
                        && sum.QuantileNanoseconds(1) == whole.QuantileNanoseconds(1);
                }
            )
        );

    [Test]
    public void Buckets_hold_every_duration_once_and_in_order() =>
        Check.One(
            s_config,
            Prop.ForAll(
                s_durations,
                durations =>
                {
                    var buckets = Of(durations).Buckets.ToList();
                    return buckets.Sum(bucket => bucket.Count) == durations.Length
                        && buckets.All(bucket =>
                            bucket.Count
                            == durations.Count(duration =>
                                duration >= bucket.FromNanoseconds && duration <= bucket.ToNanoseconds
                            )
                        )
                        && buckets
                            .Zip(buckets.Skip(1))
                            .All(pair => pair.First.ToNanoseconds < pair.Second.FromNanoseconds);
                }
            )
        );

    [Test]
    public void What_is_out_of_range_counts_at_the_end_of_the_range()
    {
        var counts = Of([-5, long.MaxValue]);
        Assert.That(
            (counts.QuantileNanoseconds(0), counts.QuantileNanoseconds(1)),
            Is.EqualTo((0, DurationCounts.LongestNanoseconds))
        );
    }

    private static DurationCounts Of(long[] durations)
    {
        var counts = new DurationCounts();
        foreach (var duration in durations)
            counts.Add(duration);
        return counts;
    }

    [Test]
    public void Counts_that_travel_are_the_same_and_add_up()
    {
        var counts = new DurationCounts();
        foreach (var nanoseconds in (long[])[0, 1, 999, 1_234_567, 1_234_567, 98_765_432_100])
            counts.Add(nanoseconds);
        using var bytes = new MemoryStream();
        using (var writer = new BinaryWriter(bytes, System.Text.Encoding.UTF8, leaveOpen: true))
            counts.Write(writer);
        var read = new DurationCounts();
        for (var times = 1; times <= 2; times++)
        {
            bytes.Position = 0;
            using var reader = new BinaryReader(bytes, System.Text.Encoding.UTF8, leaveOpen: true);
            read.Add(reader);
            Assert.That(
                read.Buckets,
                Is.EqualTo(counts.Buckets.Select(bucket => bucket with { Count = bucket.Count * times }))
            );
            Assert.That(
                (read.Count, read.MeanNanoseconds, read.MaximumNanoseconds),
                Is.EqualTo((6 * times, counts.MeanNanoseconds, 98_765_432_100))
            );
        }
    }

    [Test]
    public void Without_durations_there_is_no_mean_no_quantile_and_no_maximum()
    {
        var counts = new DurationCounts();
        Assert.That(
            (counts.MeanNanoseconds, counts.QuantileNanoseconds(.5), counts.Count, counts.MaximumNanoseconds),
            Is.EqualTo((double.NaN, double.NaN, 0L, 0L))
        );
    }
}
