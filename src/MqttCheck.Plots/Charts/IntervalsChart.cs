using System.Globalization;
using MqttCheck.Plots.Drawing;
using MqttCheck.Reports.Documents;
using ScottPlot;

namespace MqttCheck.Plots.Charts;

/// <summary>Estimates with their intervals, one row each.</summary>
internal static class IntervalsChart
{
    private static readonly Dictionary<DocumentTone, string> s_names = new()
    {
        [DocumentTone.Good] = "as hoped for",
        [DocumentTone.Bad] = "as feared",
        [DocumentTone.Warning] = "not decided",
        [DocumentTone.Plain] = "one run",
    };

    private const double RowHeight = 26;

    public static Picture? Of(IntervalChart chart) =>
        chart.Lines.Count == 0
            ? null
            : new(Picture.FileName(chart.Title.ToLowerInvariant()), chart.Title, Caption(chart), () => Draw(chart));

    private static string Caption(IntervalChart chart) =>
        $"{chart.Explanation} {IntervalDrawing.Marks(chart)}".TrimEnd();

    private static Sheet Draw(IntervalChart chart)
    {
        var sheet = new Sheet(chart.Title, Caption(chart)) { DataHeight = chart.Lines.Count * RowHeight };
        sheet.SetRows([.. chart.Lines.Select(line => line.Label)], widest: 380);
        var scale = new Scale(chart.Minimum, chart.Maximum);
        sheet.SetX(scale, "", format: value => value.ToString("0.0##", CultureInfo.InvariantCulture), grid: true);
        if (chart.Band is { } band)
            sheet.Box(
                Math.Max(band.Lower, scale.Low),
                Math.Min(band.Upper, scale.High),
                sheet.Y.Low,
                sheet.Y.High,
                Palette.Accent,
                .13
            );
        foreach (var mark in chart.Marks)
            sheet.Segment(mark.Value, sheet.Y.Low, mark.Value, sheet.Y.High, Palette.Soft, dashed: true);
        for (var row = 0; row < chart.Lines.Count; row++)
        {
            var (line, colour) = (chart.Lines[row], Palette.Tone(chart.Lines[row].Tone));
            if (line.Interval is { } interval)
                sheet.Segment(
                    Math.Max(scale.Low, interval.Lower),
                    -row,
                    Math.Min(scale.High, interval.Upper),
                    -row,
                    colour,
                    2.5f
                );
            if (double.IsFinite(line.Estimate))
                sheet.Mark(Math.Clamp(line.Estimate, scale.Low, scale.High), -row, MarkerShape.FilledCircle, colour);
        }
        if (chart.Band is not null)
            sheet.Explain("pale", Palette.Accent, LegendShape.Band);
        foreach (var mark in chart.Marks)
            sheet.Explain(mark.Key, Palette.Soft, LegendShape.Dashed);
        foreach (var tone in chart.Lines.Select(line => line.Tone).Distinct().Order())
            sheet.Explain(s_names[tone], Palette.Tone(tone), LegendShape.Line, MarkerShape.FilledCircle);
        return sheet;
    }
}
