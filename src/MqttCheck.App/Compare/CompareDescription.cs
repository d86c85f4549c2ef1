using MqttCheck.App.Predict;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Clients;
using MqttCheck.Comparison;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.App.Compare;

/// <summary>The description of a comparison, as the document that every output is made from.</summary>
/// <param name="request">The parameters of the comparison.</param>
/// <param name="brokers">The brokers that ran.</param>
/// <param name="result">The result of the comparison.</param>
/// <param name="learned">What is known of each broker; null beside a baseline.</param>
internal sealed class CompareDescription(
    CompareRequest request,
    IReadOnlyList<ComparedBroker> brokers,
    ComparePlan plan,
    ComparisonResult result,
    IReadOnlyList<LearnedBroker>? learned
)
{
    /// <summary>The document.</summary>
    /// <param name="generated">When it was made.</param>
    /// <param name="warnings">The warnings until now.</param>
    public CompareDocument Document(DateTimeOffset generated, IReadOnlyList<string> warnings)
    {
        var machine = MachineInformation.Current();
        return new()
        {
            ToolVersion = Tool.Version,
            Generated = generated,
            Seed = request.Seed,
            Repeat = request.Repeat,
            Machine = Describe(machine),
            Error = request.Test.Error,
            Guarantee = request.Test.Guarantee,
            Indifference = request.Test.Indifference,
            SequenceLength =
                result.Points.Count == 0
                    ? 10
                    : result.Points[0].Setup.Population.Groups.Max(group => group.Profile.SequenceLength),
            Interrupted = result.Interrupted,
            Coarse = learned is not null && request.Plan.Coarse,
            Warnings = [.. warnings.Concat(OfBaseline(machine)).Distinct()],
            Brokers = Brokers(),
            Points = Points(),
            Distributions = [.. Distributions()],
        };
    }

    private IEnumerable<string> OfBaseline(MachineInformation machine)
    {
        if (request.Baseline is not { } stored)
            yield break;
        if (stored.Machine != machine)
            yield return $"The baseline was made on another machine "
                + $"({Describe(stored.Machine)}): what differs may be the machine.";
        yield return "The baseline's runs were made at another time: what differs may be what else the machine did.";
    }

    private IReadOnlyList<CompareDocument.Broker> Brokers() =>
        [
            .. request.Baseline is { } baseline
                ?
                [
                    new CompareDocument.Broker(
                        "baseline",
                        Invariant($"{PredictStage.Describe(baseline.Broker)}, {baseline.Made:yyyy-MM-dd HH:mm} UTC"),
                        null,
                        null,
                        null
                    ),
                ]
                : (CompareDocument.Broker[])[],
            .. brokers.Select((broker, index) => Describe(index, broker, learned?[index])),
        ];

    private IReadOnlyList<CompareDocument.Point> Points()
    {
        return
        [
            .. result.Points.Select(point => new CompareDocument.Point(
                point.Setup.Population.Name,
                point.Setup.Clients,
                point.ThresholdMilliseconds,
                Label(point.First),
                Label(point.Second),
                Known(TwoSampleResult.Mean(point.Result.First)),
                Known(TwoSampleResult.Mean(point.Result.Second)),
                Known(point.Result.Difference),
                point.Result.Interval,
                point.Result.First.Count,
                point.Result.Second.Count,
                point.Result.First.Concat(point.Result.Second).Sum(run => (long)run.Samples),
                point.Result.Verdict,
                point.Result.Reason
            )
            {
                InvalidRuns = point.Result.InvalidRuns,
            }),
        ];

        string Label(int? broker) => broker is { } index ? brokers[index].Label : ComparisonCampaign.StoredLabel;
    }

    private IEnumerable<CompareDocument.Distribution> Distributions()
    {
        foreach (var setup in result.Points.Select(point => point.Setup).Distinct())
        {
            if (setup.StoredRuns is { } stored)
                yield return CompareDocument.Distribution.Of(
                    "baseline",
                    setup.Population.Name,
                    setup.Clients,
                    stored.SelectMany(run => run)
                );
            for (var index = 0; index < brokers.Count; index++)
                yield return CompareDocument.Distribution.Of(
                    brokers[index].Label,
                    setup.Population.Name,
                    setup.Clients,
                    result.RunsOf(index, setup).SelectMany(run => Worst(run.Outcomes))
                );
        }
    }

    // The slowest latency of each sequence of a run, up to the first that the end of the run cut.
    private static IEnumerable<double> Worst(IEnumerable<Outcome> outcomes) =>
        outcomes
            .TakeWhile(outcome => outcome.Status != OutcomeStatus.Unfinished)
            .Select(outcome =>
                outcome.Status == OutcomeStatus.Completed
                    ? outcome.Latencies.WorstMilliseconds
                    : double.PositiveInfinity
            );

    private CompareDocument.Broker Describe(int index, ComparedBroker broker, LearnedBroker? one) =>
        new(
            broker.Label,
            broker.Description,
            one?.Model.Training.ExchangesByKind.Sum(count => (long)count),
            one?.Model.Quality?.KolmogorovSmirnov,
            one?.Model.Quality?.AboveNinetyNinePercent
        )
        {
            Predictions = one is not { Prediction: var prediction }
                ? []
                :
                [
                    .. result
                        .Points.Select(point => (point.Setup, point.ThresholdMilliseconds))
                        .Distinct()
                        .Select(compared => Check(index, prediction, compared.Setup, compared.ThresholdMilliseconds)),
                ],
        };

    // The compared runs are runs of the broker too: they check what was predicted for it.
    private CompareDocument.Checked Check(int index, Prediction prediction, ComparedSetup setup, double threshold)
    {
        var point = prediction.Points.First(candidate =>
            candidate.Profile == setup.Population.Name
            && candidate.Clients == setup.Clients
            && candidate.ThresholdMilliseconds == threshold
        );
        var test = new VerificationOptions
        {
            Error = plan.Test.Error,
            Indifference = plan.Test.Indifference,
            MinimumRuns = plan.Test.MinimumRuns,
            Points = plan.Setups.Sum(one => one.ThresholdsMilliseconds.Count) * brokers.Count,
            IntervalLevel = prediction.Level,
        };
        var check = new PredictionTest(point, test);
        var runs = result.RunsOf(index, setup);
        foreach (var run in runs)
        {
            if (RunJudgement.UseOf(run).Counts())
                check.AddRun(run.Outcomes);
            else
                check.AddInvalidRun(run.Outcomes);
        }
        var verdict = check.Conclude(result.Interrupted);
        return new(
            point.Profile,
            point.Clients,
            point.ThresholdMilliseconds,
            point.Probability,
            point.Interval,
            verdict.Observed,
            RunJudgement.AreInvalid(runs) ? VerdictKind.Withheld : verdict.Kind
        )
        {
            Level = prediction.Level,
        };
    }

    private static string Describe(MachineInformation machine) =>
        Invariant($"{machine.Processor}, {machine.Cores} cores, {machine.OperatingSystem}, {machine.Runtime}");

    private static double? Known(double value) => double.IsFinite(value) ? value : null;
}
