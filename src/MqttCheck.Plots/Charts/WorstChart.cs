using MqttCheck.Plots.Drawing;
using MqttCheck.Reports.Builders;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Page;
using ScottPlot;

namespace MqttCheck.Plots.Charts;

/// <summary>
/// Distribution of the slowest message of a sequence, with its band, for the setup and threshold that the page opens
/// with.
/// </summary>
internal static class WorstChart
{
    public static Picture? Of(ReportInput input, Figure figure)
    {
        if (Choice(input) is not var (prediction, threshold))
            return null;
        var sorted = prediction.SortedWorstMilliseconds;
        var setup = $"{prediction.Profile}, {Words.Counted(prediction.Clients, "client")}";
        var inTime = SortedValues.ShareBelow(sorted, threshold);
        var title = $"{figure.Title}, {setup}";
        var caption =
            $"{figure.StillCaption} Dashed: {Words.Probability(inTime)} "
            + $"take less than {Words.Milliseconds(threshold)}.";
        return new("worst", title, caption, () => Draw(prediction, threshold, inTime, title, caption));
    }

    // The choice is that of the page: the first verified point, else the middle of the first prediction that has a
    // distribution.
    private static (PredictionReport Prediction, double Threshold)? Choice(ReportInput input)
    {
        var verified = input.Verdicts.Count > 0 ? input.Verdicts[0].Point : null;
        PredictionReport[] drawable =
        [
            .. input.Predictions.Where(prediction => prediction.SortedWorstMilliseconds.Count > 0),
        ];
        if (drawable.Length == 0)
            return null;
        var chosen =
            drawable.FirstOrDefault(prediction =>
                prediction.Profile == verified?.Profile && prediction.Clients == verified.Clients
            ) ?? drawable[0];
        var sorted = chosen.SortedWorstMilliseconds;
        var threshold =
            verified?.ThresholdMilliseconds
            ?? (
                chosen.Points.Count > 0
                    ? chosen.Points[chosen.Points.Count / 2].ThresholdMilliseconds
                    : sorted[sorted.Count * 9 / 10]
            );
        return double.IsFinite(threshold) ? (chosen, threshold) : null;
    }

    private static Sheet Draw(
        PredictionReport prediction,
        double threshold,
        double inTime,
        string title,
        string caption
    )
    {
        var sorted = prediction.SortedWorstMilliseconds;
        var (half, finite) = (prediction.BandHalfWidth, sorted.Where(double.IsFinite).ToArray());
        var scale = Scale.Around([.. finite, threshold]);
        var sheet = new Sheet(title, caption) { DataHeight = 270 };
        DistributionAxes.Axes(sheet, scale, "slowest message of a sequence, ms (log)");
        double[] times = [scale.Low, .. finite, scale.High];
        double[] shares =
        [
            0,
            .. finite.Select((_, i) => (i + 1.0) / sorted.Count),
            (double)finite.Length / sorted.Count,
        ];
        sheet.Band(
            times,
            [.. shares.Select(p => Math.Max(0, p - half))],
            [.. shares.Select(p => Math.Min(1, p + half))],
            Palette.Series(0),
            .16,
            stepped: true
        );
        sheet.Steps(times, shares, Palette.Series(0));
        DistributionAxes.Threshold(sheet, threshold, inTime);
        sheet.Explain("predicted", Palette.Series(0), LegendShape.Line);
        sheet.Explain($"{Words.Percent(prediction.Confidence)} band of chance", Palette.Series(0), LegendShape.Band);
        sheet.Explain("threshold", Palette.Accent, LegendShape.Dashed);
        return sheet;
    }
}
