using System.Globalization;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Reports.Charts;

/// <summary>
/// Distribution of the slowest message of a sequence, with its band, for the setup and threshold that are chosen.
/// </summary>
internal static class WorstChart
{
    /// <summary>The choice of a setup, by the place of its prediction in the report.</summary>
    public const string Setup = "setup";

    public static Chart? Of(ReportInput input)
    {
        if (OpeningOf(input) is not var (opening, threshold))
            return null;
        (PredictionReport Prediction, int Index)[] drawn =
        [
            .. input
                .Predictions.Select((prediction, index) => (prediction, index))
                .Where(pair => pair.prediction.SortedWorstMilliseconds.Count > 0),
        ];
        // One scale for all setups: what moves when the reader changes the setup is the curve.
        var ends = drawn.SelectMany(pair =>
            new[]
            {
                pair.Prediction.SortedWorstMilliseconds[0],
                pair.Prediction.SortedWorstMilliseconds.LastOrDefault(double.IsFinite),
            }
        );
        return new()
        {
            X =
            [
                Axis.Across(
                    Scale.Around([.. ends, .. Named(input), threshold], 1.12),
                    "slowest message of a sequence, ms (log)"
                ),
            ],
            Y = Axis.Shares("share of sequences"),
            Height = 270,
            Hover = Hover.Across,
            Marks = [.. drawn.SelectMany(pair => Marks(pair.Prediction, pair.Index))],
            Legend =
            [
                new("predicted", Role.S1, LegendShape.Line),
                new(
                    $"{Words.Percent(input.Predictions[opening].Confidence)} band of chance",
                    Role.S1,
                    LegendShape.Band
                ),
                new("threshold", Role.Accent, LegendShape.Dashed),
            ],
            Opening = new Dictionary<string, string> { [Setup] = Value(opening) },
            Threshold = threshold,
        };
    }

    /// <summary>The thresholds that a report names.</summary>
    public static IEnumerable<double> Named(ReportInput input) =>
        input
            .Predictions.SelectMany(prediction => prediction.Points)
            .Concat(input.Verdicts.Select(verdict => verdict.Point))
            .Select(point => point.ThresholdMilliseconds);

    /// <summary>
    /// The setup and threshold that a page opens with: the first verified point, else the middle of the first
    /// prediction that has a distribution. Null where none has one.
    /// </summary>
    public static (int Setup, double Threshold)? OpeningOf(ReportInput input)
    {
        var verified = input.Verdicts.Count > 0 ? input.Verdicts[0].Point : null;
        int[] drawable =
        [
            .. Enumerable
                .Range(0, input.Predictions.Count)
                .Where(i => input.Predictions[i].SortedWorstMilliseconds.Count > 0),
        ];
        if (drawable.Length == 0)
            return null;
        var chosen = drawable
            .Where(i =>
                input.Predictions[i].Profile == verified?.Profile && input.Predictions[i].Clients == verified.Clients
            )
            .Append(drawable[0])
            .First();
        var (sorted, points) = (input.Predictions[chosen].SortedWorstMilliseconds, input.Predictions[chosen].Points);
        var threshold =
            verified?.ThresholdMilliseconds
            ?? (points.Count > 0 ? points[points.Count / 2].ThresholdMilliseconds : sorted[sorted.Count * 9 / 10]);
        return (chosen, threshold);
    }

    private static IEnumerable<Mark> Marks(PredictionReport prediction, int index)
    {
        var when = new Dictionary<string, string> { [Setup] = Value(index) };
        var sorted = prediction.SortedWorstMilliseconds;
        yield return new(MarkShape.Distribution, Role.S1, sorted, [])
        {
            HalfWidth = prediction.BandHalfWidth,
            Opacity = .16,
            Tip = "{y:p} of the sequences\nwithin {x} ms",
            When = when,
        };
        yield return new(MarkShape.Reading, Role.Accent, sorted, []) { IsDashed = true, When = when };
    }

    private static string Value(int index) => index.ToString(CultureInfo.InvariantCulture);
}
