using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Verify;
using MqttCheck.Predictions;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Sequential;
using MqttCheck.Verification;
using static System.FormattableString;

namespace MqttCheck.Cli.Run;

/// <summary>
/// The first output of a run: a line for each verdict, and which of the predicted points were verified.
/// </summary>
internal static class RunSummary
{
    private static readonly int WordWidth = "confirmed".Length;

    /// <summary>Prints the lines.</summary>
    public static void Print(Screen screen, Prediction prediction, IReadOnlyList<VerdictReport> verdicts)
    {
        screen.Lines(Cautions(prediction).Select(caution => $"Note: {caution}"));
        foreach (var verdict in verdicts)
        {
            screen.Line(Line(verdict));
            // Only a withheld verdict needs its reason, because the other words speak for themselves.
            if (verdict.Kind == VerdictKind.Withheld)
                screen.Line($"{new string(' ', WordWidth)}  {verdict.Reason}");
        }
        if (VerdictFamily.Tally(verdicts) is { } tally)
            screen.Line(tally);
        if (VerdictFamily.Error(verdicts) is { } error)
            screen.Line(error);
        if (MonteCarloTable.IsWanted(verdicts))
            screen.Line(MonteCarloTable.Summary(verdicts));
        screen.Line(Verified(prediction, verdicts));
    }

    /// <summary>A verdict in one line: the word, the point, what was predicted and what was measured.</summary>
    internal static string Line(VerdictReport verdict) =>
        Invariant($"{verdict.Kind.Word().PadRight(WordWidth)}  {VerificationDisplay.Where(verdict.Point)}: ")
        + Invariant($"predicted {NumberText.Probability(verdict.Point.Probability)}, ")
        + Invariant($"{Measured(verdict)}, {Counted.Of(verdict.Runs, "run")}");

    private static string Measured(VerdictReport verdict) =>
        double.IsNaN(verdict.MeasuredProbability)
            ? "not measured"
            : $"measured {NumberText.Probability(verdict.MeasuredProbability)}";

    /// <summary>The notes that nobody may miss: they say that the prediction is not to be trusted.</summary>
    internal static IReadOnlyList<string> Cautions(Prediction prediction) => prediction.Warnings;

    private static string Verified(Prediction prediction, IReadOnlyList<VerdictReport> verdicts)
    {
        var (verified, points) = (verdicts.Count, prediction.Points.Count);
        var word = points == 1 ? "point" : "points";
        var notes = prediction.Notes.Count - Cautions(prediction).Count;
        return Invariant($"Verified: {verified} of {points} predicted {word}; the report and --verbose say more")
            + (notes == 0 ? "." : $" ({Counted.Of(notes, "note")}).");
    }
}
