using MqttCheck.App.Predict;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Predict;
using MqttCheck.Cli.Results;
using MqttCheck.Comparison;
using MqttCheck.Latency;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Compare;

/// <summary>The description of a comparison, as the document that every output is made from.</summary>
/// <param name="request">The parameters of the comparison.</param>
/// <param name="brokers">The brokers that ran.</param>
/// <param name="result">The result of the comparison.</param>
/// <param name="test">How predictions are checked on the compared runs.</param>
/// <param name="learned">A model and a prediction of each broker; null beside a baseline.</param>
internal sealed class CompareDescription(
    CompareRequest request,
    IReadOnlyList<IBrokerUnderTest> brokers,
    ComparisonResult result,
    VerificationOptions test,
    IReadOnlyList<(LearnedModel Model, Prediction Prediction)>? learned
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
            .. brokers.Select(
                (broker, index) =>
                    Describe(
                        index,
                        PredictStage.Describe(
                            LoggedRun.Describe(
                                broker.Description,
                                request.ProtocolVersion,
                                request.Brokers[index].Value.Client
                            )
                        ),
                        learned?[index]
                    )
            ),
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

        string Label(int? broker) => broker is { } index ? request.Brokers[index].Key : ComparisonCampaign.StoredLabel;
    }

    private IEnumerable<CompareDocument.Distribution> Distributions()
    {
        foreach (var setup in result.Points.Select(point => point.Setup).Distinct())
        {
            if (setup.StoredRuns is { } stored)
                yield return ComparePlots.Describe(
                    "baseline",
                    setup.Population.Name,
                    setup.Clients,
                    stored.SelectMany(run => run)
                );
            for (var index = 0; index < brokers.Count; index++)
            {
                var runs = result.RunsOf(index, setup);
                yield return ComparePlots.Describe(
                    request.Brokers[index].Key,
                    setup.Population.Name,
                    setup.Clients,
                    runs.SelectMany(run => ComparePlots.Worst(run.Outcomes))
                );
            }
        }
    }

    private CompareDocument.Broker Describe(
        int index,
        string description,
        (LearnedModel Model, Prediction Prediction)? one
    ) =>
        new(
            request.Brokers[index].Key,
            description,
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
        var check = new PredictionTest(point, test with { IntervalLevel = prediction.Level });
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
