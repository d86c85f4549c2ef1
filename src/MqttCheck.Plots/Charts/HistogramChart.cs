using MqttCheck.Clients;
using MqttCheck.Plots.Drawing;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Page;
using ScottPlot;

namespace MqttCheck.Plots.Charts;

/// <summary>Latency by kind of message: a row for each kind, scaled to its own peak.</summary>
internal static class HistogramChart
{
    private const double RowHeight = 62;

    public static Picture? Of(ReportInput input, Figure figure)
    {
        if (input.Log is not { BinEdgesMilliseconds.Count: > 1 } log)
            return null;
        KindReport[] kinds = [.. log.Kinds.Where(kind => double.IsFinite(kind.MedianMilliseconds))];
        return kinds.Length == 0
            ? null
            : new("histogram", figure.Title, figure.StillCaption, () => Draw(log.BinEdgesMilliseconds, kinds, figure));
    }

    private static Sheet Draw(IReadOnlyList<double> edges, KindReport[] kinds, Figure figure)
    {
        var sheet = new Sheet(figure.Title, figure.StillCaption) { DataHeight = kinds.Length * RowHeight, Left = 116 };
        sheet.SetY(new(-kinds.Length + .5, .5));
        sheet.SetX(new(edges[0], edges[^1], IsLogarithmic: true), "latency, ms (log)");
        for (var row = 0; row < kinds.Length; row++)
        {
            var (kind, foot) = (kinds[row], -row - .45);
            var peak = Math.Max(1, kind.BinCounts.DefaultIfEmpty().Max());
            for (var bin = 0; bin < kind.BinCounts.Count && bin + 1 < edges.Count; bin++)
                if (kind.BinCounts[bin] > 0)
                    sheet.Box(
                        edges[bin],
                        edges[bin + 1],
                        foot,
                        foot + .8 * kind.BinCounts[bin] / peak,
                        Palette.Kind(kind.Kind)
                    );
            sheet.Segment(edges[0], foot, edges[^1], foot, Palette.Line, 1);
            sheet.Segment(kind.MedianMilliseconds, foot, kind.MedianMilliseconds, foot + .88, Palette.Ink);
            sheet.Segment(kind.P99Milliseconds, foot, kind.P99Milliseconds, foot + .88, Palette.Ink, dashed: true);
            var centre = sheet.RowCentre(row);
            sheet.Write(kind.Kind.Name(), 18, centre - 3, Alignment.LowerLeft, Palette.Ink, bold: true);
            sheet.Write(Words.Count(kind.Count), 18, centre + 2, Alignment.UpperLeft, Palette.Soft, size: 11);
            sheet.Explain(kind.Kind.Name(), Palette.Kind(kind.Kind), LegendShape.Box);
        }
        sheet.Explain("median", Palette.Ink, LegendShape.Line);
        sheet.Explain("99 % are faster", Palette.Ink, LegendShape.Dashed);
        return sheet;
    }
}
