using System.Globalization;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Reports.Charts;

/// <summary>How often observed latencies fall into each equally likely part of the model's distribution.</summary>
internal static class PitChart
{
    private const double Height = 220;

    public static Chart? Of(IReadOnlyList<long> counts)
    {
        var (bins, total) = (counts.Count, (double)counts.Sum());
        if (total == 0)
            return null;
        double[] ratios = [.. counts.Select(count => count * bins / total)];
        // 95 % of a binomial count, as a multiple of what is expected.
        var half = 1.96 * Math.Sqrt((bins - 1) / total);
        var (x, y) = (new Scale(0, 1), new Scale(0, new[] { 1.5, 1 + half, ratios.Max() }.Max() * 1.05));
        return new()
        {
            X = [Axis.With(x, "quantile of the model", [0, .25, .5, .75, 1], Words.Percent)],
            Y = Axis.Up(y, "relative to expected", Height),
            Height = Height,
            Marks =
            [
                // A gap between bars.
                new(
                    MarkShape.Boxes,
                    Role.S1,
                    [.. counts.Select((_, bin) => (bin + .02) / bins)],
                    [.. counts.Select(_ => 0.0)]
                )
                {
                    X2 = [.. counts.Select((_, bin) => (bin + .98) / bins)],
                    Y2 = ratios,
                    Opacity = .85,
                    Tips =
                    [
                        .. counts.Select(
                            (count, bin) =>
                                $"{Words.Percent((double)bin / bins)} to {Words.Percent((bin + 1.0) / bins)} quantile\n"
                                + $"{Words.Counted(count, "exchange")}, "
                                + $"{ratios[bin].ToString("0.00", CultureInfo.InvariantCulture)} of expected"
                        ),
                    ],
                },
                Mark.Box(0, 1, Math.Max(0, 1 - half), 1 + half, Role.Accent, .22),
                Mark.Horizontal(x, [1], Role.Accent),
                Mark.Horizontal(x, [0], Role.Ink) with
                {
                    Size = 1,
                },
            ],
            Legend =
            [
                new("exchanges", Role.S1, LegendShape.Box),
                new("95 % of bars, if the model is right", Role.Accent, LegendShape.Band),
            ],
        };
    }
}
