using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Files;
using MqttCheck.Latency.Models;
using MqttCheck.Latency.Quality;
using MqttCheck.Learning;
using MqttCheck.Learning.Learners;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Simulation;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Learning.Replay;

/// <summary>Learners that compete on brokers whose mechanism is known.</summary>
public sealed class ReplaySelectionTests
{
    // A connect costs the one server 3.4 ms, as a TLS handshake does, and everything else little; seed 1.
    private static readonly ExchangeLog Queueing = SimulatedBroker.TrainingLog(1, new QueueTruth());

    // Learning it takes seconds, and several tests ask for the same.
    private static readonly Lazy<LearnedModel> LearnedQueue = new(() =>
        LatencyLearning.Learn([Queueing], LearnerCatalogue.ByName(QueueModel.KindName), 1)
    );

    [Test]
    [Category("Whole")]
    public void Single_server_is_recognised_and_its_demands_are_found()
    {
        var learned = LatencyLearning.Learn([Queueing], LearnerCatalogue.Default, 1);
        Assert.That(learned.Model, Is.InstanceOf<QueueModel>(), string.Join(", ", learned.Candidates));
        var demands = ((QueueModel)learned.Model).Demands;
        Assert.That((demands.ConnectVisits, demands.ConnectVisit), Is.EqualTo((2, 1)));
        Assert.That(demands.ConnectMilliseconds, Is.EqualTo(QueueTruth.Connect).Within(10).Percent);
        Assert.That(
            learned.Candidates.Select(candidate => candidate.Learner),
            Is.EquivalentTo(LearnerCatalogue.Candidates.Select(learner => learner.Name))
        );
        Assert.That(learned.Replay!.Error, Is.LessThan(0.1));
    }

    // 130 clients, beyond the 100 of the training: prediction and truth simulate about 30 000 sequences each.
    [Test]
    public void Prediction_of_a_loaded_server_holds_beyond_the_client_counts_of_the_training()
    {
        var learned = LearnedQueue.Value;
        var up1 = ProfileFile.Read("up1");
        var options = new PredictionOptions
        {
            Replications = 60,
            SequencesPerClient = 4,
            PilotSequences = 0,
            Confidence = .95,
        };
        var forecast = Forecast.Of(learned, up1, 130, options);
        var truth = FleetSimulation
            .Run(
                new QueueTruth(),
                new()
                {
                    Population = up1,
                    Clients = 130,
                    Sequences = 4,
                    Seed = 99,
                },
                60,
                2
            )
            .WorstMilliseconds.ToArray();
        using (Assert.EnterMultipleScope())
        {
            foreach (var threshold in new[] { 6.0, 8, 10, 15, 20 })
            {
                var share = truth.Count(worst => worst < threshold) / (double)truth.Length;
                var point = forecast.Point(threshold);
                Assert.That(point.Probability, Is.EqualTo(share).Within(0.06), $"at {threshold} ms");
                Assert.That(
                    share,
                    Is.InRange(point.Interval.Lower, point.Interval.Upper),
                    $"interval at {threshold} ms"
                );
            }
        }
    }

    [Test]
    public void Without_the_populations_the_default_learner_says_that_nothing_was_compared()
    {
        var log = Queueing with
        {
            Information = Queueing.Information with
            {
                Cases = [.. Queueing.Information.Cases.Select(run => run with { Population = null })],
            },
        };
        var learned = LatencyLearning.Learn([log], LearnerCatalogue.Default, 1);
        Assert.That(learned.Model, Is.InstanceOf<BinnedQuantilesModel>());
        Assert.That(learned.Replay, Is.Null);
        Assert.That(learned.Training.Notes, Has.Some.StartsWith("binned-quantiles was taken without comparison"));
        Assert.That(
            () => LatencyLearning.Learn([log], LearnerCatalogue.ByName("queue"), 1),
            Throws.InstanceOf<InputException>().With.Message.Contains("cannot be simulated")
        );
    }

