using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Tests.Campaigns.Calibrations;

public sealed class CalibrationSummaryTests
{
    // A point that predicts .5 with an interval of .4 to .6, and measured twice the same.
    private static CalibrationPoint Point(double measured) =>
        new(
            new("up1", 10, 8, .5, new(.4, .6)),
            new(.3, .7),
            new(.4, .6),
            [measured, measured],
            new(measured, measured)
        );

    [Test]
    public void Coverage_counts_points_and_its_interval_counts_trainings()
    {
        // Ten trainings of 20 points: nine with all points held, one with 10 of 20.
        var trainings = Enumerable.Range(0, 10).Select(training => Points(training == 0 ? 10 : 0)).ToArray();
        var clustered = CalibrationSummary.Of("b", trainings, .95)!;
        // The same 190 of 200 as 200 trainings of one point.
        var independent = CalibrationSummary.Of(
            "b",
            trainings.SelectMany(training => training).Select(point => (IReadOnlyList<CalibrationPoint>)[point]),
            .95
        )!;
        Assert.That(
            (clustered.Trainings, clustered.Points, clustered.Coverage, clustered.HoldsLevel),
            Is.EqualTo((10, 200, .95, true))
        );
        Assert.That(independent.Coverage, Is.EqualTo(.95));
        // Of 190 of 200 independent points a 99 % interval is about .95 +- 2.6 sqrt(.95 * .05 / 200) = .04.
        Assert.That(independent.CoverageInterval.HalfWidth, Is.EqualTo(.04).Within(.01));
        Assert.That(clustered.CoverageInterval.HalfWidth, Is.GreaterThan(2 * independent.CoverageInterval.HalfWidth));

        static IReadOnlyList<CalibrationPoint> Points(int outside) =>
            [.. Enumerable.Range(0, 20).Select(point => Point(point < outside ? .7 : .5))];
    }

    // Every third point outside, in every training alike: .67 of 300 points is not .95, however the points of a
    // training depend on each other.
    [Test]
    public void Intervals_that_are_too_narrow_are_noticed()
    {
        var summary = CalibrationSummary.Of(
            "b",
            Enumerable
                .Range(0, 10)
                .Select(_ =>
                    (IReadOnlyList<CalibrationPoint>)
                        [.. Enumerable.Range(0, 30).Select(point => Point(point % 3 == 0 ? .65 : .5))]
                ),
            .95
        )!;
        Assert.That(summary.HoldsLevel, Is.False, summary.CoverageInterval.ToString());
    }

    // Of the others' errors .1 and .1 the best width reaches to .1 on both sides: a score of .2. For a training that is
    // off by .3 that is .2 and 40 times the .2 beyond: 8.2. For one that is off by .1 the others are off by .1 and .3:
    // to reach .3 costs .6, to reach .1 costs .2 + 40 * .2 / 2 on average, so .6 it is.
    [Test]
    public void Rival_of_one_width_is_chosen_from_the_other_trainings()
    {
        var summary = CalibrationSummary.Of(
            "b",
            [
                [Point(.6)],
                [Point(.4)],
                [Point(.8)],
            ],
            .95
        )!;
        Assert.That(summary.ConstantWidthScore, Is.EqualTo((.6 + .6 + 8.2) / 3).Within(1e-9));
        // .2 wide; the one of .8 is .2 beyond.
        Assert.That((summary.Score, summary.MeanError), Is.EqualTo((.2 + 40 * .2 / 3, .5 / 3)).Within(1e-9));
    }

    [Test]
    public void One_training_says_nothing_of_the_next()
    {
        var summary = CalibrationSummary.Of(
            "b",
            [
                [Point(.5)],
                [],
            ],
            .95
        )!;
        Assert.That((summary.Trainings, summary.CoverageInterval), Is.EqualTo((1, new Interval(0, 1))));
        Assert.That(summary.ConstantWidthScore, Is.NaN);
        Assert.That(
            CalibrationSummary.Of(
                "b",
                [
                    [],
                ],
                .95
            ),
            Is.Null
        );
    }
}
