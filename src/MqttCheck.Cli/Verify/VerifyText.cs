using MqttCheck.App.Predict;
using MqttCheck.App.Runs;
using MqttCheck.App.Verify;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Predictions;
using MqttCheck.Reports.Input;
using MqttCheck.Sequential;
using MqttCheck.Verification.Planning;
using static System.FormattableString;
using static MqttCheck.App.Verify.BudgetCheck;
using static MqttCheck.Verification.Planning.TimeBudget;

namespace MqttCheck.Cli.Verify;

/// <summary>A verification in words, and as the contents of its file.</summary>
internal static class VerifyText
{
    /// <summary>Announces the plan in a sentence, and the setups that the budget leaves out.</summary>
    public static void Announce(
        Screen screen,
        TimeSpan exploration,
        VerificationSchedule fitted,
        VerificationSchedule wanted
    )
    {
        var explored = exploration > TimeSpan.Zero ? $"exploring {Duration(exploration)}, then " : "";
        screen.Note(
            Invariant($"planned: {explored}{Setups(fitted)} in {fitted.Runs} runs each, about ")
                + Invariant($"{Duration(fitted.Time)} if the prediction is right, at most {Duration(fitted.Budget)}")
        );
        if (fitted.Setups.Count < wanted.Setups.Count)
            screen.Warn(
                Invariant($"The budget of {Duration(fitted.Budget)} holds {fitted.Setups.Count} of ")
                    + Invariant($"{wanted.Setups.Count} setups; --budget {Duration(Enough(wanted.Time))} holds all.")
            );
    }

    /// <summary>Shows verifications on a screen.</summary>
    public static VerificationView On(Screen screen) =>
        (planned, verify) =>
            screen.LiveAsync(
                "Verify",
                show => verify(new VerificationDisplay(show)),
                verified =>
                    Invariant($"{verified.Runs.Sum(run => run.Exchanges)} exchanges in ")
                    + Invariant($"{Counted.Of(verified.Runs.Count, "run")} of {Setups(planned.Schedule)}")
            );

    /// <summary>Writes the verdicts.</summary>
    /// <param name="predictionFile">The file of the prediction.</param>
    /// <param name="output">The verdict file to write.</param>
    /// <param name="repeat">The command that repeats it.</param>
    public static VerdictDocument Write(VerificationAnswer answer, string predictionFile, string output, string repeat)
    {
        var (request, result) = (answer.Request, answer.Result);
        var document = new VerdictDocument
        {
            ToolVersion = Tool.Version,
            Broker = ReportStage.Describe(answer.Broker, request.Live.Client),
            Prediction = predictionFile,
            PredictionSha256 = FileHash.OfFile(predictionFile),
            ModelSha256 = request.Prediction.Model.Sha256,
            Log = request.Log,
            Seed = request.Live.Seed,
            Repeat = repeat,
            Interrupted = result.Interrupted,
            Warnings =
            [
                .. answer.Planned.Drift is { } drift ? (string[])[drift] : [],
                .. request.Prediction.Warnings,
                .. PassedOver(answer.Planned.Chosen),
                .. LeftOut(answer.Planned),
                .. answer.Planned.Unlike.Select(finding => finding.Sentence),
                .. RunWarnings.Of(answer.Runs),
                .. NotCounted(result.Runs),
            ],
            Verdicts =
            [
                .. result.Verdicts.Select(
                    (verdict, index) =>
                        ReportStage.Describe(verdict, request.Prediction.Level) with
                        {
                            MonteCarlo = answer.Estimates is { } estimates
                                ? Describe(estimates.Estimates[index], answer.Confirms(index))
                                : null,
                        }
                ),
            ],
        };
        VerdictFile.Write(output, document);
        return document;
    }

    private static MonteCarloReport Describe(MonteCarloEstimate estimate, bool? confirms) =>
        new(
            (int)estimate.Samples,
            estimate.Runs.Count,
            estimate.Share ?? double.NaN,
            estimate.Interval,
            MonteCarlo.Confidence,
            confirms
        );

    internal static IEnumerable<string> PassedOver(VerificationChoice chosen) =>
        chosen.PassedOver.Select(point =>
            Invariant($"{point.Profile} with {point.Clients} clients is not verified: the prediction's interval, ")
            + $"{NumberText.Probability(point.Interval)}, is too wide to be confirmed; "
            + "explore for longer (--explore-for), or choose it with --verify-clients."
        );

    private static IEnumerable<string> LeftOut(PlannedVerification planned) =>
        planned
            .Chosen.Points.Except(planned.Schedule.Setups.SelectMany(setup => setup.Points))
            .Select(point =>
                Invariant($"{point.Profile}, {point.Clients} clients, ")
                + Invariant($"{NumberText.Milliseconds(point.ThresholdMilliseconds)} was not verified: the budget ")
                + Invariant(
                    $"of {planned.Schedule.Budget.TotalSeconds:0.#} s does not hold it; allow more with --budget."
                )
            );

    private static IEnumerable<string> NotCounted(IReadOnlyList<FleetRunResult> runs)
    {
        if (runs.Count(run => !run.Health.IsValid) is > 0 and var invalid)
            yield return Invariant(
                $"The {invalid} invalid of {runs.Count} runs do not count in the verdicts; others were made "
            ) + "in their place as far as the budget allowed.";
    }
}
