using MqttCheck.App.Learn;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Features;
using MqttCheck.Learning.Learners;
using MqttCheck.Learning.Replay;
using MqttCheck.Logs;
using MqttCheck.Plots;
using MqttCheck.Predictions;
using MqttCheck.Reports;
using MqttCheck.Reports.Builders;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Statistics;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Results;

/// <summary>The stage from everything that was found to a report.</summary>
internal static class ReportStage
{
    /// <summary>A report that can be written.</summary>
    public static ReportOutput Output(ReportSources sources, DateTimeOffset now)
    {
        var input = Input(sources, now);
        return new(
            ReportedCases.Of(input),
            writer => HtmlReport.Write(writer, input),
            writer => MarkdownReport.Write(writer, input),
            stream => JsonReport.Write(stream, input),
            directory => PlotFiles.Write(ReportPictures.Of(input), directory),
            writer => MermaidText.Verdicts(writer, input.Verdicts)
        );
    }

    /// <summary>The report's own form of a broker.</summary>
    /// <param name="client">Which MQTT client measured it; the own one goes without saying.</param>
    public static BrokerReport Describe(BrokerDescription broker, ClientKind client)
    {
        var details = client.IsOwn
            ? broker.Details
            : new Dictionary<string, string>(broker.Details) { [LoggedBroker.ClientKey] = client.ToString() };
        return new()
        {
            Name = broker.Name,
            Version = broker.Version,
            Settings = broker.Settings,
            Details = details,
        };
    }

    /// <summary>The report's own form of a verdict.</summary>
    /// <param name="predictedConfidence">The confidence of the prediction's interval.</param>
    public static VerdictReport Describe(TimedVerdict timed, double predictedConfidence)
    {
        var verdict = timed.Verdict;
        return new()
        {
            Point = verdict.Point,
            PredictedConfidence = predictedConfidence,
            Kind = verdict.Kind,
            Test = verdict.Test,
            ExpectedSamples = verdict.ExpectedSamples,
            OneSided = verdict.Lower?.Decision,
            Clients = verdict.Clients,
            Reason = verdict.Reason,
            // If clients decide by themselves, the stated error is that of each client, so the verdict has none.
            ErrorProbability = verdict.Test == VerdictTest.Clients ? double.NaN : verdict.Plan.Error,
            CountsAsPredicted = new(verdict.Plan.Worse ?? 0, verdict.Plan.Better ?? 1),
            Guarantee = verdict.Guarantee,
            Promise = verdict.Promise,
            InvalidRuns = verdict.InvalidRuns,
            Samples = (int)verdict.Samples,
            DecidedAfterSamples = verdict.DecidedAfterSamples,
            Runs = verdict.Runs.Count,
            RunCounts = verdict.Runs,
            MeasuredProbability = verdict.Observed ?? double.NaN,
            MeasuredInterval = verdict.Samples > 0 ? verdict.Interval : null,
            Inflation = verdict.Variation.Inflation,
            ElapsedSeconds = timed.Time.TotalSeconds,
            Paths = [.. Paths(verdict)],
        };
    }

    private static IEnumerable<EvidencePath> Paths(Verdict verdict)
    {
        if (verdict.Path.Count == 0)
            yield break;
        int[] samples = [.. verdict.Path.Select(point => (int)point.Samples)];
        if (verdict.Lower is { } lower)
        {
            yield return new()
            {
                Name = "not worse",
                Samples = samples,
                LogRatios = [.. verdict.Path.Select(point => point.Lower ?? double.NaN)],
                LowerBound = -lower.Bound,
                LowerMeaning = Meaning("worse: P <", lower.Threshold),
                UpperBound = lower.Bound,
                UpperMeaning = Meaning("not worse: P >", lower.Threshold),
            };
        }
        if (verdict.Upper is { } upper)
        {
            // Turned over, so that up means "as predicted" in both charts.
            yield return new()
            {
                Name = "not better",
                Samples = samples,
                LogRatios = [.. verdict.Path.Select(point => -point.Upper ?? double.NaN)],
                LowerBound = -upper.Bound,
                LowerMeaning = Meaning("better: P >", upper.Threshold),
                UpperBound = upper.Bound,
                UpperMeaning = Meaning("not better: P <", upper.Threshold),
            };
        }
    }

