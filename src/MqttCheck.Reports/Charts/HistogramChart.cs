using MqttCheck.Clients;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Reports.Charts;

/// <summary>Latency by kind of message: a row for each kind, scaled to its own peak.</summary>
internal static class HistogramChart
{
    private const double RowHeight = 62;

    public static Chart? Of(LogReport log)
    {
        var edges = log.BinEdgesMilliseconds;
        KindReport[] kinds = [.. log.Kinds.Where(kind => double.IsFinite(kind.MedianMilliseconds))];
        if (edges.Count < 2 || kinds.Length == 0)
            return null;
        var x = new Scale(edges[0], edges[^1], IsLogarithmic: true);
        double[] feet = [.. kinds.Select((_, row) => -row - .45)];
        return new()
        {
            X = [Axis.Across(x, "latency, ms (log)")],
            Y = Axis.Rows([.. kinds.Select(kind => kind.Kind.Name())]) with
            {
                Details = [.. kinds.Select(kind => Words.Count(kind.Count))],
            },
            Height = kinds.Length * RowHeight,
            Marks =
            [
                .. kinds.Select((kind, row) => Bars(kind, edges, feet[row])),
                Mark.Horizontal(x, feet, Role.Line) with
                {
                    Size = 1,
                },
                Rule(kinds.Select(kind => kind.MedianMilliseconds), feet),
                Rule(kinds.Select(kind => kind.P99Milliseconds), feet) with
                {
                    IsDashed = true,
                },
            ],
            Legend =
            [
                .. kinds.Select(kind => new LegendKey(
                    kind.Kind.Name(),
                    Looks.Series(Looks.Kind(kind.Kind)),
                    LegendShape.Box
                )),
                new("median", Role.Ink, LegendShape.Line),
                new("99 % are faster", Role.Ink, LegendShape.Dashed),
            ],
        };
    }

    private static Mark Bars(KindReport kind, IReadOnlyList<double> edges, double foot)
    {
        int[] bins =
        [
            .. Enumerable
                .Range(0, Math.Min(kind.BinCounts.Count, edges.Count - 1))
                .Where(bin => kind.BinCounts[bin] > 0),
        ];
        var peak = Math.Max(1, kind.BinCounts.DefaultIfEmpty().Max());
        return new(
            MarkShape.Boxes,
            Looks.Series(Looks.Kind(kind.Kind)),
            [.. bins.Select(bin => edges[bin])],
            [.. bins.Select(_ => foot)]
        )
        {
            X2 = [.. bins.Select(bin => edges[bin + 1])],
            Y2 = [.. bins.Select(bin => foot + .8 * kind.BinCounts[bin] / peak)],
            Tips =
            [
                .. bins.Select(bin =>
                    $"{kind.Kind.Name()}, {Words.Number(edges[bin])} to {Words.Milliseconds(edges[bin + 1])}\n"
                    + Words.Counted(kind.BinCounts[bin], "exchange")
                ),
            ],
        };
    }

    private static Mark Rule(IEnumerable<double> values, double[] feet)
    {
        double[] x = [.. values];
        return new(MarkShape.Segments, Role.Ink, x, feet)
        {
            X2 = x,
            Y2 = [.. feet.Select(foot => foot + .88)],
            Size = 1.5,
        };
    }
}
