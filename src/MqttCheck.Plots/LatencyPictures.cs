using MqttCheck.Plots.Charts;
using MqttCheck.Plots.Data;
using MqttCheck.Plots.Drawing;
using MqttCheck.Reports.Formats;
using ScottPlot;

namespace MqttCheck.Plots;

/// <summary>Pictures of measured latencies.</summary>
internal static class LatencyPictures
{
    // More curves than this cannot be told apart in one picture.
    private const int MostCurves = 5;

    /// <summary>Latency against percentile, on axes that make room for the slowest messages.</summary>
    /// <param name="title">The heading.</param>
    /// <param name="caption">The subject of the latencies.</param>
    /// <param name="curves">The runs; of more than five, the first, the last and three between are drawn.</param>
    /// <returns>The picture; null without a latency.</returns>
    public static Picture? Percentiles(string title, string caption, IReadOnlyList<QuantileCurve> curves)
    {
        QuantileCurve[] known =
        [
            .. curves
                .Select(curve =>
                    curve with
                    {
                        Points = [.. curve.Points.Where(point => point is { Share: >= 0 and < 1, Milliseconds: > 0 })],
                    }
                )
                .Where(curve => curve.Points.Count > 1),
        ];
        if (known.Length == 0)
            return null;
        var drawn =
            known.Length <= MostCurves
                ? known
                : [.. Enumerable.Range(0, MostCurves).Select(i => known[i * (known.Length - 1) / (MostCurves - 1)])];
        var text = drawn.Length < known.Length ? $"{caption} {drawn.Length} of {known.Length} runs." : caption;
        return new("percentiles", title, text, () => Draw(drawn, title, text));
    }

    private static Sheet Draw(QuantileCurve[] drawn, string title, string text)
    {
        var sheet = new Sheet(title, text) { DataHeight = 290 };
        sheet.SetY(
            Scale.Around(drawn.SelectMany(curve => curve.Points.Select(point => point.Milliseconds)), 1.1),
            "latency, ms (log)"
        );
        var most = drawn.Max(curve => Rarity(curve.Points[^1].Share));
        double[] ticks =
        [
            .. new[] { 0, .5, .9, .99, .999, .9999, .99999 }.Where(share => Rarity(share) <= most * 1.001),
        ];
        sheet.SetX(
            new(1, most, true),
            "percentile",
            [.. ticks.Select(Rarity)],
            rarity =>
                Words.Percent(Math.Round(1 - 1 / rarity, 7)).Replace("100 %", "99.999 %", StringComparison.Ordinal),
            grid: true
        );
        for (var i = 0; i < drawn.Length; i++)
        {
            sheet.Line(
                drawn[i].Points.Select(point => Rarity(point.Share)),
                drawn[i].Points.Select(point => point.Milliseconds),
                Palette.Series(i)
            );
            if (drawn[i].Points.Count <= 6)
                foreach (var (share, latency) in drawn[i].Points)
                    sheet.Mark(Rarity(share), latency, Palette.Symbol(i), Palette.Series(i), 7);
            sheet.Explain(drawn[i].Label, Palette.Series(i), LegendShape.Line, Palette.Symbol(i));
        }
        return sheet;
    }

    // Rarer latencies stand farther to the right: one in 1, 2, 10, 100, 1000.
    private static double Rarity(double share) => 1 / (1 - share);