    private static string Meaning(string words, double probability) => Invariant($"{words} {probability:0.000}");

    private static ReportInput Input(ReportSources sources, DateTimeOffset now)
    {
        var machine = sources.Log?.Information.Machine ?? sources.Model?.Machine;
        var broker = sources.Verdicts?.Broker ?? Describe(sources.Log?.Information.Broker ?? sources.Model?.Broker);
        return new()
        {
            GeneratedUtc = now,
            ToolVersion = Tool.Version,
            Coarse =
                sources.Coarse || sources.Model?.Training.Coarse == true || sources.Log?.Information.Coarse == true,
            Interrupted = sources.Interrupted || sources.Verdicts?.Interrupted == true,
            Failure = sources.Failure,
            ElapsedSeconds = sources.Elapsed?.TotalSeconds,
            SequenceLength =
                sources
                    .Prediction?.Populations.SelectMany(population => population.Groups)
                    .Max(group => group.Profile.SequenceLength)
                ?? 10,
            Seed = sources.Seed ?? sources.Verdicts?.Seed,
            Broker = broker,
            Machine = machine is null
                ? new Dictionary<string, string>()
                : new Dictionary<string, string>
                {
                    ["Operating system"] = machine.OperatingSystem,
                    ["Processor"] = Invariant($"{machine.Processor}, {machine.Cores} cores"),
                    ["Runtime"] = machine.Runtime,
                },
            Profiles =
            [
                .. (sources.Prediction?.Populations ?? []).Select(population => new ProfileReport(
                    population.Name,
                    population.Description
                )),
            ],
            Reproduce = (sources.Repeat ?? sources.Verdicts?.Repeat) is { } repeat
                ? [new CommandReport("The same run again", repeat)]
                : [],
            Warnings =
            [
                .. sources
                    .Warnings.Concat(sources.Prediction?.Notes ?? [])
                    .Concat(sources.Verdicts?.Warnings ?? [])
                    .Concat(sources.Log is { } judged ? RunWarnings.Of(judged.Information) : [])
                    .Distinct(),
            ],
            Cautions = sources.Prediction?.Cautions ?? [],
            Log = sources.Log is { } log ? LogReportBuilder.From(log.Exchanges) : null,
            Learning = sources.Model is { } model ? Describe(model, sources.Log) : null,
            Predictions = [.. (sources.Prediction?.Setups ?? []).Select(setup => Describe(sources.Prediction!, setup))],
            Verdicts = sources.Verdicts?.Verdicts ?? [],
            PreviousVerdicts = sources.Earlier?.Verdicts ?? [],
            PreviousName = sources.Earlier is { } earlier ? Path.GetFileName(earlier.File) : "",
        };
    }

    private static BrokerReport? Describe(LoggedBroker? broker) =>
        broker is null
            ? null
            : new()
            {
                Name = broker.Name,
                Version = broker.Version,
                Settings = broker.Settings,
                Details = broker.Details,
            };

    private static PredictionReport Describe(Prediction prediction, PredictedSetup setup) =>
        new()
        {
            Profile = setup.Profile,
            Clients = setup.Clients,
            Replications = setup.Replications,
            Confidence = prediction.Level,
            IntervalMeaning = prediction.IntervalMeaning,
            BandHalfWidth = ConcentrationBounds.DkwHalfWidth(setup.Replications, 1 - prediction.Level),
            SortedWorstMilliseconds = setup.WorstMilliseconds,
            Points =
            [
                .. prediction.Points.Where(point => point.Profile == setup.Profile && point.Clients == setup.Clients),
            ],
        };

