using MqttCheck.Plots.Drawing;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Page;
using MqttCheck.Verification;
using ScottPlot;

namespace MqttCheck.Plots.Charts;

/// <summary>Predicted and measured probability of each verified point, one row each.</summary>
internal static class ComparisonChart
{
    private const double RowHeight = 32;

    public static Picture? Of(ReportInput input, Figure figure) =>
        input.Verdicts.Count == 0
            ? null
            : new("comparison", figure.Title, figure.StillCaption, () => Draw(input.Verdicts, figure));

    private static Sheet Draw(IReadOnlyList<VerdictReport> verdicts, Figure figure)
    {
        var sheet = new Sheet(figure.Title, figure.StillCaption) { DataHeight = verdicts.Count * RowHeight };
        sheet.SetRows([.. verdicts.Select(verdict => Words.Point(verdict.Point))]);
        var low = verdicts.Min(verdict =>
            new[]
            {
                verdict.Point.Interval.Lower,
                verdict.CountsAsPredicted?.Lower ?? 1,
                verdict.MeasuredInterval?.Lower ?? 1,
                Known(verdict.MeasuredProbability, 1),
            }.Min()
        );
        var from = Math.Max(0, Math.Floor((low - .01) * 20) / 20);
        var ticks = Enumerable
            .Range(0, 21)
            .Where(tick => tick / 20.0 >= from && (1 - from <= .55 || tick % 4 == 0))
            .Select(tick => tick / 20.0)
            .ToArray();
        sheet.SetX(
            new(from, 1),
            "probability that all messages are in time",
            ticks,
            tick => tick.ToString("0.0#", System.Globalization.CultureInfo.InvariantCulture),
            grid: true
        );
        for (var row = 0; row < verdicts.Count; row++)
            Row(sheet, verdicts[row], -row, from);
        sheet.Explain("counts as predicted", Palette.Accent, LegendShape.Band);
        sheet.Explain("predicted, with interval", Palette.Accent, LegendShape.Hollow, MarkerShape.FilledDiamond);
        foreach (
            var kind in verdicts
                .Where(verdict => double.IsFinite(verdict.MeasuredProbability))
                .Select(verdict => verdict.Kind)
                .Distinct()
                .Order()
        )
            sheet.Explain(
                $"measured: {kind.Word()}",
                Palette.Verdict(kind),
                LegendShape.Line,
                MarkerShape.FilledCircle
            );
        return sheet;
    }

    private static void Row(Sheet sheet, VerdictReport verdict, double y, double from)
    {
        var point = verdict.Point;
        if (verdict.CountsAsPredicted is { } same)
            sheet.Box(Math.Max(from, same.Lower), Math.Min(1, same.Upper), y - .38, y + .38, Palette.Accent, .13);
        sheet.Box(
            Math.Max(from, point.Interval.Lower),
            Math.Min(1, point.Interval.Upper),
            y + .02,
            y + .22,
            Palette.Accent,
            .75
        );
        sheet.Mark(point.Probability, y, MarkerShape.FilledDiamond, Palette.Accent, 10, dy: -.12 * RowHeight);
        if (!double.IsFinite(verdict.MeasuredProbability))
            return;
        var colour = Palette.Verdict(verdict.Kind);
        if (verdict.MeasuredInterval is { } interval)
            sheet.Segment(Math.Max(from, interval.Lower), y - .2, Math.Min(1, interval.Upper), y - .2, colour, 1.8f);
        sheet.Mark(verdict.MeasuredProbability, y, MarkerShape.FilledCircle, colour, 8, dy: .2 * RowHeight);
    }

    private static double Known(double value, double otherwise) => double.IsFinite(value) ? value : otherwise;
}
