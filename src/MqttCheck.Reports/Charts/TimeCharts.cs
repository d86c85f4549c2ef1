using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Reports.Charts;

/// <summary>Latency and rate of a log over time.</summary>
internal static class TimeCharts
{
    // More starts of runs than this would cover the chart.
    private const int MostRuns = 60;
    private const double Height = 200;

    public static Chart? Latency(TimeReport time)
    {
        int[] bins =
        [
            .. Enumerable.Range(0, time.MedianMilliseconds.Count).Where(bin => time.MedianMilliseconds[bin] > 0),
        ];
        if (bins.Length == 0)
            return null;
        double[] median = [.. bins.Select(bin => time.MedianMilliseconds[bin])],
            p99 = [.. bins.Select(bin => time.P99Milliseconds[bin])],
            middle = [.. bins.Select(bin => Middle(time, bin))];
        var y = Scale.Around([.. median, .. p99], 1.15);
        return new()
        {
            X = [Seconds(time)],
            Y = Axis.Up(y, "latency, ms (log)", Height),
            Height = Height,
            Hover = Hover.Across,
            Marks =
            [
                .. Runs(time, y),
                new(MarkShape.Line, Role.S1, middle, median)
                {
                    Tips =
                    [
                        .. bins.Select(bin =>
                            $"{Words.Number(Middle(time, bin))} s\n"
                            + $"median {Words.Milliseconds(time.MedianMilliseconds[bin])}\n"
                            + $"99 % below {Words.Milliseconds(time.P99Milliseconds[bin])}\n"
                            + Words.Counted(time.Exchanges[bin], "exchange")
                        ),
                    ],
                },
                new(MarkShape.Line, Role.S2, middle, p99) { IsDashed = true },
            ],
            Legend =
            [
                new("median", Role.S1, LegendShape.Line),
                new("99 % below", Role.S2, LegendShape.Dashed),
                .. Key(time),
            ],
            EndNames = [new("median", median[^1], Role.S1), new("99 %", p99[^1], Role.S2)],
        };
    }

    public static Chart? Rate(TimeReport time)
    {
        double[] rates = [.. time.Exchanges.Select(count => count / time.BinSeconds)];
        if (rates.Length == 0)
            return null;
        double[] middle = [.. rates.Select((_, bin) => Middle(time, bin))];
        int[] failing = [.. Enumerable.Range(0, rates.Length).Where(bin => time.Errors[bin] > 0)];
        var y = new Scale(0, rates.Max() > 0 ? rates.Max() * 1.08 : 1);
        return new()
        {
            X = [Seconds(time)],
            Y = Axis.Up(y, "exchanges per second", Height),
            Height = Height,
            Hover = Hover.Across,
            Marks =
            [
                .. Runs(time, y),
                new(MarkShape.Line, Role.S1, middle, rates)
                {
                    Tips =
                    [
                        .. rates.Select(
                            (rate, bin) =>
                                $"{Words.Number(middle[bin])} s\n{Words.Number(rate)} exchanges per second\n"
                                + $"{Words.Count(time.Errors[bin])} failed"
                        ),
                    ],
                },
                new(
                    MarkShape.Symbols,
                    Role.S2,
                    [.. failing.Select(bin => middle[bin])],
                    [.. failing.Select(bin => rates[bin])]
                )
                {
                    Symbol = Symbol.Triangle,
                    Size = 8,
                },
            ],
            Legend =
            [
                new("sent", Role.S1, LegendShape.Line),
                .. failing.Length == 0
                    ? (LegendKey[])[]
                    : [new("some failed", Role.S2, LegendShape.Full, Symbol.Triangle)],
                .. Key(time),
            ],
        };
    }

    private static Axis Seconds(TimeReport time) =>
        Axis.Across(new(0, time.BinSeconds * time.Exchanges.Count), "seconds of traffic, one run after the other");

    private static Mark[] Runs(TimeReport time, Scale y) =>
        HasRuns(time)
            ?
            [
                Mark.Vertical(y, [.. time.RunStartSeconds.Skip(1)], Role.Soft) with
                {
                    IsDashed = true,
                    Size = 1,
                    Opacity = .6,
                },
            ]
            : [];

    private static LegendKey[] Key(TimeReport time) =>
        HasRuns(time) ? [new("another run begins", Role.Soft, LegendShape.Dashed)] : [];

    private static bool HasRuns(TimeReport time) => time.RunStartSeconds.Count is > 1 and <= MostRuns;

    private static double Middle(TimeReport time, int bin) => (bin + .5) * time.BinSeconds;
}