    [Test]
    [Category("Whole")]
    public void Cases_whose_clients_may_send_what_no_case_shows_are_not_replayed_and_learning_goes_on()
    {
        var log = Queueing with
        {
            Exchanges = [.. Queueing.Exchanges.Where(exchange => exchange.Message != MessageKind.Unsubscribe)],
        };
        var learned = LatencyLearning.Learn([log], LearnerCatalogue.ByName(BinnedQuantilesModel.KindName), 1);
        Assert.That(learned.Replay, Is.Null, "all populations send unsubscribe, so no case can be simulated");
        Assert.That(learned.Training.Notes, Has.Some.Contains("No successful unsubscribe in the log"));
    }

    private static double Half(ReplayQuality quality, double active, double threshold) =>
        quality.ErrorsAt(active, threshold).HalfWidth(.95, 1, 0);

    [Test]
    public void Error_of_replayed_cases_widens_the_interval_most_near_one_half_and_at_similar_loads_and_thresholds()
    {
        var quality = new ReplayQuality(
            0.1,
            [.. Cases(10, 1.2, 8, 0.03), .. Cases(10, 60, 8, 0.2), .. Cases(10, 1.2, 512, 0.2)]
        );
        Assert.That(Half(quality, 1.2, 8), Is.LessThan(Half(quality, 60, 8) * 0.7));
        Assert.That(Half(quality, 1.2, 8), Is.LessThan(Half(quality, 1.2, 512) * 0.7));
        Assert.That(ReplayQuality.Shape(0.5), Is.EqualTo(1));
        Assert.That(ReplayQuality.Shape(0.99), Is.EqualTo(0.198997).Within(1e-6));
    }

    [Test]
    public void Thresholds_below_the_resolution_say_nothing_about_those_above()
    {
        ReplayedCase[] cases =
        [
            .. Enumerable
                .Range(0, 12)
                .Select(_ => new ReplayedCase(10, 100, 1.2, 1.2, [new(0.1, 0.8, 0.4, 0.01), new(8, 0.8, 0.02, 0.01)])),
        ];
        var quality = ReplayQuality.Of(cases, fewest: 6);
        // sqrt(.02^2 - .01^2)
        Assert.That(quality.Error, Is.EqualTo(0.01732).Within(1e-5));
        Assert.That(Half(quality, 1.2, 8), Is.LessThan(0.1));
        Assert.That(Half(quality, 1.2, 0.1), Is.GreaterThan(0.4));
    }

    [Test]
    [Category("Whole")]
    public void Alternatives_that_disagree_no_more_than_they_did_in_the_replays_widen_no_interval()
    {
        var model = new ReplayQuality(0.03, Cases(12, 1.2, 8, 0.05));
        var (near, far) = (
            new ReplayQuality(0.03, Cases(12, 1.2, 8, 0.08)),
            new ReplayQuality(0.03, Cases(12, 1.2, 8, -0.03))
        );
        var beside = model.Beside([near, far]);
        var learned = LearnedQueue.Value with { Replay = beside };
        Assert.That(model.SpreadAt(1.2, 8), Is.Zero);
        // Probabilities that are .03 above and .08 below: sqrt((.03^2 + .08^2) / 2) / (4 * .8 * .2)^(1/4).
        Assert.That(beside.SpreadAt(1.2, 8), Is.EqualTo(0.06755).Within(1e-5));
        Assert.That(Half(beside, 1.2, 8), Is.EqualTo(Half(model, 1.2, 8)));
        Assert.That(
            LatencyModelFile.Parse(LatencyModelFile.ToBytes(learned), "model.json").Replay!.SpreadAt(1.2, 8),
            Is.EqualTo(beside.SpreadAt(1.2, 8))
        );

        // Ten exchanges of a mean of 1.6 ms within 8 ms: (1 - exp(-5))^10 = .935; of 1.65 ms .924; of 3 ms .48.
        var alone = Width();
        Assert.That(Width(1.65), Is.EqualTo(alone).Within(1e-12), "less than in the replays");
        Assert.That(Width(3), Is.GreaterThan(2 * alone), "far more than in the replays");

        double Width(params double[] alternatives)
        {
            var forecast = Forecast.Of(
                learned with
                {
                    Model = Exponential(1.6),
                    Alternatives = [.. alternatives.Select(Exponential)],
                },
                ProfileFile.Read("up1"),
                20,
                new PredictionOptions { Replications = 400, PilotSequences = 0 }
            );
            var interval = forecast.Interval(8);
            return interval.Upper - interval.Lower;
        }

        static LawLatencyModel Exponential(double mean) =>
            new(LawText.Parse(string.Create(CultureInfo.InvariantCulture, $"exponential:{mean}ms"), "test"));
    }

