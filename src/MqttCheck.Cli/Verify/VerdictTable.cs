using System.Globalization;
using MqttCheck.Cli.Terminal;
using MqttCheck.Predictions;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Verify;

/// <summary>The table that a run and a verification end with, and the exit code that follows from it.</summary>
internal static class VerdictTable
{
    /// <summary>Prints every predicted point with its verdict, where it was verified, and then why.</summary>
    public static void Print(Screen screen, Prediction prediction, IReadOnlyList<VerdictReport> verdicts)
    {
        var table = new TextTable(
            "profile",
            "threshold",
            "clients",
            "predicted",
            prediction.IntervalTitle,
            "verdict",
            "rejected",
            "measured",
            "samples",
            "expected",
            "time"
        );
        foreach (var point in prediction.Points)
            table.Add(Row(point, verdicts.FirstOrDefault(candidate => candidate.Point == point)));
        table.Print(screen);
        screen.Line(prediction.IntervalMeaning);
        screen.Line();
        if (MonteCarloTable.IsWanted(verdicts))
        {
            var estimates = new TextTable([.. MonteCarloTable.Columns(verdicts)]);
            foreach (var row in MonteCarloTable.Rows(verdicts))
                estimates.Add([.. row.Select(cell => (TableCell)cell)]);
            estimates.Print(screen);
            screen.Line(MonteCarloTable.Summary(verdicts));
            screen.Line();
        }
        foreach (var verdict in verdicts)
        {
            screen.Line($"{verdict.Kind.Word()}: {VerificationDisplay.Where(verdict.Point)}: {verdict.Reason}");
            screen.Lines(VerdictRemarks.Of(verdict).Select(remark => "    " + remark));
        }
        if (VerdictFamily.Error(verdicts) is { } error)
            screen.Line(error);
        if (VerdictFamily.Tally(verdicts) is { } tally)
            screen.Line(tally);
    }

    private static TableCell[] Row(PredictedPoint point, VerdictReport? verdict) =>
        [
            point.Profile,
            TableCell.Milliseconds(point.ThresholdMilliseconds),
            point.Clients,
            TableCell.Probability(point.Probability),
            TableCell.Probability(point.Interval),
            verdict is null ? "" : verdict.Kind.Word(),
            verdict is null ? "" : Rejected(verdict),
            verdict is null ? "" : TableCell.Probability(verdict.MeasuredProbability),
            verdict is null ? "" : verdict.Samples,
            verdict is null || !double.IsFinite(verdict.ExpectedSamples)
                ? ""
                : TableCell.Of(
                    verdict.ExpectedSamples,
                    verdict.ExpectedSamples.ToString("0", CultureInfo.InvariantCulture)
                ),
            verdict is null
                ? ""
                : TableCell.Of(
                    verdict.ElapsedSeconds,
                    NumberText.Seconds(TimeSpan.FromSeconds(verdict.ElapsedSeconds))
                ),
        ];

    // The probabilities that the verdict excludes. A confirmation without upper side excludes only worse ones.
    private static string Rejected(VerdictReport verdict) =>
        (verdict.Kind, verdict.CountsAsPredicted) switch
        {
            (VerdictKind.Confirmed or VerdictKind.NotWorse, { } range) => string.Join(
                " ",
                (
                    (string[])
                        [
                            range.Lower > 0 ? "<=" + NumberText.Probability(range.Lower) : "",
                            range.Upper < 1 ? ">=" + NumberText.Probability(range.Upper) : "",
                        ]
                ).Where(side => side.Length > 0)
            ),
            (VerdictKind.Worse, { } range) => ">=" + NumberText.Probability(range.Lower),
            (VerdictKind.Better, { } range) => "<=" + NumberText.Probability(range.Upper),
            _ => "",
        };
}
