using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Brokers.Fleets.Probes;
using MqttCheck.Latency;
using MqttCheck.Latency.Models;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Tests.Campaigns.Calibrations;

public sealed class CalibrationTableTests
{
    private static readonly Population Profile = ProfileFile.Read("up1");

    // Two runs of ten sequences, of which 5 and 9 take less than 10 ms, all of them less than 20 ms; the model says 10
    // exchanges of 5 ms each.
    private static CalibrationTable Table(params double[] thresholds) => Table(new ConstantLaw(5), thresholds);

    private static CalibrationTable Table(Law law, params double[] thresholds)
    {
        var setup = new CalibrationSetup(Profile, 3, 1);
        double[] first = [1, 2, 3, 4, 5, 12, 13, 14, 15, 16],
            second = [1, 2, 3, 4, 5, 6, 7, 8, 9, 16];
        var model = new LearnedModel
        {
            Model = new LawLatencyModel(law),
            Broker = LoggedBroker.Unknown,
            Machine = MachineInformation.Unknown,
            Training = new()
            {
                Cases = 1,
                ExchangesByKind = [1, 1, 1, 1, 1],
                FailedExchanges = 0,
                LogSha256 = [],
                Seed = 1,
            },
            Ranges = new(100, 100, 100, 1000),
        };
        return CalibrationTable.Of(
            "test",
            [new(setup, [first, second])],
            asked =>
                Forecast.Of(
                    model,
                    asked.Population,
                    asked.Clients,
                    new()
                    {
                        Replications = 1000,
                        Confidence = .95,
                        PilotSequences = 0,
                    }
                ),
            thresholds,
            .95
        );
    }

    [Test]
    public void Points_count_where_some_but_not_nearly_all_sequences_were_in_time() =>
        Assert.That(
            Table(0.5, 10, 20).Points.Select(point => point.Predicted.ThresholdMilliseconds),
            Is.EqualTo(new[] { 10.0 })
        );

    [Test]
    public void Measured_value_is_the_mean_of_the_runs_with_their_interval_and_noise_floor()
    {
        var point = Table(10).Points.Single();
        Assert.That(point.Measured, Is.EqualTo(0.7).Within(1e-12));
        // .5 and .9: each is .4 from the other.
        Assert.That(point.NoiseFloor, Is.EqualTo(0.4).Within(1e-12));
        // t(.975; 1) = 12.7 times .283 / sqrt(2) reaches over both ends.
        Assert.That(point.MeasuredInterval, Is.EqualTo(new Interval(0, 1)));
        Assert.That(point.Error, Is.EqualTo(0.3).Within(1e-12));
        Assert.That(point.Runs, Is.EqualTo(new[] { 0.5, 0.9 }));
        Assert.That((point.Coverage, point.HoldsMean), Is.EqualTo((0, false)));
    }

    [Test]
    public void Summary_scores_intervals_and_leaves_noisy_points_out_on_demand()
    {
        var table = Table(10);
        Assert.That((table.MeanError, table.Bias), Is.EqualTo((0.3, 0.3)).Within(1e-12));
        Assert.That(table.Coverage, Is.Zero);
        // Width, and 2 / .05 times the mean distance of the runs.
        var interval = table.Points[0].RunInterval;
        Assert.That(
            table.IntervalScore,
            Is.EqualTo(interval.Upper - interval.Lower + 40 * (interval.Lower - 0.7)).Within(1e-9)
        );
        Assert.That(table.WithNoiseFloorUpTo(0.03).Points, Is.Empty);
    }

    // A latency of at most 10 ms with probability .9, ten times: .9^10 = .349, and a run of three sequences has a
    // standard deviation of .275.
    [Test]
    public void Interval_of_one_run_holds_its_sampling_and_is_judged_by_single_runs()
    {
        var table = Table(new ExponentialLaw(10 / -Math.Log(0.1)), 10);
        var point = table.Points.Single();
        Assert.That(point.Predicted.Probability, Is.EqualTo(0.349).Within(0.04));
        Assert.That(point.RunInterval.Lower, Is.Zero);
        Assert.That(point.RunInterval.Upper, Is.EqualTo(point.Predicted.Probability + 1.96 * 0.275).Within(0.03));
        Assert.That(point.RunInterval.Upper, Is.GreaterThan(point.Predicted.Interval.Upper));
        Assert.That(point.Coverage, Is.EqualTo(0.5), "of .5 and .9, though their mean is held");
        // The mean of two runs has a deviation of .275 / sqrt 2.
        Assert.That(
            point.MeanInterval.Upper,
            Is.EqualTo(point.Predicted.Probability + 1.96 * 0.275 / Math.Sqrt(2)).Within(0.03)
        );
        Assert.That((point.HoldsMean, table.MeanCoverage), Is.EqualTo((true, 1)));
    }

    [Test]
    public void Rival_of_one_width_is_as_wide_as_the_same_coverage_needs()
    {
        // No run is held, so the rival is as narrow as can be: 40 times the mean distance of .5 and .9 from 1.
        Assert.That(Table(10).ConstantWidthScore, Is.EqualTo(40 * (1 - 0.7)).Within(1e-9));
        // A probability p of about .25: .5 is held, .9 is not, so .5 - p on both sides of p, and 40 times the .4 that
        // .9 is beyond for one run of two.
        var table = Table(new ExponentialLaw(10 / -Math.Log(1 - Math.Pow(0.25, 0.1))), 10);
        var point = table.Points.Single();
        Assert.That(point.Coverage, Is.EqualTo(0.5), $"the interval of a run is {point.RunInterval}");
        Assert.That(
            table.ConstantWidthScore,
            Is.EqualTo(0.5 - Math.Max(0, 2 * point.Predicted.Probability - 0.5) + 8).Within(1e-9)
        );
    }

    [TestCase(null, 5.0, 0.1, null)]
    [TestCase(5.0, 5.4, 0.1, null)]
    [TestCase(5.0, 6.0, 0.1, "+20 %")]
    [TestCase(5.0, 4.0, 0.1, "-20 %")]
    [TestCase(5.0, 6.0, 0.8, null, TestName = "A change that chance makes is not said")]
    public void Idle_latency_that_moved_by_more_than_a_tenth_is_said(
        double? then,
        double now,
        double medianHalfWidth,
        string? said
    )
    {
        var text = IdleDrift.Describe(
            then,
            new IdleLatency(120, now / 2, now, now - medianHalfWidth, now + medianHalfWidth, now * 2, now * 3, now * 4)
        );
        if (said is null)
            Assert.That(text, Is.Null);
        else
            Assert.That(text, Does.Contain(said).And.Contain("mqttcheck verify --refresh"));
    }
}
