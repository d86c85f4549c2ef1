using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using Interval = MqttCheck.Statistics.Interval;

namespace MqttCheck.Tests.Sequential.Runs;

/// <summary>
/// Numbers were computed by a program of its own: bisection, 200 steps, of the wealth of the same seven bets, which it
/// multiplies and does not add up as logarithms.
/// </summary>
public sealed class BoundedMeanTests
{
    [TestCase(5, .5587342839834544)]
    [TestCase(20, .1864162062727522)]
    [TestCase(100, .04051715158839502)]
    public void Runs_that_are_all_zero_leave_little_more_than_what_no_interval_can_leave_out(int runs, double upper)
    {
        var interval = BoundedMean.Interval(new double[runs], .05);
        // A run of 1 that comes with the probability p is not seen in n runs with (1 - p)^n.
        var floor = 1 - Math.Pow(.025, 1.0 / runs);
        Assert.That(interval.Lower, Is.Zero);
        Assert.That(interval.Upper, Is.EqualTo(upper).Within(2e-6));
        Assert.That(interval.Upper, Is.InRange(floor, 1.13 * floor));
    }

    [Test]
    public void Both_ends_are_where_bets_reject()
    {
        var interval = BoundedMean.Interval([.1, .2, .3, .4], .05);
        Assert.That((interval.Lower, interval.Upper), Is.EqualTo((.08008820905084381, .7324811797586654)).Within(1e-6));
    }

    [Test]
    public void A_ratio_is_rejected_where_a_difference_with_that_factor_is()
    {
        (double, double)[] pairs = [(.9, .45), (.8, .4), (1, .5)];
        var few = BoundedMean.Ratio(pairs, .05);
        var many = BoundedMean.Ratio(pairs, .05, copies: 20);
        Assert.That(few.Lower, Is.EqualTo(.27023429048525643).Within(1e-5));
        Assert.That(few.Upper, Is.EqualTo(8.400985257676304).Within(1e-4));
        Assert.That((many.Lower, many.Upper), Is.EqualTo((1.7262697079065288, 2.158567511692844)).Within(1e-5));
    }

    [Test]
    public void Where_the_second_may_be_zero_a_ratio_has_no_upper_end()
    {
        var interval = BoundedMean.Ratio([(.1, 0), (.2, 0), (0, 0)], .05);
        Assert.That(interval.Upper, Is.EqualTo(double.PositiveInfinity));
        Assert.That(
            (BoundedMean.Ratio([(0, 0)], .05), BoundedMean.Interval([], .05)),
            Is.EqualTo((new Interval(0, double.PositiveInfinity), new Interval(0, 1)))
        );
    }

    [Test]
    public void An_interval_holds_the_mean_and_more_runs_like_these_make_it_narrower_and_a_smaller_error_wider() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(200).WithReplay(3, 7),
            Prop.ForAll(
                Gen.Choose(0, 1000).Select(value => value / 1000.0).NonEmptyListOf().ToArbitrary(),
                values =>
                {
                    double[] runs = [.. values];
                    var interval = BoundedMean.Interval(runs, .05);
                    return interval.Contains(runs.Average())
                        && interval is { Lower: >= 0, Upper: <= 1 }
                        && interval.Lower < interval.Upper
                        && Contains(interval, BoundedMean.Interval(runs, .05, copies: 3))
                        && Contains(BoundedMean.Interval(runs, .01), interval);
                }
            )
        );

    [Test]
    public void A_ratio_of_pairs_and_that_of_the_same_pairs_turned_round_are_reciprocals() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(100).WithReplay(5, 9),
            Prop.ForAll(
                Gen.Choose(1, 1000).Select(value => value / 1000.0).Two().NonEmptyListOf().ToArbitrary(),
                values =>
                {
                    (double, double)[] pairs = [.. values.Select(pair => (pair.Item1, pair.Item2))];
                    var ratio = BoundedMean.Ratio(pairs, .05);
                    var turned = BoundedMean.Ratio([.. pairs.Select(pair => (pair.Item2, pair.Item1))], .05);
                    return Near(ratio.Lower * turned.Upper) && Near(ratio.Upper * turned.Lower);
                }
            )
        );

    [Test]
    public void The_number_of_runs_for_a_wish_is_that_of_the_interval_that_grants_it()
    {
        double[] runs = [0, 0, 0, 0, 0];
        Interval Of(double copies) => BoundedMean.Interval(runs, .05, copies);
        // .0405 after 100 runs of zero, as above.
        var needed = BoundedMean.RunsUntil(runs.Length, Of, interval => interval.Upper <= .0405172);
        Assert.That(needed, Is.InRange(100, 102));
        Assert.That(BoundedMean.RunsUntil(5, Of, interval => interval.Lower > 0), Is.Null);
        Assert.That(BoundedMean.RunsUntil(5, Of, _ => true), Is.EqualTo(5));
    }

    private static bool Contains(Interval outer, Interval inner) =>
        outer.Lower <= inner.Lower + 1e-9 && inner.Upper <= outer.Upper + 1e-9;

    private static bool Near(double product) => double.IsNaN(product) || Math.Abs(product - 1) < 1e-4;
}
