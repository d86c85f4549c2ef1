using MqttCheck.Plots.Drawing;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Page;

namespace MqttCheck.Plots.Charts;

/// <summary>How often observed latencies fall into each equally likely part of the model's distribution.</summary>
internal static class PitChart
{
    public static Picture? Of(ReportInput input, Figure figure)
    {
        var counts = input.Learning?.Calibration?.PitCounts ?? [];
        return counts.Sum() == 0 ? null : new("pit", figure.Title, figure.StillCaption, () => Draw(counts, figure));
    }

    private static Sheet Draw(IReadOnlyList<long> counts, Figure figure)
    {
        var (bins, total) = (counts.Count, (double)counts.Sum());
        // 95 % of a binomial count, as a multiple of what is expected.
        var half = 1.96 * Math.Sqrt((bins - 1) / total);
        var sheet = new Sheet(figure.Title, figure.StillCaption);
        sheet.SetY(new(0, new[] { 1.5, 1 + half, counts.Max() * bins / total }.Max() * 1.05), "relative to expected");
        sheet.SetX(new(0, 1), "quantile of the model", [0, .25, .5, .75, 1], Words.Percent);
        var gap = sheet.PointsToX(1);
        for (var bin = 0; bin < bins; bin++)
            sheet.Box(
                (double)bin / bins + gap,
                (bin + 1.0) / bins - gap,
                0,
                counts[bin] * bins / total,
                Palette.Series(0),
                .85
            );
        sheet.Box(0, 1, Math.Max(0, 1 - half), 1 + half, Palette.Accent, .22);
        sheet.Segment(0, 1, 1, 1, Palette.Accent);
        sheet.Segment(0, 0, 1, 0, Palette.Ink, 1);
        sheet.Explain("exchanges", Palette.Series(0), LegendShape.Box);
        sheet.Explain("95 % of bars, if the model is right", Palette.Accent, LegendShape.Band);
        return sheet;
    }
}
