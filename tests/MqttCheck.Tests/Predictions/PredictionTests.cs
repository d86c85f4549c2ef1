using MqttCheck.Latency.Models;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;
using MqttCheck.Tests.Simulation;

namespace MqttCheck.Tests.Predictions;

public sealed class PredictionTests
{
    private static readonly Population Up1 = Population.Of(TestProfiles.Up1);
    private static readonly PredictionOptions Options = new() { Confidence = .99, Seed = 7 };

    private static SetupPrediction LogNormal(int clients, PredictionOptions options) =>
        Predictor.Predict(new LawLatencyModel(new LogNormalLaw(1, .5)), Up1, clients, options);

    // The truth is Phi(ln 2 / .5)^10 = .421217; each interval misses it with probability at most .01, the seed is
    // fixed.
    [TestCase(1)]
    [TestCase(5)]
    [TestCase(130)]
    public void The_interval_covers_the_known_probability(int clients)
    {
        var prediction = LogNormal(clients, Options);
        Assert.That(prediction.Interval(2).Contains(.421217), Is.True, $"{prediction.Interval(2)}");
        Assert.That(prediction.Interval(2).Contains(prediction.Probability(2)), Is.True);
    }

    [Test]
    public void Clients_of_one_replication_narrow_the_interval_but_less_than_independent_sequences_would()
    {
        Assert.That(
            LogNormal(1, Options).Interval(2).HalfWidth,
            Is.InRange(.035, .045),
            "Clopper-Pearson, n = 1060, p = .42: .039"
        );
        // Empirical Bernstein: sqrt(2 * .42 * .58 / 130 * 6.1 / 1060) + 7 * 6.1 / (3 * 1059) = .0046 + .0134.
        Assert.That(LogNormal(130, Options).Interval(2).HalfWidth, Is.EqualTo(.0181).Within(.001));
    }

    // Laws that do not depend on the load leave sequences independent: p (1 - p) / 5, the variance of 1060 replications
    // being known to some 5 %.
    [Test]
    public void One_run_scatters_as_its_sequences_do()
    {
        Assert.That(
            LogNormal(5, Options).RunVariance(2),
            Is.EqualTo(.421217 * .578783 / 5).Within(.1 * .421217 * .578783 / 5)
        );
        Assert.That(LogNormal(5, Options).RunVariance(1e9), Is.Zero);
    }

    [Test]
    public void A_replication_has_as_many_sequences_as_a_round_of_stages_takes()
    {
        // 10 s of each load: 10 sequences at 1, 40 at 4.
        var staged = Population.Of(
            TestProfiles.Publisher(new ConstantLaw(100)) with
            {
                Stages = [new(10, 1), new(10, 4)],
            }
        );
        var prediction = Predictor.Predict(
            new LawLatencyModel(new ConstantLaw(1)),
            staged,
            4,
            new()
            {
                Seed = 7,
                Replications = 20,
                PilotSequences = 0,
            }
        );
        Assert.That((staged.SequencesPerRound, prediction.Sequences), Is.EqualTo((50, 50 * 4 * 20)));
    }

    // 1000 predictions from 20 replications of 5 clients each, nominal 90 %: at most 100 may miss on average; the bound
    // is conservative and misses none of these seeds.
    [Test]
    public void Intervals_keep_their_promise()
    {
        var missed = 0;
        for (ulong seed = 1; seed <= 1000; seed++)
        {
            var prediction = LogNormal(
                5,
                new()
                {
                    Seed = seed,
                    Replications = 20,
                    Confidence = .9,
                    Threads = 1,
                    PilotSequences = 0,
                }
            );
            if (!prediction.Interval(2).Contains(.421217))
                missed++;
        }
        Assert.That(missed, Is.LessThanOrEqualTo(100));
    }

    [Test]
    public void The_same_seed_gives_the_same_prediction_for_any_number_of_threads()
    {
        var one = LogNormal(20, Options with { Threads = 1 });
        var three = LogNormal(20, Options with { Threads = 3 });
        Assert.That(
            (three.SortedWorstMilliseconds.SequenceEqual(one.SortedWorstMilliseconds), three.Interval(2)),
            Is.EqualTo((true, one.Interval(2)))
        );
        Assert.That(three.MeanActive, Is.EqualTo(one.MeanActive));
    }

    [Test]
    public void The_pilot_leaves_the_estimate_alone()
    {
        var with = LogNormal(20, Options);
        var without = LogNormal(20, Options with { PilotSequences = 0 });
        Assert.That(with.SortedWorstMilliseconds.SequenceEqual(without.SortedWorstMilliseconds), Is.True);
        Assert.That(
            (with.SortedPilotMilliseconds.Length, without.SortedPilotMilliseconds.Length),
            Is.EqualTo((2000, 0))
        );
    }

    [Test]
    public void Quantiles_and_probabilities_agree()
    {
        var prediction = LogNormal(10, Options);
        foreach (var p in new[] { .001, .25, .5, .99, 1 })
        {
            var quantile = prediction.Quantile(p);
            Assert.That(prediction.Probability(quantile), Is.LessThan(p));
            Assert.That(prediction.Probability(Math.BitIncrement(quantile)), Is.GreaterThanOrEqualTo(p - 1e-12));
        }
        Assert.That(prediction.Quantile(1), Is.EqualTo(prediction.SortedWorstMilliseconds[^1]));
    }

    [Test]
    public void Chosen_thresholds_are_round_and_informative()
    {
        var prediction = LogNormal(50, Options);
        // Phi(ln t / .5)^10: .612 at 2.3 ms, .788 at 2.7, .846 at 2.9, .956 at 3.7.
        Assert.That(ThresholdChooser.Informative(prediction), Is.EqualTo(2.9).Or.EqualTo(3.0));
        var grid = ThresholdChooser.Grid(prediction);
        Assert.That(grid, Is.Ordered.And.Unique.And.Count.EqualTo(4));
        foreach (var threshold in grid)
        {
            Assert.That(threshold, Is.EqualTo(Math.Round(threshold, 1)));
            Assert.That(prediction.Probability(threshold), Is.InRange(.5, .99));
        }
    }

    [Test]
    public void Thresholds_get_more_digits_where_latencies_hardly_vary()
    {
        var narrow = Predictor.Predict(new LawLatencyModel(new UniformLaw(50, 50.02)), Up1, 20, Options);
        var threshold = ThresholdChooser.Informative(narrow);
        Assert.That(threshold, Is.InRange(50.015, 50.0205));
        Assert.That(narrow.Probability(threshold), Is.InRange(.5, .99));
        var constant = Predictor.Predict(new LawLatencyModel(new ConstantLaw(50)), Up1, 20, Options);
        Assert.That(ThresholdChooser.Informative(constant), Is.EqualTo(51));
        var none = Predictor.Predict(new LawLatencyModel(new ConstantLaw(0)), Up1, 20, Options);
        Assert.That(ThresholdChooser.Grid(none), Is.EqualTo(new[] { .001 }));
    }

    [Test]
    public void Wrong_options_are_refused_together()
    {
        var wrong = new PredictionOptions
        {
            Replications = 0,
            Confidence = 1,
            Threads = 0,
            TimerGridMilliseconds = -1,
            PilotSequences = -1,
        };
        Assert.That(wrong.Validate(), Has.Count.EqualTo(5));
        Assert.That(
            () => LogNormal(0, wrong),
            Throws
                .TypeOf<InputException>()
                .With.Message.Contains("number of replications is 0")
                .And.Message.Contains("number of clients is 0; allowed: 1 or more")
        );
    }
}
