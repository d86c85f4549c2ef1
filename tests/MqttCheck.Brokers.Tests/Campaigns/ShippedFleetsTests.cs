using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Tests.Fleets;
using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Models;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Learners;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;

namespace MqttCheck.Brokers.Tests.Campaigns;

/// <summary>
/// The shipped fleets with an order, births, instants and wildcards, from the file over learning to a prediction, on
/// the embedded broker with a known delay law, in virtual time.
/// </summary>
[Parallelizable(ParallelScope.All)]
public sealed class ShippedFleetsTests
{
    private const int Clients = 40;
    private static readonly string[] s_fleets = ["tasmota", "home-assistant", "sparkplug", "simultaneous-meters"];
    private static readonly DelayPlan s_delays = DelayPlan.Parse("lognormal:5ms,0.5", "test");

    [TestCaseSource(nameof(s_fleets))]
    public void A_shipped_fleet_runs_on_the_embedded_broker_as_its_log_tells(string name)
    {
        var population = ProfileFile.Read(name);
        var (log, result) = VirtualFleet.Run(s_delays, population, Clients, 0, 2, null);

        Assert.That((result.Lost, result.Duplicates, result.Strays), Is.EqualTo((0, 0, 0)));
        Assert.That(log.Select(exchange => exchange.Outcome), Has.All.EqualTo(ExchangeOutcome.Success));
        var publications = log.Where(exchange => exchange.Message == MessageKind.Publish).ToList();
        Assert.That(publications.Average(one => one.Subscribers), Is.GreaterThan(.5), "the hubs follow the others");
        Assert.That(
            publications.Sum(one => one.Receivers),
            Is.EqualTo(publications.Sum(one => one.Subscribers)).Within(20)
        );

        var lastCounted = log.Where(one => one.Phase == ExchangePhase.Counted).Max(one => one.EndMicroseconds);
        var exchanges = log.Where(one => one.SentMicroseconds < lastCounted).ToArray();
        var filters = TopicSpace.Of(population, Clients).Filters!;
        var (replayed, _) = ExchangeLogReplay.FeaturesAndHolds(
            exchanges,
            population.CleanSessions(Clients),
            null,
            new() { Filters = [.. filters.Select(filter => new NumberedTopics(filter.Key, filter.Value))] }
        );
        Assert.That(
            replayed.Select(features => (features.Subscribers, features.TotalSubscriptions)),
            Is.EqualTo(exchanges.Select(exchange => (exchange.Subscribers, exchange.TotalSubscriptions)))
        );
    }

    // Training: 12 sequences of the fleet itself. Truth: 40 clients x 12 sequences; independent ones would leave a
    // standard error of .023 at most, those of one burst depend on each other. Seed 1.
    [TestCaseSource(nameof(s_fleets))]
    public void A_shipped_fleet_is_predicted(string name)
    {
        var population = ProfileFile.Read(name);
        AssertPredicted(population, [new(0, Clients, population)], .1);
    }

    // The same from a whole exploration. Seed 1.
    [TestCaseSource(nameof(s_fleets))]
    [Category("Whole")]
    public void A_shipped_fleet_is_predicted_from_an_exploration(string name)
    {
        var population = ProfileFile.Read(name);
        AssertPredicted(population, TrainingDesign.Doe2(1, TimeSpan.FromSeconds(120), population), .05);
    }

    private static void AssertPredicted(Population population, IReadOnlyList<TrainingCase> planned, double within)
    {
        var training = new List<Exchange>();
        var cases = new List<RunCase>();
        foreach (var one in planned)
        {
            var sequences = one.Duration is null ? 12 : (int?)null;
            training.AddRange(
                VirtualFleet.Run(s_delays, one.Population, one.Clients, one.Run, sequences, one.Duration).Log
            );
            cases.Add(
                new()
                {
                    Run = one.Run,
                    Purpose = RunPurpose.Explore,
                    Clients = one.Clients,
                    Population = one.Population,
                }
            );
        }
        var log = new ExchangeLog { Exchanges = [.. training], Information = Information(cases) };
        var model = LearnerCatalogue.ByName(BinnedQuantilesModel.KindName).Learn(TrainingData.From(log), 1).Model;

        var truth = VirtualFleet
            .Run(s_delays, population, Clients, 1000, 12, null)
            .Result.Outcomes.Select(outcome => outcome.Latencies.WorstMilliseconds)
            .Order()
            .ToArray();
        var prediction = Predictor.Predict(
            model,
            population,
            Clients,
            new()
            {
                Replications = 10,
                SequencesPerClient = 4,
                PilotSequences = 0,
            }
        );
        for (var i = 1; i <= 5; i++)
        {
            var threshold = truth[(int)(truth.Length * (i * .18))];
            var share = truth.Count(worst => worst < threshold) / (double)truth.Length;
            Assert.That(
                prediction.Probability(threshold),
                Is.EqualTo(share).Within(within),
                $"at {threshold:0.###} ms"
            );
        }
    }

    private static RunInformation Information(IReadOnlyList<RunCase> cases) =>
        new()
        {
            ToolVersion = "test",
            Seed = 1,
            Started = DateTimeOffset.UnixEpoch,
            Broker = LoggedBroker.Unknown,
            Machine = MachineInformation.Unknown,
            Cases = cases,
            Complete = true,
        };
}