    private static ReplayedCase[] Cases(int count, double meanActive, double thresholdMilliseconds, double error) =>
        [
            .. Enumerable
                .Range(0, count)
                .Select(_ => new ReplayedCase(
                    10,
                    100,
                    meanActive,
                    meanActive,
                    [new(thresholdMilliseconds, 0.8, error, 0.01)]
                )),
        ];

    [Test]
    [Category("Whole")]
    public void Model_that_runs_away_where_training_did_not_is_replaced_by_the_next()
    {
        var learned = LearnedQueue.Value;
        var runaway = learned with
        {
            Model = new LawLatencyModel(new ConstantLaw(2000)),
            Alternatives = [learned.Model],
        };
        var forecast = Forecast.Of(
            runaway,
            ProfileFile.Read("up1"),
            60,
            new PredictionOptions { Replications = 20, PilotSequences = 0 }
        );
        Assert.That(forecast.Notes, Has.Some.Contains("ran away in the simulation, so queue was taken"));
    }

    // 5 ms of a server that goes on accepting as long as connections come; seed 1. Prediction and truth simulate about
    // 30 000 sequences each, beyond the 100 clients of the training.
    [Test]
    [Category("Whole")]
    public void A_server_that_sets_up_connections_first_is_recognised_and_predicted_beyond_the_trained_client_counts()
    {
        var log = SimulatedBroker.TrainingLog(1, new HandshakeTruth(variation: 0));
        var learned = LatencyLearning.Learn([log], LearnerCatalogue.ByName(QueueModel.KindName), 1);
        var setUp = ((QueueModel)learned.Model).SetUp!;
        var up1 = ProfileFile.Read("up1");
        var forecast = Forecast.Of(
            learned,
            up1,
            130,
            new PredictionOptions
            {
                Replications = 60,
                SequencesPerClient = 4,
                PilotSequences = 0,
                Confidence = .95,
            }
        );
        var truth = FleetSimulation
            .Run(
                new HandshakeTruth(variation: 0),
                new()
                {
                    Population = up1,
                    Clients = 130,
                    Sequences = 4,
                    Seed = 99,
                },
                60,
                2
            )
            .WorstMilliseconds.ToArray();
        using var _ = Assert.EnterMultipleScope();
        Assert.That(setUp.First, Is.True);
        Assert.That(setUp.Milliseconds, Is.EqualTo(HandshakeTruth.Handshake).Within(10).Percent);
        Assert.That(setUp.Variation, Is.LessThan(0.04), "the same in every run");
        Assert.That(learned.Replay!.Error, Is.LessThan(0.1));
        foreach (var threshold in new[] { 10.0, 20, 30, 60, 100 })
            Assert.That(
                forecast.Point(threshold).Probability,
                Is.EqualTo(truth.Count(worst => worst < threshold) / (double)truth.Length).Within(0.06),
                $"at {threshold} ms"
            );
    }

    // Seed 1: the work of handshakes has a deviation of 12 % from case to case. An estimate from 25 normal values is
    // within a third of it with probability .98.
    [Test]
    [Category("Whole")]
    public void Work_that_differs_from_run_to_run_is_found_and_makes_runs_differ()
    {
        var log = SimulatedBroker.TrainingLog(1, new HandshakeTruth(variation: 0.12));
        // A coarse clock says of some connections that they were set up in no time.
        log = log with
        {
            Exchanges =
            [
                .. log.Exchanges.Select(
                    (exchange, i) =>
                        i % 200 == 0 ? exchange with { IntendedMicroseconds = exchange.SentMicroseconds } : exchange
                ),
            ],
        };
        var learned = LatencyLearning.Learn([log], LearnerCatalogue.ByName(QueueModel.KindName), 1);
        var queue = (QueueModel)learned.Model;
        var steady = queue.With(queue.Demands, queue.SetUp! with { Variation = 0 });
        Assert.That(queue.SetUp!.Variation, Is.InRange(0.08, 0.16));
        Assert.That(Deviation(queue), Is.GreaterThan(1.5 * Deviation(steady)));

        // Of the share of sequences of a run that are in time.
        static double Deviation(QueueModel model)
        {
            var sample = FleetSimulation.Run(
                model,
                new()
                {
                    Population = ProfileFile.Read("up1"),
                    Clients = 130,
                    Sequences = 3,
                    Seed = 99,
                },
                40,
                2
            );
            var runs = sample
                .WorstMilliseconds.ToArray()
                .Chunk(390)
                .Select(run => run.Count(worst => worst < 30) / 390.0)
                .ToArray();
            var mean = runs.Average();
            return Math.Sqrt(runs.Sum(run => (run - mean) * (run - mean)) / (runs.Length - 1));
        }
    }

