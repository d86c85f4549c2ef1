using System.Net;
using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Tests.Fleets;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Memory;
using MqttCheck.Clients;
using MqttCheck.Comparison;
using MqttCheck.Predictions;
using MqttCheck.Profiles;

namespace MqttCheck.Brokers.Tests.Campaigns;

/// <summary>
/// Comparisons of the embedded broker with itself and with a slower one: real fleets and a real broker core, in virtual
/// time, so that the delay is all that differs.
/// </summary>
// In virtual time, so that several may share the machine.
[Parallelizable(ParallelScope.All)]
public sealed class VirtualComparisonTests
{
    private const int Clients = 60;
    private static readonly Population s_population = ProfileFile.Read("up2");
    private static readonly TwoSampleOptions s_test = new();

    // The threshold is the one that the broker with the plain law meets with .85 in a run of 3000 sequences, as the
    // prediction would choose it.
    private static readonly Lazy<double> s_threshold = new(() =>
    {
        var worst = Run("lognormal:5ms,0.5", seed: 1, sequences: 50)
            .Select(outcome => outcome.Latencies.WorstMilliseconds)
            .Order()
            .ToArray();
        return worst[(int)(worst.Length * .85)];
    });

    // A false alarm has a probability of at most .01 per comparison; two of twenty have less than .02. Seeds 100 to
    // 119.
    [Test]
    [Category("Whole")]
    public void A_broker_compared_with_itself_shows_no_difference_in_19_of_20_runs()
    {
        var verdicts = Compare("lognormal:5ms,0.5", "lognormal:5ms,0.5", 20);
        TestContext.Out.WriteLine(string.Join(" ", verdicts));
        Assert.That(
            verdicts.Count(verdict => verdict is TwoSampleVerdict.FirstFaster or TwoSampleVerdict.SecondFaster),
            Is.LessThanOrEqualTo(1)
        );
        Assert.That(verdicts.Count(verdict => verdict == TwoSampleVerdict.NoDifference), Is.GreaterThanOrEqualTo(19));
    }

    [Test]
    [Category("Whole")]
    public void Twenty_percent_more_delay_is_a_difference()
    {
        var verdicts = Compare("lognormal:5ms,0.5", "lognormal:6ms,0.5", 10);
        TestContext.Out.WriteLine(string.Join(" ", verdicts));
        Assert.That(verdicts, Has.All.EqualTo(TwoSampleVerdict.FirstFaster));
    }

    private static TwoSampleVerdict[] Compare(string first, string second, int comparisons)
    {
        var sequences =
            (TwoSamplePlan.SequencesNeeded(ThresholdChooser.MostInformative, s_test) + Clients - 1) / Clients;
        return
        [
            .. Enumerable
                .Range(0, comparisons)
                .Select(number =>
                {
                    var test = new TwoSampleTest(s_test);
                    var result = test.Conclude();
                    for (var run = 0; run < s_test.MinimumRuns + 4 && !result.IsDecided; run++)
                    {
                        // Both brokers meet the same choices of the clients, and draw their delays independently.
                        var seed = (ulong)(1000 * (100 + number) + run);
                        result = test.AddPair(
                            RunCount.Of(Run(first, seed, sequences, 1), s_threshold.Value),
                            RunCount.Of(Run(second, seed, sequences, 2), s_threshold.Value)
                        );
                    }
                    return result.Verdict;
                }),
        ];
    }

    private static IReadOnlyList<Outcome> Run(string law, ulong seed, int sequences, ulong brokerSeed = 0)
    {
        var setup = new FleetSetup
        {
            Population = s_population,
            Clients = Clients,
            CountedSequences = sequences,
            Seed = seed,
            Run = 0,
            Endpoint = VirtualFleet.Endpoint,
            Prefix = "mqttcheck/0badcafe/",
        };
        var plan = DelayPlan.Parse(law, "test");
        return VirtualFleet.Run(plan, (seed << 2) + brokerSeed, setup, new ExchangeList()).Outcomes;
    }
}
