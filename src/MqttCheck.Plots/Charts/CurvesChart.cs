using MqttCheck.Plots.Drawing;
using MqttCheck.Reports.Documents;
using ScottPlot;

namespace MqttCheck.Plots.Charts;

/// <summary>Curves on logarithmic axes.</summary>
internal static class CurvesChart
{
    public static Picture? Of(CurveChart chart) =>
        chart.Lines.All(line => line.Points.Count == 0)
            ? null
            : new(Picture.FileName(chart.Title.ToLowerInvariant()), chart.Title, chart.Explanation, () => Draw(chart));

    private static Sheet Draw(CurveChart chart)
    {
        CurveLine[] lines = [.. chart.Lines.Where(line => line.Points.Count > 0)];
        var sheet = new Sheet(chart.Title, chart.Explanation) { DataHeight = 280, Right = 110 };
        sheet.SetY(Scale.Around(lines.SelectMany(line => line.Points.Select(point => point.Y)), 1.2), chart.YLabel);
        sheet.SetX(
            Scale.Around(
                lines
                    .SelectMany(line => line.Points.Select(point => point.X))
                    .Concat(chart.Marks.Select(mark => mark.Value)),
                1.1
            ),
            chart.XLabel
        );
        for (var i = 0; i < lines.Length; i++)
        {
            var (points, colour) = (lines[i].Points, Palette.Series(i));
            sheet.Line(points.Select(point => point.X), points.Select(point => point.Y), colour);
            foreach (var point in points)
                sheet.Mark(point.X, point.Y, Palette.Symbol(i), colour, 7);
            sheet.Explain(lines[i].Label, colour, LegendShape.Line, Palette.Symbol(i));
        }
        foreach (var mark in chart.Marks)
        {
            sheet.Segment(mark.Value, sheet.Y.Low, mark.Value, sheet.Y.High, Palette.Bad, dashed: true);
            sheet.Explain(mark.Key, Palette.Bad, LegendShape.Dashed);
        }
        sheet.NameEnds([
            .. lines.Select(
                (line, i) =>
                    (Typefaces.Fit(line.Label, Sheet.TextSize, 90, bold: true), line.Points[^1].Y, Palette.Series(i))
            ),
        ]);
        return sheet;
    }
}
