using MqttCheck.Clients;
using MqttCheck.Plots.Drawing;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Page;
using ScottPlot;

namespace MqttCheck.Plots.Charts;

/// <summary>Observed against predicted quantiles of held-out latencies, of one kind or of all.</summary>
internal static class QuantilesChart
{
    public static Picture? Of(ReportInput input, Figure figure)
    {
        var calibration = input.Learning?.Calibration;
        var kind = figure.Data.GetValueOrDefault("kind");
        var shown = kind is null
            ? calibration?.Quantiles
            : calibration?.QuantilesByKind.FirstOrDefault(one => one.Kind.Name() == kind)?.Quantiles;
        QuantilePair[] pairs =
        [
            .. (shown ?? []).Where(pair =>
                pair
                    is {
                        PredictedMilliseconds: > 0 and < double.PositiveInfinity,
                        ObservedMilliseconds: > 0,
                        LowerMilliseconds: > 0,
                        UpperMilliseconds: > 0
                    }
            ),
        ];
        var (name, title) = kind is null
            ? ("quantiles", figure.Title)
            : ($"quantiles-{kind}", $"Replayed and observed latencies: {kind}");
        var caption = kind is null
            ? figure.StillCaption
            : $"{figure.StillCaption} Right model: points on the line, "
                + "inside the pointwise 95 % envelope; triangles lie outside.";
        return pairs.Length == 0 ? null : new(name, title, caption, () => Draw(pairs, title, caption));
    }

    private static Sheet Draw(QuantilePair[] pairs, string title, string caption)
    {
        var scale = Scale.Around(
            pairs.SelectMany(pair => (double[])[pair.PredictedMilliseconds, pair.ObservedMilliseconds]),
            1.15
        );
        var sheet = new Sheet(title, caption);
        sheet.SetY(scale, "observed, ms (log)");
        sheet.SetX(scale, "predicted, ms (log)");
        QuantilePair[] ascending = [.. pairs.OrderBy(pair => pair.PredictedMilliseconds)];
        sheet.Band(
            [.. ascending.Select(pair => pair.PredictedMilliseconds)],
            [.. ascending.Select(pair => Math.Max(pair.LowerMilliseconds, scale.Low))],
            [.. ascending.Select(pair => Math.Min(pair.UpperMilliseconds, scale.High))],
            Palette.Soft,
            .25
        );
        sheet.Line([scale.Low, scale.High], [scale.Low, scale.High], Palette.Ink, 1);
        foreach (var pair in pairs)
        {
            if (IsInside(pair))
                sheet.Mark(
                    pair.PredictedMilliseconds,
                    pair.ObservedMilliseconds,
                    MarkerShape.FilledCircle,
                    Palette.Series(0),
                    6,
                    isHollow: false
                );
            else
                sheet.Mark(
                    pair.PredictedMilliseconds,
                    pair.ObservedMilliseconds,
                    MarkerShape.FilledTriangleUp,
                    Palette.Series(1),
                    8,
                    isHollow: false
                );
        }
        sheet.Explain("equal", Palette.Ink, LegendShape.Line);
        sheet.Explain("envelope", Palette.Soft, LegendShape.Band);
        if (pairs.Any(IsInside))
            sheet.Explain("quantile inside", Palette.Series(0), LegendShape.Full, MarkerShape.FilledCircle);
        if (!pairs.All(IsInside))
            sheet.Explain("quantile outside", Palette.Series(1), LegendShape.Full, MarkerShape.FilledTriangleUp);
        return sheet;
    }

    private static bool IsInside(QuantilePair pair) =>
        pair.LowerMilliseconds <= pair.ObservedMilliseconds && pair.ObservedMilliseconds <= pair.UpperMilliseconds;
}
