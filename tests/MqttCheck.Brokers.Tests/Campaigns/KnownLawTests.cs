using System.Net;
using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Tests.Fleets;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Memory;
using MqttCheck.Clients;
using MqttCheck.Latency.Models;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Learners;
using MqttCheck.Learning.Replay;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Profiles;

namespace MqttCheck.Brokers.Tests.Campaigns;

/// <summary>
/// The whole way from a fleet on the embedded broker with a known delay law to a prediction, in virtual time, against
/// long runs on the same broker.
/// </summary>
// In virtual time, so that several may share the machine.
[Parallelizable(ParallelScope.All)]
public sealed class KnownLawTests
{
    private static readonly Population Profile = ProfileFile.Read("up2");

    private const int Clients = 60,
        TruthSequences = 250;

    // Truth: 60 clients x 250 sequences; independent ones would leave a standard error of .0041 at most, those of the
    // prediction one of .003, the 70 000 training exchanges one of about .007. Seed 1.
    [TestCase("lognormal:5ms,0.5")]
    [TestCase("exponential:5ms")]
    [TestCase("uniform:1..9ms")]
    [TestCase("normal:5ms,1ms")]
    [TestCase("empirical:1,2,3,4,5,6,8,11,16,30ms")]
    [TestCase("mixture:0.95*lognormal:4ms,0.3+0.05*normal:40ms,3ms")]
    [TestCase("lognormal:5ms,0.5;load=0.1")]
    [TestCase("exponential:5ms;load=0.1")]
    [TestCase("uniform:1..9ms;load=0.1")]
    [TestCase("normal:5ms,1ms;load=0.1")]
    [TestCase("empirical:1,2,3,4,5,6,8,11,16,30ms;load=0.1")]
    [TestCase("mixture:0.95*lognormal:4ms,0.3+0.05*normal:40ms,3ms", ReplayLearner.LearnerName)]
    [Category("Whole")]
    public void Learned_probability_is_near_the_one_of_the_known_law_at_twenty_thresholds(
        string law,
        string learner = BinnedQuantilesModel.KindName
    )
    {
        var plan = DelayPlan.Parse(law, "test");
        var training = new List<Exchange>();
        var cases = new List<RunCase>();
        foreach (var planned in TrainingDesign.Doe2(1, TimeSpan.FromSeconds(120), Profile))
        {
            training.AddRange(
                VirtualFleet.Run(plan, planned.Population, planned.Clients, planned.Run, null, planned.Duration).Log
            );
            cases.Add(
                new()
                {
                    Run = planned.Run,
                    Purpose = RunPurpose.Explore,
                    Clients = planned.Clients,
                    Population = planned.Population,
                }
            );
        }
        var log = new ExchangeLog { Exchanges = [.. training], Information = Information(cases) };
        var model = LearnerCatalogue.ByName(learner).Learn(TrainingData.From(log), 1).Model;

        var (_, result) = VirtualFleet.Run(plan, Profile, Clients, 1000, TruthSequences, null);
        var truth = result.Outcomes.Select(outcome => outcome.Latencies.WorstMilliseconds).Order().ToArray();
        var prediction = Predictor.Predict(
            model,
            Profile,
            Clients,
            new()
            {
                Replications = 100,
                SequencesPerClient = 4,
                PilotSequences = 0,
            }
        );
        for (var i = 1; i <= 20; i++)
        {
            var threshold = truth[(int)(truth.Length * (i * 0.048))];
            var share = truth.Count(worst => worst < threshold) / (double)truth.Length;
            Assert.That(prediction.Probability(threshold), Is.EqualTo(share).Within(0.02), $"at {threshold:0.###} ms");
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