    private static LearningReport Describe(LearnedModel model, ExchangeLog? log)
    {
        var comparison = log is null ? null : LearnStage.HeldOut(model, log);
        var report = Describe(model);
        return comparison is null
            ? report
            : report with
            {
                HeldOutExchanges = comparison.HasLaw
                    ? comparison.Exchanges.Count
                    : comparison.ObservedMilliseconds.Sum(kind => kind.Length),
                Runaways = comparison.Runaways,
                Calibration = CalibrationReportBuilder.From(
                    [.. comparison.Exchanges.Select(exchange => exchange.Transform)],
                    [.. comparison.Exchanges.Select(exchange => exchange.MedianMilliseconds)],
                    [.. comparison.Exchanges.Select(exchange => exchange.Features.Kind)],
                    Features(comparison.Exchanges),
                    comparison.ObservedMilliseconds,
                    comparison.ReplayedMilliseconds
                ),
                Fits =
                [
                    .. comparison
                        .Exchanges.GroupBy(exchange => exchange.Features.Kind)
                        .OrderBy(kind => kind.Key)
                        .Select(kind =>
                            CalibrationReportBuilder.Fit(kind.Key, [.. kind.Select(exchange => exchange.Transform)])
                        ),
                ],
            };
    }

    // The features stand in the order in which a reader would look for a pattern, the load first.
    private static FeatureValues[] Features(IReadOnlyList<HeldOutExchange> exchanges)
    {
        FeatureValues Values(string name, Func<ExchangeFeatures, double> value) =>
            new(name, [.. exchanges.Select(exchange => value(exchange.Features))]);
        // Publications that wait for an acknowledgement are left out of what a law is held against.
        FeatureValues[] withheld = exchanges.Any(exchange => exchange.Features.Withheld > 0)
            ? [Values("withheld acknowledgements", features => features.Withheld)]
            : [];
        return
        [
            Values("active messages", features => features.Active),
            Values("open deliveries", features => features.OpenDeliveries),
            Values("subscribers", features => features.Subscribers),
            .. withheld,
            Values("recent activity", features => features.RecentActivity),
            Values("clients online", features => features.Online),
            Values("total subscriptions", features => features.TotalSubscriptions),
        ];
    }

    private static LearningReport Describe(LearnedModel model) =>
        new()
        {
            Learner = model.Model.Kind,
            Description =
                LearnerCatalogue.All.FirstOrDefault(learner => learner.Name == model.Model.Kind)?.Description ?? "",
            TrainingExchanges = model.Training.ExchangesByKind.Sum(),
            Profiles = model.Training.Profile?.Names ?? [],
            HeldOutExchanges = model.Quality?.Exchanges ?? 0,
            Candidates =
            [
                .. model.Candidates.Select(candidate => new CandidateReport(
                    candidate.Learner,
                    candidate.ReplayError,
                    candidate.Learner == model.Model.Kind
                )),
            ],
            Regression = model.Regression is not { } regression
                ? null
                : new(
                    regression.Exchanges,
                    regression.DegreesOfFreedom,
                    regression.ResidualDeviationMilliseconds,
                    regression.RSquared,
                    regression.AdjustedRSquared,
                    [
                        .. regression.Coefficients.Select(one => new RegressionRow(
                            one.Regressor,
                            one.Estimate,
                            one.StandardError,
                            one.T,
                            one.P
                        )),
                    ]
                ),
            Ranges = Coverage(model.Ranges, model.Training.Profile),
        };

    private static FeatureRange[] Coverage(ModelRanges ranges, TrainingProfile? profile)
    {
        FeatureRange Range(string name, double? from, double to) => new(name, from ?? double.NaN, to);
        var result = new List<FeatureRange>
        {
            Range("clients", ranges.Smallest?.Clients, ranges.Clients),
            Range("open exchanges", ranges.Smallest?.ActiveMessages, ranges.ActiveMessages),
            Range("subscribers of a topic", ranges.Smallest?.Subscribers, ranges.Subscribers),
            Range("messages per second", ranges.Smallest?.MessagesPerSecond, ranges.MessagesPerSecond),
        };
        if (profile?.MeanWaitMilliseconds is { } wait)
            result.Add(Range("mean wait, ms", wait.Lower, wait.Upper));
        if (profile is not null)
            result.AddRange(
                Enum.GetValues<MessageKind>()
                    .Select(kind =>
                        Range(
                            $"% {MessageKinds.Name(kind)}",
                            100 * profile.Shares[(int)kind].Lower,
                            100 * profile.Shares[(int)kind].Upper
                        )
                    )
            );
        return [.. result];
    }
}
