using MqttCheck.App.Predict;
using MqttCheck.App.Progress;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Fleets.Probes;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Predict;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Reports.Input;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;
using MqttCheck.Verification.Planning;
using static System.FormattableString;

namespace MqttCheck.Cli.Verify;

/// <summary>The stage from a prediction and a live broker to verdicts.</summary>
internal static class VerifyStage
{
    /// <summary>Runs the verification, writes its log and the verdicts.</summary>
    public static async Task<VerdictDocument> RunAsync(
        Screen screen,
        Interruption interruption,
        IBrokerUnderTest broker,
        VerifyRequest request
    )
    {
        var campaign = request.Campaign(SeedPurpose.Verify);
        var schedule = request.Asked.Schedule(request.Prediction, request.Chosen, request.Asked.Budget);
        var test = request.Asked.Of(request.Chosen.Points.Count) with
        {
            PlannedRuns = schedule.BudgetRuns,
            IntervalLevel = request.Prediction.Level,
        };
        screen.Report(double.NaN, "measuring the idle broker");
        var idle = request.Prediction.Model.IdleMilliseconds is null
            ? null
            : await Task.Run(() => IdleDrift.Measure(broker, campaign, interruption.Orderly));
        var drift = idle is null ? null : IdleDrift.Describe(request.Prediction.Model.IdleMilliseconds, idle);
        if (drift is not null)
            screen.Warn(drift);
        screen.Detail(Plan(schedule, test));
        if (schedule.Time > schedule.Budget * RunLoopOptions.DefaultGrace)
            screen.Warn(TooShort(schedule));
        var result = await VerifyAsync(screen, interruption, broker, request, campaign, schedule, test, idle);
        var estimates =
            request.Asked.MonteCarloSequences is { } sequences && !result.Interrupted
                ? await EstimateAsync(screen, interruption, broker, request, schedule, sequences)
                : null;
        var document = Document(request, broker, result, estimates) with
        {
            Warnings =
            [
                .. drift is null ? (string[])[] : [drift],
                .. PassedOver(request.Chosen),
                .. LeftOut(request, schedule),
                .. BrokerWarnings(request, broker.Description),
                .. RunWarnings.Of([.. result.Runs, .. estimates?.Runs ?? []]),
                .. NotCounted(result.Runs),
            ],
        };
        if (RunJudgement.WarmUp(result.Runs) is { } warmUp)
            screen.Detail(warmUp);
        VerdictFile.Write(request.Output, document);
        return document;
    }

    private static async Task<VerificationResult> VerifyAsync(
        Screen screen,
        Interruption interruption,
        IBrokerUnderTest broker,
        VerifyRequest request,
        CampaignOptions campaign,
        VerificationSchedule schedule,
        VerificationOptions test,
        IdleLatency? idle
    )
    {
        using var log = new LoggedRun(request.Log, broker, campaign, screen.Time, coarse: false);
        var result = await screen.LiveAsync(
            "Verify",
            show =>
                Task.Run(() =>
                    new VerificationCampaign(broker, campaign, test, screen.Time).Run(
                        schedule.Setups,
                        schedule.Budget,
                        log.Sink,
                        new VerificationDisplay(show, request.Watcher),
                        interruption.Orderly,
                        interruption.AtOnce
                    )
                ),
            verified =>
                Invariant(
                    $"{verified.Runs.Sum(run => run.Exchanges)} exchanges in {Counted.Of(verified.Runs.Count, "run")} "
                ) + $"of {BudgetCheck.Setups(schedule)}"
        );
        log.Close(result.Cases, result.Runs, complete: !result.Interrupted, idle?.MedianMilliseconds);
        return result;
    }

    private static VerdictDocument Document(
        VerifyRequest request,
        IBrokerUnderTest broker,
        VerificationResult result,
        MonteCarloResult? estimates
    ) =>
        new()
        {
            ToolVersion = Tool.Version,
            Broker = ReportStage.Describe(broker.Description, request.Client),
            Prediction = request.PredictionFile,
            PredictionSha256 = FileHash.OfFile(request.PredictionFile),
            ModelSha256 = request.Prediction.Model.Sha256,
            Log = request.Log,
            Seed = request.Seed,
            Repeat = request.Repeat,
            Interrupted = result.Interrupted,
            Verdicts =
            [
                .. result.Verdicts.Select(
                    (verdict, index) =>
                        ReportStage.Describe(verdict, request.Prediction.Level) with
                        {
                            MonteCarlo = Describe(estimates, index, verdict.Verdict),
                        }
                ),
            ],
        };

    // The clients of the estimate draw other choices than those of the verdicts.
    private static async Task<MonteCarloResult> EstimateAsync(
        Screen screen,
        Interruption interruption,
        IBrokerUnderTest broker,
        VerifyRequest request,
        VerificationSchedule schedule,
        int sequences
    )
    {
        var campaign = request.Campaign(SeedPurpose.MonteCarlo);
        using var log = new LoggedRun(request.MonteCarloLog, broker, campaign, screen.Time, coarse: false);
        var estimates = await screen.ProgressAsync(
            "Monte Carlo",
            report =>
                Task.Run(() =>
                    new MonteCarlo(broker, campaign, screen.Time).Run(
                        schedule.Setups,
                        sequences,
                        log.Sink,
                        new CampaignRelay(report),
                        interruption.Orderly,
                        interruption.AtOnce
                    )
                )
        );
        log.Close(estimates.Cases, estimates.Runs, complete: !estimates.Interrupted);
        return estimates;
    }

