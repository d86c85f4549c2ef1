using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Comparison;
using MqttCheck.Logs;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>The rounds of one setup of a comparison: a run on each broker, in turns.</summary>
internal sealed class ComparisonSeries(
    ComparedSetup setup,
    TwoSampleOptions options,
    IReadOnlyList<string>? labels,
    IReadOnlyList<IBrokerUnderTest> brokers,
    IReadOnlyList<CampaignRunner> runners,
    IProgress<CampaignProgress>? progress,
    CancellationToken orderly,
    CancellationToken atOnce
) : IRunSeries<FleetRunResult>
{
    private readonly PairTest[] _tests =
    [
        .. Pairs(brokers.Count, setup)
            .Select(pair => new PairTest(
                setup,
                pair.Threshold,
                pair.First,
                pair.Second,
                labels is null
                    ? options
                    : options with
                    {
                        Names = (LabelOf(labels, pair.First), LabelOf(labels, pair.Second)),
                    }
            )),
    ];

    public int LeastRuns => options.MinimumRuns;

    public int MostInvalidRuns => options.MinimumRuns;

    public int ExpectedRuns => options.MinimumRuns;

    public bool IsDecided => _tests.All(test => test.Latest.IsOver);

    /// <summary>
    /// The pairs of brokers to compare, each with its threshold. A null first broker stands for the stored runs.
    /// </summary>
    public static IEnumerable<(double Threshold, int? First, int Second)> Pairs(int brokers, ComparedSetup setup)
    {
        for (var second = 0; second < brokers; second++)
        {
            if (setup.StoredRuns is not null)
            {
                foreach (var threshold in setup.ThresholdsMilliseconds)
                    yield return (threshold, null, second);
                continue;
            }
            for (var first = 0; first < second; first++)
                foreach (var threshold in setup.ThresholdsOf(first, second))
                    yield return (threshold, first, second);
        }
    }

    public IReadOnlyList<FleetRunResult?> Make(RunTurn turn)
    {
        var round = new FleetRunResult?[brokers.Count];
        for (var place = 0; place < brokers.Count && !orderly.IsCancellationRequested; place++)
        {
            var broker = (turn.Pass + place) % brokers.Count;
            progress?.Report(new(turn.ShareAt((double)place / brokers.Count), Describe(turn, broker)));
            var result = runners[broker]
                .Run(
                    turn.Number,
                    RunPurpose.Verify,
                    setup.Population,
                    setup.Clients,
                    setup.CountedSequences,
                    null,
                    null,
                    orderly,
                    atOnce
                );
            if (!result.Interrupted)
                round[broker] = result;
        }
        return round;
    }

    public void Add(IReadOnlyList<UsedRun<FleetRunResult>> round, double shareDone)
    {
        foreach (var test in _tests)
            test.Add(round);
    }

    /// <summary>The comparisons, withheld where the runs of either broker show nothing.</summary>
    public IEnumerable<PointComparison> Conclude(RunTally<FleetRunResult> tally, bool interrupted, TimeSpan budget)
    {
        string?[] why = [.. brokers.Select((_, broker) => tally.WhyWithheld(broker))];
        return _tests.Select(test => test.Conclude(interrupted, budget)).Select(Judged);

        PointComparison Judged(PointComparison point) =>
            point with
            {
                Result = point.Result.Judged((point.First is { } first ? why[first] : null) ?? why[point.Second]) with
                {
                    InvalidRuns = point.First is { } other
                        ? tally.InvalidInWords(other, point.Second)
                        : tally.InvalidInWords(point.Second),
                },
            };
    }

    private static string LabelOf(IReadOnlyList<string> labels, int? broker) =>
        broker is { } index ? labels[index] : ComparisonCampaign.StoredLabel;

    private string Describe(RunTurn turn, int broker)
    {
        var seen =
            _tests.Length > 0 && turn.Pass > 0
                ? Invariant($", difference {_tests[0].Latest.Difference:+0.000;-0.000;0.000} below ")
                    + Invariant($"{_tests[0].ThresholdMilliseconds:0.###} ms")
                : "";
        return Invariant($"round {turn.Pass + 1}, {brokers[broker].Description.Name}, ")
            + Invariant($"{setup.Population.Name}, {setup.Clients} clients")
            + seen;
    }
}
