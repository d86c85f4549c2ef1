using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Reports.Charts;

/// <summary>Observed against predicted quantiles of held-out latencies.</summary>
internal static class QuantilesChart
{
    private const double Height = 220;

    public static Chart? Of(IReadOnlyList<QuantilePair> quantiles)
    {
        QuantilePair[] pairs =
        [
            .. quantiles
                .Where(pair =>
                    pair
                        is {
                            PredictedMilliseconds: > 0 and < double.PositiveInfinity,
                            ObservedMilliseconds: > 0,
                            LowerMilliseconds: > 0,
                            UpperMilliseconds: > 0
                        }
                )
                .OrderBy(pair => pair.PredictedMilliseconds),
        ];
        if (pairs.Length == 0)
            return null;
        var scale = Scale.Around(
            pairs.SelectMany(pair => (double[])[pair.PredictedMilliseconds, pair.ObservedMilliseconds]),
            1.15
        );
        QuantilePair[] inside = [.. pairs.Where(IsInside)],
            outside = [.. pairs.Where(pair => !IsInside(pair))];
        return new()
        {
            X = [Axis.Across(scale, "predicted, ms (log)")],
            Y = Axis.Up(scale, "observed, ms (log)", Height),
            Height = Height,
            Marks =
            [
                new(
                    MarkShape.Band,
                    Role.Soft,
                    [.. pairs.Select(pair => pair.PredictedMilliseconds)],
                    [.. pairs.Select(pair => Math.Max(pair.LowerMilliseconds, scale.Low))]
                )
                {
                    Y2 = [.. pairs.Select(pair => Math.Min(pair.UpperMilliseconds, scale.High))],
                    Opacity = .25,
                },
                new(MarkShape.Line, Role.Ink, [scale.Low, scale.High], [scale.Low, scale.High]) { Size = 1 },
                Points(inside, 0, Symbol.Circle),
                Points(outside, 1, Symbol.Triangle),
            ],
            Legend =
            [
                new("equal", Role.Ink, LegendShape.Line),
                new("envelope", Role.Soft, LegendShape.Band),
                .. inside.Length == 0
                    ? (LegendKey[])[]
                    : [new("quantile inside", Looks.Series(0), LegendShape.Full, Symbol.Circle)],
                .. outside.Length == 0
                    ? (LegendKey[])[]
                    : [new("quantile outside", Looks.Series(1), LegendShape.Full, Symbol.Triangle)],
            ],
        };
    }

    private static Mark Points(QuantilePair[] pairs, int series, Symbol symbol) =>
        new(
            MarkShape.Symbols,
            Looks.Series(series),
            [.. pairs.Select(pair => pair.PredictedMilliseconds)],
            [.. pairs.Select(pair => pair.ObservedMilliseconds)]
        )
        {
            Symbol = symbol,
            Size = 6.5,
            Tips =
            [
                .. pairs.Select(pair =>
                    $"{Words.Percent(pair.Probability)} quantile\n"
                    + $"predicted {Words.Milliseconds(pair.PredictedMilliseconds)}\n"
                    + $"observed {Words.Milliseconds(pair.ObservedMilliseconds)}\n"
                    + $"envelope {Words.Number(pair.LowerMilliseconds)} to {Words.Milliseconds(pair.UpperMilliseconds)}"
                ),
            ],
        };

    private static bool IsInside(QuantilePair pair) =>
        pair.LowerMilliseconds <= pair.ObservedMilliseconds && pair.ObservedMilliseconds <= pair.UpperMilliseconds;
}