    // Invalid runs confirm and contradict nothing either.
    private static MonteCarloReport? Describe(MonteCarloResult? estimates, int index, Verdict verdict)
    {
        if (estimates is null)
            return null;
        var estimate = estimates.Estimates[index];
        return new(
            (int)estimate.Samples,
            estimate.Runs.Count,
            estimate.Share ?? double.NaN,
            estimate.Interval,
            MonteCarlo.Confidence,
            RunJudgement.AreInvalid(RunsOf(verdict.Point, estimates.Cases, estimates.Runs))
                ? null
                : estimate.Confirms(verdict)
        );
    }

    private static List<FleetRunResult> RunsOf(
        PredictedPoint point,
        IReadOnlyList<RunCase> cases,
        IReadOnlyList<FleetRunResult> runs
    ) =>
        [
            .. cases
                .Zip(runs)
                .Where(pair => pair.First.Clients == point.Clients && pair.First.Population?.Name == point.Profile)
                .Select(pair => pair.Second),
        ];

    private static string Plan(VerificationSchedule schedule, VerificationOptions test) =>
        Invariant($"verifying in {schedule.Runs} runs each of ")
        + string.Join(
            ", ",
            schedule.Setups.Select(setup =>
                Invariant($"{setup.Population.Name} with {setup.Clients} clients ")
                + Invariant($"({setup.Clients * setup.CountedSequences} sequences a run)")
            )
        )
        + Invariant($", about {schedule.Time.TotalSeconds:0} s; at most {schedule.Budget.TotalSeconds:0} s. ")
        + (
            test.Guarantee == Guarantee.Any
                ? "A right prediction is confirmed after about so many runs, whatever law they follow; a "
                    + $"wrong one may be found earlier. {VerdictPromise.Borne(Borne(schedule, test))}"
                    + VouchedWorst.AfterSpace(test.WorstRun)
                : VerdictPromise.NotExcluded(
                    schedule.Runs,
                    PredictionTest.PlanFor(schedule.Setups[0].Points[0], test).SideError
                )
        )
        + OneSided([.. schedule.Setups.SelectMany(setup => setup.Points)], test);

    // The point that bears least speaks for all.
    private static int Borne(VerificationSchedule schedule, VerificationOptions test) =>
        schedule
            .Setups.SelectMany(setup => setup.Points)
            .Min(point => VerificationPlan.InvalidRunsBorne(point, test, schedule.Runs));

    // A point is not confirmed if one side of it cannot be tested. The user learns that before the runs are made.
    internal static string OneSided(IReadOnlyList<PredictedPoint> points, VerificationOptions test)
    {
        var missing = points.Count(point => PredictionTest.PlanFor(point, test).AsPredicted() == VerdictKind.NotWorse);
        return missing == 0
            ? ""
            : Invariant($" {missing} of {points.Count} prediction{(points.Count == 1 ? "" : "s")} can be found not ")
                + "worse, but not confirmed: "
                + (
                    test.Test == VerdictTest.TwoSided
                        ? $"what would count as better (or worse) lies above {1 - TwoSidedPlan.Margin} (or "
                            + $"below {TwoSidedPlan.Margin})."
                        : "the test is one-sided."
                );
    }

    private static string TooShort(VerificationSchedule schedule) =>
        Invariant($"The budget of {schedule.Budget.TotalSeconds:0} s holds fewer runs than a right prediction ")
        + Invariant($"needs to be confirmed, about {schedule.Time.TotalSeconds:0} s: expect no verdict, or allow ")
        + "more with --budget.";

    internal static IEnumerable<string> PassedOver(VerificationChoice chosen) =>
        chosen.PassedOver.Select(point =>
            Invariant($"{point.Profile} with {point.Clients} clients is not verified: the prediction's interval, ")
            + $"{NumberText.Probability(point.Interval)}, is too wide to be confirmed; "
            + "explore for longer (--explore-for), or choose it with --verify-clients."
        );

    private static IEnumerable<string> LeftOut(VerifyRequest request, VerificationSchedule schedule) =>
        request
            .Chosen.Points.Except(schedule.Setups.SelectMany(setup => setup.Points))
            .Select(point =>
                Invariant($"{point.Profile}, {point.Clients} clients, ")
                + Invariant($"{NumberText.Milliseconds(point.ThresholdMilliseconds)} was not verified: the budget ")
                + Invariant($"of {schedule.Budget.TotalSeconds:0.#} s does not hold it; allow more with --budget.")
            );

    private static IEnumerable<string> NotCounted(IReadOnlyList<FleetRunResult> runs)
    {
        if (runs.Count(run => !run.Health.IsValid) is > 0 and var invalid)
            yield return Invariant(
                $"The {invalid} invalid of {runs.Count} runs do not count in the verdicts; others were made "
            ) + "in their place as far as the budget allowed.";
    }

    private static IEnumerable<string> BrokerWarnings(VerifyRequest request, BrokerDescription broker)
    {
        var measured = PredictStage.Describe(LoggedRun.Describe(broker, request.ProtocolVersion, request.Client));
        if (request.Prediction.Model.Broker != measured)
            yield return $"The model was learned from {request.Prediction.Model.Broker}; "
                + $"what is measured is {measured}.";
    }
}
