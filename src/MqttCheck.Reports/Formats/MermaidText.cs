using MqttCheck.Reports.Input;
using static System.FormattableString;

namespace MqttCheck.Reports.Formats;

/// <summary>
/// Pictures as text: GitHub draws Mermaid where it shows Markdown, also in a job summary, which cannot show files.
/// </summary>
internal static class MermaidText
{
    /// <summary>More points than that would be drawn over each other; the table above has them all.</summary>
    private const int MostPoints = 24;

    /// <summary>Draws what was measured as bars and what was predicted as a line.</summary>
    /// <param name="writer">The writer of the text; it stays open.</param>
    /// <param name="verdicts">The verdicts; those without a measurement are left out.</param>
    public static void Verdicts(TextWriter writer, IReadOnlyList<VerdictReport> verdicts)
    {
        var measured = verdicts
            .Where(verdict => double.IsFinite(verdict.MeasuredProbability))
            .Take(MostPoints)
            .ToList();
        if (measured.Count == 0)
            return;
        writer.Write(
            "\n```mermaid\nxychart-beta\n"
                + "    title \"Sequences in time: bars measured, line predicted\"\n"
                + $"    x-axis [{Listed(measured, verdict => Label(verdict.Point))}]\n"
                + "    y-axis \"share\" 0 --> 1\n"
                + $"    bar [{Listed(measured, verdict => Invariant($"{verdict.MeasuredProbability:0.0###}"))}]\n"
                + $"    line [{Listed(measured, verdict => Invariant($"{verdict.Point.Probability:0.0###}"))}]\n```\n"
        );
    }

    private static string Label(Predictions.PredictedPoint point) =>
        Invariant($"\"{Plain(point.Profile)} {point.Clients}, {point.ThresholdMilliseconds:0.###} ms\"");

    // A quotation mark ends a label, and a profile's name may hold anything.
    private static string Plain(string name) =>
        string.Concat(
            name.Select(letter => char.IsLetterOrDigit(letter) || letter is '-' or '_' or '.' ? letter : ' ')
        );

    private static string Listed(List<VerdictReport> verdicts, Func<VerdictReport, string> text) =>
        string.Join(", ", verdicts.Select(text));
}
