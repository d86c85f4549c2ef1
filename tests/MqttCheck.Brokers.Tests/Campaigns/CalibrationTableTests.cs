using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Checking;
using MqttCheck.Latency;
using MqttCheck.Learning;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Tests.Campaigns;

public sealed class CalibrationTableTests
{
    private static readonly Population Profile = ProfileFile.Read("up1");

    // Two runs of ten sequences, of which 5 and 9 take less than 10 ms, all of them less than 20 ms; the model says 10 exchanges of 5 ms each.
    private static CalibrationTable Table(params double[] thresholds)
    {
        var setup = new CalibrationSetup(Profile, 3, 1);
        double[] first = [1, 2, 3, 4, 5, 12, 13, 14, 15, 16], second = [1, 2, 3, 4, 5, 6, 7, 8, 9, 16];
        var model = new LearnedModel
        {
            Model = new LawLatencyModel(new ConstantLaw(5)),
            Broker = LoggedBroker.Unknown,
            Machine = MachineInformation.Unknown,
            Training = new() { Cases = 1, ExchangesByKind = [1, 1, 1, 1, 1], FailedExchanges = 0, LogSha256 = [], Seed = 1 },
            Ranges = new(100, 100, 100, 1000),
        };
        return CalibrationTable.Of("test", [new(setup, [first, second])],
            asked => Forecast.Of(model, asked.Population, asked.Clients, new() { Replications = 100, Confidence = .95, PilotSequences = 0 }), thresholds, .95);
    }

    [Test]
    public void Points_count_where_some_but_not_nearly_all_sequences_were_in_time() =>
        Assert.That(Table(0.5, 10, 20).Points.Select(point => point.Predicted.ThresholdMilliseconds), Is.EqualTo(new[] { 10.0 }));

    [Test]
    public void Measured_value_is_the_mean_of_the_runs_with_their_interval_and_noise_floor()
    {
        var point = Table(10).Points.Single();
        using (Assert.EnterMultipleScope())
        {
            Assert.That(point.Measured, Is.EqualTo(0.7).Within(1e-12));
            // .5 and .9: each is .4 from the other.
            Assert.That(point.NoiseFloor, Is.EqualTo(0.4).Within(1e-12));
            // t(.975; 1) = 12.7 times .283 / sqrt(2) reaches over both ends.
            Assert.That(point.MeasuredInterval, Is.EqualTo(new Interval(0, 1)));
            Assert.That(point.Error, Is.EqualTo(0.3).Within(1e-12));
            Assert.That(point.Covered, Is.False);
        }
    }

    [Test]
    public void Summary_scores_intervals_and_leaves_noisy_points_out_on_demand()
    {
        var table = Table(10);
        using (Assert.EnterMultipleScope())
        {
            Assert.That(table.MeanError, Is.EqualTo(0.3).Within(1e-12));
            Assert.That(table.Bias, Is.EqualTo(0.3).Within(1e-12));
            Assert.That(table.Coverage, Is.Zero);
            // Width, and 2 / .05 times the distance of the measured value.
            var interval = table.Points[0].Predicted.Interval;
            Assert.That(table.IntervalScore, Is.EqualTo(interval.Upper - interval.Lower + 40 * (interval.Lower - 0.7)).Within(1e-9));
            Assert.That(table.WithNoiseFloorUpTo(0.03).Points, Is.Empty);
        }
    }

    [TestCase(null, 5.0, 0.1, null)]
    [TestCase(5.0, 5.4, 0.1, null)]
    [TestCase(5.0, 6.0, 0.1, "+20 %")]
    [TestCase(5.0, 4.0, 0.1, "-20 %")]
    [TestCase(5.0, 6.0, 0.8, null, TestName = "A change that chance makes is not said")]
    public void Idle_latency_that_moved_by_more_than_a_tenth_is_said(double? then, double now, double medianHalfWidth, string? said)
    {
        var text = IdleDrift.Describe(then, new IdleLatency(120, now / 2, now, now - medianHalfWidth, now + medianHalfWidth, now * 2, now * 3, now * 4));
        if (said is null) Assert.That(text, Is.Null);
        else Assert.That(text, Does.Contain(said).And.Contain("mqttcheck verify --refresh"));
    }
}
