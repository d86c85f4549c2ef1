using MqttCheck.Clients;
using MqttCheck.Plots.Drawing;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Page;
using ScottPlot;

namespace MqttCheck.Plots.Charts;

/// <summary>Latency of a sample of the log against its first column.</summary>
internal static class ScatterChart
{
    public static Picture? Of(ReportInput input, Figure figure)
    {
        if (
            input.Log?.Scatter is not { Columns.Count: > 0 } sample
            || !sample.Groups.Any(group => group.LatencyMilliseconds.Any(latency => latency > 0))
        )
            return null;
        return new("scatter", figure.Title, figure.StillCaption, () => Draw(sample, figure));
    }

    private static Sheet Draw(ScatterReport sample, Figure figure)
    {
        var groups = sample
            .Groups.Select(group =>
                (
                    group.Kind,
                    Points: group
                        .LatencyMilliseconds.Select((latency, i) => (X: group.Values[0][i] + Jitter(i), Y: latency))
                        .Where(point => point.Y > 0)
                        .ToArray()
                )
            )
            .Where(group => group.Points.Length > 0)
            .ToArray();
        var sheet = new Sheet(figure.Title, figure.StillCaption) { DataHeight = 290 };
        sheet.SetY(
            Scale.Around(groups.SelectMany(group => group.Points.Select(point => point.Y))),
            "latency, ms (log)"
        );
        var (low, high) = (
            Math.Floor(groups.Min(group => group.Points.Min(point => point.X))),
            Math.Ceiling(groups.Max(group => group.Points.Max(point => point.X)))
        );
        var ticks = Ticks.Linear(low, high, 8).Where(tick => tick == Math.Floor(tick) && tick >= 0).ToArray();
        sheet.SetX(new(low, high), sample.Columns[0], ticks, Words.Number);
        foreach (var (kind, points) in groups)
        {
            sheet.Points(points, Palette.Kind(kind), Palette.KindSymbol(kind));
            sheet.Explain(kind.Name(), Palette.Kind(kind), LegendShape.Full, Palette.KindSymbol(kind));
        }
        return sheet;
    }

    // Whole numbers would stack all points on lines; a fixed pattern, the page's, moves them apart by less than half a
    // step.
    private static double Jitter(int index) => (index * 0.618033988749895 % 1 - .5) * .9;
}
