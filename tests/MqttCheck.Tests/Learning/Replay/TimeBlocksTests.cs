using MqttCheck.Latency;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Files;
using MqttCheck.Latency.Quality;
using MqttCheck.Learning;
using MqttCheck.Learning.Learners;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Statistics;
using MqttCheck.Tests.Logs;

namespace MqttCheck.Tests.Learning.Replay;

/// <summary>A log of one run is cross-validated over its time, whoever its clients are. Seed 3.</summary>
[TestFixture]
public sealed class TimeBlocksTests
{
    private const double Milliseconds = 120_000;
    private static readonly Population s_up1 = ProfileFile.Read("up1");
    private static readonly LearnedModel s_steady = Learn(SyntheticBroker.Latency);

    [Test]
    public void Blocks_of_a_broker_that_stays_the_same_are_off_by_little()
    {
        Assert.That(s_steady.Replay!.Cases, Has.Count.EqualTo(24));
        Assert.That(s_steady.Replay.BlockSeconds, Is.EqualTo(5).Within(.1));
        Assert.That(s_steady.Replay.Error, Is.LessThan(.05));
        Assert.That(s_steady.Training.Cautions, Is.Empty);
        Assert.That(s_steady.Training.Notes, Has.Some.StartsWith("Cross-validated over time: 24 blocks of 5 s"));
    }

    [Test]
    public void The_largest_load_is_that_of_the_busiest_block()
    {
        var loads = s_steady.Replay!.Cases.Select(block => block.MessagesPerSecond).ToList();
        Assert.That(s_steady.Ranges.MessagesPerSecond, Is.EqualTo(loads.Max()));
        Assert.That(s_steady.Ranges.Smallest!.MessagesPerSecond, Is.EqualTo(loads.Min()).And.LessThan(loads.Average()));
    }

    // Exchanges chosen at random would have neighbours of their own minute in training, and agree with them.
    [Test]
    public void A_broker_that_changes_with_time_is_not_to_be_trusted()
    {
        var calls = 0;
        var changing = Learn(
            (in ExchangeFeatures features, ref RandomStream random) =>
                SyntheticBroker.Latency(features, ref random) * (calls++ < 6000 ? 1 : 3)
        );
        Assert.That(changing.Replay!.Error, Is.GreaterThan(.1));
        Assert.That(changing.Training.Cautions, Has.Some.StartsWith("Do not trust this model"));
    }

    [Test]
    public void A_prediction_within_the_range_has_an_interval_of_the_blocks()
    {
        var options = new PredictionOptions { Replications = 200 };
        var forecast = Forecast.Of(s_steady, s_up1, 15, options);
        var worse = s_steady with { Replay = Scaled(s_steady.Replay!, 4) };
        Assert.That(forecast.Level, Is.EqualTo(.95));
        Assert.That(forecast.Notes, Has.None.Contains("was not held against cases"));
        Assert.That(Width(forecast), Is.InRange(.01, .2));
        Assert.That(Width(Forecast.Of(worse, s_up1, 15, options)), Is.GreaterThan(1.5 * Width(forecast)));

        static double Width(Forecast of) => of.Interval(6) is var (lower, upper) ? upper - lower : 0;
    }

    private static ReplayQuality Scaled(ReplayQuality quality, double factor) =>
        quality with
        {
            Cases =
            [
                .. quality.Cases.Select(one =>
                    one with
                    {
                        Points = [.. one.Points.Select(point => point with { Error = factor * point.Error })],
                    }
                ),
            ],
        };

    [Test]
    public void The_model_file_keeps_the_blocks()
    {
        var read = LatencyModelFile.Parse(LatencyModelFile.ToBytes(s_steady), "model.json");
        Assert.That(read.Replay!.BlockSeconds, Is.EqualTo(s_steady.Replay!.BlockSeconds));
        Assert.That(read.Replay.Cases, Has.Count.EqualTo(24));
    }

    [TestCase(4_500, 6, .8)]
    [TestCase(1_500, 0, .95)]
    public void A_short_log_has_fewer_blocks_or_none(double milliseconds, int blocks, double level)
    {
        var learned = Learn(SyntheticBroker.Latency, milliseconds);
        Assert.That(learned.Replay?.Cases.Count ?? 0, Is.EqualTo(blocks));
        Assert.That(Forecast.Of(learned, s_up1, 15, new() { Replications = 5 }).Level, Is.EqualTo(level));
    }

    // A capture does not say what its clients do.
    private static LearnedModel Learn(SyntheticLatency latency, double milliseconds = Milliseconds)
    {
        var log = SyntheticRun.Log(3, [(20, s_up1, milliseconds)], latency);
        RunCase[] unknown = [log.Information.Cases[0] with { Population = null }];
        return LatencyLearning.Learn(
            [log with { Information = log.Information with { Cases = unknown } }],
            LearnerCatalogue.Default,
            3
        );
    }
}
