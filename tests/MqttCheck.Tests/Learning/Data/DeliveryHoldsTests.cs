using System.Text;
using MqttCheck.Latency;
using MqttCheck.Latency.Files;
using MqttCheck.Latency.Models;
using MqttCheck.Latency.Nagle;
using MqttCheck.Learning;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Learners;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Simulation;
using MqttCheck.Statistics.Laws;
using MqttCheck.Tests.Simulation;

namespace MqttCheck.Tests.Learning.Data;

/// <summary>Brokers that keep deliveries back until receivers acknowledge, and such as do not, simulated.</summary>
public sealed class DeliveryHoldsTests
{
    // The broker itself takes .2 to .6 ms; timers run for 40 to 44 ms.
    private static readonly LawLatencyModel Own = new LawLatencyModel(new UniformLaw(.2, .6));
    private static readonly NagleDeliveries Timers = new(0.98, QuantileTable.From([40, 44]));
    private static readonly NagleModel Holding = new NagleModel(Own, Timers);

    private static readonly Lazy<LearnedModel> LearnedBins = new(() =>
        LatencyLearning.Learn(
            [SimulatedBroker.TrainingLog(1, Holding)],
            LearnerCatalogue.ByName(BinnedQuantilesModel.KindName),
            1
        )
    );

    [Test]
    public void Deliveries_that_are_kept_back_are_recognised_and_what_is_the_brokers_own_is_told_apart()
    {
        var data = TrainingData.From(SimulatedBroker.TrainingLog(1, Holding));
        Assert.That(data.Held, Is.Not.Null);
        Assert.That(data.Held!.Share, Is.EqualTo(0.98).Within(0.01));
        // Receivers that send while their timer runs out cut it short, so the later ticks are seen less often.
        Assert.That(data.Held.TimerMilliseconds.Draw(0.5), Is.EqualTo(42).Within(0.5));
        Assert.That(
            data.Rows.Count(row => row.LatencyMilliseconds > 0.6001),
            Is.GreaterThan(500),
            "publications that wait"
        );
        Assert.That(
            data.OwnRows.Count(row => row.LatencyMilliseconds > 0.6001),
            Is.LessThan(5),
            "at the end of a case some wait for what is sent after it"
        );
    }

    [Test]
    public void Broker_that_sends_at_once_is_not_said_to_keep_deliveries_back() =>
        Assert.That(TrainingData.From(SimulatedBroker.TrainingLog(1, Own)).Held, Is.Null);

    // Latencies that have nothing to do with acknowledgements: some, nearly all, and all of them longer than any is
    // withheld.
    [TestCase("lognormal:15ms,1")]
    [TestCase("lognormal:80ms,0.4")]
    [TestCase("constant:50ms")]
    public void Slow_broker_is_not_said_to_keep_deliveries_back(string law) =>
        Assert.That(
            TrainingData.From(SimulatedBroker.TrainingLog(1, new LawLatencyModel(LawText.Parse(law, "law")))).Held,
            Is.Null
        );

    // Half of what the broker itself takes is longer than 8 ms, a quarter longer than 12.
    [Test]
    public void Deliveries_of_a_slow_broker_that_are_kept_back_are_recognised()
    {
        var held = TrainingData
            .From(SimulatedBroker.TrainingLog(1, new NagleModel(new LawLatencyModel(new LogNormalLaw(8, .6)), Timers)))
            .Held;
        Assert.That(held, Is.Not.Null);
        Assert.That(held!.Share, Is.EqualTo(0.98).Within(0.02));
    }

    // Receivers answer every 10 ms, so how long deliveries wait hangs on the waits of the profile that is predicted:
    // half a mean wait for some, more for others. The training has up to 100 clients. Prediction and truth simulate
    // some 30 000 sequences each.
    [TestCase("binned-quantiles")]
    [TestCase("queue")]
    [Category("Whole")]
    public void Prediction_of_clients_that_hardly_wait_holds_where_deliveries_wait_for_them(string learner)
    {
        var (wide, narrow) = (Short("wide", new UniformLaw(0, 20)), Short("narrow", new UniformLaw(2, 10)));
        var learned = LatencyLearning.Learn(
            [SimulatedBroker.TrainingLog(1, Holding, wide, narrow)],
            LearnerCatalogue.ByName(learner),
            1
        );
        using (Assert.EnterMultipleScope())
        {
            foreach (
                var (population, clients, thresholds) in new[]
                {
                    (wide, 130, new[] { 12.0, 20, 30 }),
                    (narrow, 130, [6.0, 10, 20]),
                }
            )
            {
                var forecast = Forecast.Of(
                    learned,
                    population,
                    clients,
                    new()
                    {
                        Replications = 60,
                        SequencesPerClient = 4,
                        PilotSequences = 0,
                        Confidence = .95,
                    }
                );
                var truth = FleetSimulation
                    .Run(
                        Holding,
                        new()
                        {
                            Population = population,
                            Clients = clients,
                            Sequences = 4,
                            Seed = 99,
                        },
                        60,
                        2
                    )
                    .WorstMilliseconds.ToArray();
                foreach (var threshold in thresholds)
                {
                    var share = truth.Count(worst => worst < threshold) / (double)truth.Length;
                    Assert.That(
                        forecast.Point(threshold).Probability,
                        Is.EqualTo(share).Within(0.02),
                        $"{population.Name} at {threshold} ms"
                    );
                }
            }
        }
    }

    [Test]
    [Category("Whole")]
    public void Model_with_deliveries_that_are_kept_back_predicts_the_same_when_read_from_its_file()
    {
        var learned = LearnedBins.Value;
        var bytes = LatencyModelFile.ToBytes(learned);
        var read = LatencyModelFile.Parse(bytes, "model");
        Assert.That((LatencyModelFile.ToBytes(read), Worst(read.Model)), Is.EqualTo((bytes, Worst(learned.Model))));
        Assert.That(Worst(read.Model), Is.Not.EqualTo(Worst(NagleModel.OwnOf(read.Model))));

        static double[] Worst(LatencyModel model) =>
            FleetSimulation
                .Run(
                    model,
                    new()
                    {
                        Population = Population.Of(TestProfiles.Up1),
                        Clients = 20,
                        Sequences = 2,
                        Seed = 3,
                    },
                    4,
                    1
                )
                .WorstMilliseconds.ToArray();
    }

    [TestCase("\"share\": 0.9", "\"share\": 1.9", ": heldDeliveries.share: 1.9")]
    [TestCase("\"share\"", "\"shore\"", ": heldDeliveries.share: the key is missing; allowed: a number, 0 .. 1")]
    [TestCase("\"timer\"", "\"clock\"", ": heldDeliveries.timer: the key is missing; allowed: an object")]
    [Category("Whole")]
    public void Malformed_file_is_refused_with_file_line_and_key(string part, string replacement, string message)
    {
        var text = Encoding.UTF8.GetString(LatencyModelFile.ToBytes(LearnedBins.Value));
        Assert.That(text, Does.Contain(part));
        Assert.That(
            () =>
                LatencyModelFile.Parse(
                    Encoding.UTF8.GetBytes(text.Replace(part, replacement, StringComparison.Ordinal)),
                    "model.json"
                ),
            Throws.TypeOf<InputException>().With.Message.Contains(message)
        );
    }

    private static Population Short(string name, Law wait) =>
        Population.Of(TestProfiles.Up1 with { Name = name, WaitMilliseconds = wait });
}