    /// <summary>
    /// One server that computes the handshake of every connection that comes before it does anything else.
    /// </summary>
    /// <param name="variation">The deviation of the logarithm of what a handshake takes, from run to run.</param>
    private sealed class HandshakeTruth(double variation) : LatencyModel
    {
        public const double Handshake = 5;

        public override string Kind => "truth";

        public override TResult Use<TResult>(int clients, ILatencyProcessConsumer<TResult> consumer) =>
            consumer.Run(() => new Process(variation, new double[clients]));

        private struct Process(double variation, double[] demand) : ILatencyProcess
        {
            private double _busyUntil,
                _acceptsUntil,
                _handshake;

            public static bool HasSetUp => true;

            public void Reset(ref RandomStream random)
            {
                _busyUntil = _acceptsUntil = 0;
                _handshake = Handshake * Math.Exp(variation * NormalLaw.Standard(ref random));
            }

            public LatencyStep SetUp(int client, double nowMilliseconds, ref RandomStream random)
            {
                _acceptsUntil = _busyUntil =
                    Math.Max(_busyUntil, nowMilliseconds) + _handshake * (0.9 + 0.2 * random.NextDouble());
                return new(_busyUntil + 1 + random.NextDouble(), Completes: true);
            }

            public LatencyStep Start(
                int client,
                in ExchangeFeatures features,
                double nowMilliseconds,
                ref RandomStream random
            )
            {
                demand[client] = features.Kind == MessageKind.Publish ? 0.05 + 0.02 * features.Subscribers : 0.05;
                return Continue(client, nowMilliseconds, ref random);
            }

            public LatencyStep Continue(int client, double nowMilliseconds, ref RandomStream random)
            {
                if (nowMilliseconds < _acceptsUntil)
                    return new(_acceptsUntil, Completes: false);
                _busyUntil = Math.Max(_busyUntil, nowMilliseconds) + demand[client];
                return new(_busyUntil + 0.3 * Math.Exp(0.4 * NormalLaw.Standard(ref random)), Completes: true);
            }
        }
    }

    /// <summary>One server; a connect visits it twice.</summary>
    private sealed class QueueTruth : LatencyModel
    {
        public const double Connect = 3.4;

        public override string Kind => "truth";

        public override TResult Use<TResult>(int clients, ILatencyProcessConsumer<TResult> consumer) =>
            consumer.Run(() => new Process(new double[clients], new bool[clients]));

        private struct Process(double[] rest, bool[] again) : ILatencyProcess
        {
            private double _busyUntil;

            public void Reset(ref RandomStream random) => _busyUntil = 0;

            public LatencyStep Start(
                int client,
                in ExchangeFeatures features,
                double nowMilliseconds,
                ref RandomStream random
            )
            {
                rest[client] = 0.3 * Math.Exp(0.4 * NormalLaw.Standard(ref random));
                again[client] = features.Kind == MessageKind.Connect;
                var demand =
                    features.Kind == MessageKind.Connect ? Connect
                    : features.Kind == MessageKind.Publish ? 0.12 + 0.05 * features.Subscribers
                    : 0.12;
                _busyUntil = Math.Max(_busyUntil, nowMilliseconds) + demand * (0.8 + 0.4 * random.NextDouble());
                return again[client]
                    ? new(_busyUntil, Completes: false)
                    : new(_busyUntil + rest[client], Completes: true);
            }

            public LatencyStep Continue(int client, double nowMilliseconds, ref RandomStream random)
            {
                _busyUntil = Math.Max(_busyUntil, nowMilliseconds) + 0.12;
                return new(_busyUntil + rest[client], Completes: true);
            }
        }
    }
}