    /// <summary>Distribution functions of latencies.</summary>
    /// <param name="name">The name of the files.</param>
    /// <param name="title">The heading.</param>
    /// <param name="caption">The subject of the latencies.</param>
    /// <param name="curves">The curves, at most five.</param>
    /// <param name="thresholdsMilliseconds">Thresholds to mark.</param>
    /// <returns>The picture; null without a latency.</returns>
    public static Picture? Distributions(
        string name,
        string title,
        string caption,
        IReadOnlyList<LatencyCurve> curves,
        IReadOnlyList<double> thresholdsMilliseconds
    )
    {
        LatencyCurve[] drawn =
        [
            .. curves.Where(curve => curve.SortedMilliseconds.Any(double.IsFinite)).Take(MostCurves),
        ];
        return drawn.Length == 0
            ? null
            : new(
                name,
                title,
                caption,
                () =>
                {
                    var sheet = new Sheet(title, caption) { DataHeight = 280 };
                    DistributionAxes.Axes(
                        sheet,
                        Scale.Around(
                            drawn.SelectMany(curve => curve.SortedMilliseconds).Concat(thresholdsMilliseconds)
                        ),
                        "slowest message of a sequence, ms (log)"
                    );
                    foreach (var threshold in thresholdsMilliseconds)
                        sheet.Segment(threshold, 0, threshold, 1, Palette.Accent, dashed: true);
                    for (var i = 0; i < drawn.Length; i++)
                    {
                        DistributionAxes.Curve(sheet, drawn[i].SortedMilliseconds, Palette.Series(i));
                        sheet.Explain(drawn[i].Label, Palette.Series(i), LegendShape.Line);
                    }
                    if (thresholdsMilliseconds.Count > 0)
                        sheet.Explain(
                            "threshold: " + string.Join(", ", thresholdsMilliseconds.Select(Words.Milliseconds)),
                            Palette.Accent,
                            LegendShape.Dashed
                        );
                    return sheet;
                }
            );
    }

    /// <summary>
    /// Compares a requirement with measurements: the distribution of the latencies, the threshold with the required
    /// probability, and each run.
    /// </summary>
    /// <param name="title">The requirement.</param>
    /// <param name="caption">The result in words.</param>
    /// <param name="samples">The name of the samples, in the plural.</param>
    /// <param name="sortedMilliseconds">The latency of each sample, ascending; infinity for a failed one.</param>
    /// <param name="thresholdMilliseconds">The threshold.</param>
    /// <param name="demand">The required or predicted probability in words.</param>
    /// <param name="probability">That probability.</param>
    /// <param name="runs">The runs.</param>
    /// <returns>The picture; null without a latency.</returns>
    public static Picture? Requirement(
        string title,
        string caption,
        string samples,
        IReadOnlyList<double> sortedMilliseconds,
        double thresholdMilliseconds,
        string demand,
        double probability,
        IReadOnlyList<RequirementRun> runs
    )
    {
        if (!sortedMilliseconds.Any(double.IsFinite))
            return null;
        return new(
            "requirement",
            title,
            caption,
            () =>
            {
                var sheet = new Sheet(title, caption) { DataHeight = 290 };
                var scale = Scale.Around([.. sortedMilliseconds, thresholdMilliseconds]);
                DistributionAxes.Axes(
                    sheet,
                    scale,
                    samples == "sequences" ? "slowest message of a sequence, ms (log)" : "latency, ms (log)",
                    $"share of {samples} in time"
                );
                sheet.Segment(scale.Low, probability, scale.High, probability, Palette.Bad, dashed: true);
                sheet.Segment(thresholdMilliseconds, 0, thresholdMilliseconds, 1, Palette.Accent, dashed: true);
                DistributionAxes.Curve(sheet, sortedMilliseconds, Palette.Series(0));
                foreach (var run in runs)
                    sheet.Mark(
                        thresholdMilliseconds,
                        (double)run.InTime / run.Samples,
                        MarkerShape.FilledCircle,
                        Palette.Series(3),
                        8
                    );
                sheet.Explain($"measured, all {samples}", Palette.Series(0), LegendShape.Line);
                sheet.Explain(
                    "each run, at the threshold",
                    Palette.Series(3),
                    LegendShape.Hollow,
                    MarkerShape.FilledCircle
                );
                sheet.Explain(
                    $"threshold: {Words.Milliseconds(thresholdMilliseconds)}",
                    Palette.Accent,
                    LegendShape.Dashed
                );
                sheet.Explain(demand, Palette.Bad, LegendShape.Dashed);
                return sheet;
            }
        );
    }
}
