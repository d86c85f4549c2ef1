using System.Globalization;
using MqttCheck.Plots.Drawing;
using MqttCheck.Reports.Formats;
using ScottPlot;

namespace MqttCheck.Plots.Charts;

/// <summary>The axes that charts of distribution functions share.</summary>
internal static class DistributionAxes
{
    /// <summary>Shares from 0 to 1 over logarithmic latencies.</summary>
    public static void Axes(Sheet sheet, Scale latencies, string label, string share = "share of sequences")
    {
        sheet.SetY(
            new(0, 1),
            share,
            [0, .2, .4, .6, .8, 1],
            tick => tick.ToString("0.0", CultureInfo.InvariantCulture)
        );
        sheet.SetX(latencies, label);
    }

    /// <summary>The share of latencies that are smaller; what never came keeps the curve below 1.</summary>
    public static void Curve(Sheet sheet, IReadOnlyList<double> sorted, Color colour)
    {
        double[] finite = [.. sorted.Where(double.IsFinite)];
        sheet.Steps(
            [sheet.X.Low, .. finite, sheet.X.High],
            [0, .. finite.Select((_, i) => (i + 1.0) / sorted.Count), (double)finite.Length / sorted.Count],
            colour
        );
    }

    /// <summary>A threshold, and the share that is below it.</summary>
    public static void Threshold(Sheet sheet, double threshold, double share)
    {
        var scale = sheet.X;
        sheet.Segment(threshold, 0, threshold, 1, Palette.Accent, dashed: true);
        sheet.Segment(scale.Low, share, threshold, share, Palette.Accent, dashed: true);
        sheet.Mark(threshold, share, MarkerShape.FilledCircle, Palette.Accent, 9, isHollow: false);
        var isRight = scale.Share(threshold) > .7;
        sheet.Write(
            Words.Milliseconds(threshold),
            (threshold, 0),
            isRight ? Alignment.LowerRight : Alignment.LowerLeft,
            Palette.Accent,
            dx: isRight ? -7 : 7,
            dy: -6
        );
    }
}
