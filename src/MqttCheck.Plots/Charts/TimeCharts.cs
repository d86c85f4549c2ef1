using MqttCheck.Plots.Drawing;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Page;
using ScottPlot;

namespace MqttCheck.Plots.Charts;

/// <summary>Latency and rate of a log over time.</summary>
internal static class TimeCharts
{
    // More starts of runs than this would cover the chart.
    private const int MostRuns = 60;

    public static Picture? Latency(ReportInput input, Figure figure) =>
        input.Log?.OverTime is { } time && time.MedianMilliseconds.Any(median => median > 0)
            ? new("latency-time", figure.Title, figure.StillCaption, () => DrawLatency(time, figure))
            : null;

    public static Picture? Rate(ReportInput input, Figure figure) =>
        input.Log?.OverTime is { } time
            ? new("rate-time", figure.Title, figure.StillCaption, () => DrawRate(time, figure))
            : null;

    private static Sheet DrawLatency(TimeReport time, Figure figure)
    {
        int[] bins =
        [
            .. Enumerable.Range(0, time.MedianMilliseconds.Count).Where(bin => time.MedianMilliseconds[bin] > 0),
        ];
        var sheet = new Sheet(figure.Title, figure.StillCaption);
        sheet.SetY(
            Scale.Around(
                bins.SelectMany(bin => (double[])[time.MedianMilliseconds[bin], time.P99Milliseconds[bin]]),
                1.15
            ),
            "latency, ms (log)"
        );
        Horizontal(sheet, time);
        sheet.Line(
            bins.Select(bin => Middle(time, bin)),
            bins.Select(bin => time.MedianMilliseconds[bin]),
            Palette.Series(0)
        );
        foreach (var (from, to) in bins.Zip(bins.Skip(1)))
            sheet.Segment(
                Middle(time, from),
                time.P99Milliseconds[from],
                Middle(time, to),
                time.P99Milliseconds[to],
                Palette.Series(1),
                dashed: true
            );
        sheet.Explain("median", Palette.Series(0), LegendShape.Line);
        sheet.Explain("99 % below", Palette.Series(1), LegendShape.Dashed);
        return sheet;
    }

    private static Sheet DrawRate(TimeReport time, Figure figure)
    {
        double[] rates = [.. time.Exchanges.Select(count => count / time.BinSeconds)];
        var sheet = new Sheet(figure.Title, figure.StillCaption);
        sheet.SetY(new(0, rates.Max() > 0 ? rates.Max() * 1.08 : 1), "exchanges per second");
        Horizontal(sheet, time);
        sheet.Line(rates.Select((_, bin) => Middle(time, bin)), rates, Palette.Series(0));
        for (var bin = 0; bin < rates.Length; bin++)
            if (time.Errors[bin] > 0)
                sheet.Mark(
                    Middle(time, bin),
                    rates[bin],
                    MarkerShape.FilledTriangleUp,
                    Palette.Series(1),
                    8,
                    isHollow: false
                );
        sheet.Explain("sent", Palette.Series(0), LegendShape.Line);
        if (time.Errors.Any(errors => errors > 0))
            sheet.Explain("some failed", Palette.Series(1), LegendShape.Full, MarkerShape.FilledTriangleUp);
        return sheet;
    }

    private static void Horizontal(Sheet sheet, TimeReport time)
    {
        sheet.SetX(new(0, time.BinSeconds * time.Exchanges.Count), "seconds of traffic, one run after the other");
        if (time.RunStartSeconds.Count > MostRuns)
            return;
        foreach (var start in time.RunStartSeconds.Skip(1))
            sheet.Segment(start, sheet.Y.Low, start, sheet.Y.High, Palette.Soft, 1, dashed: true);
    }

    private static double Middle(TimeReport time, int bin) => (bin + .5) * time.BinSeconds;
}
