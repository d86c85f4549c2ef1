using MqttCheck.Reports.Charts;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Page;

/// <summary>The charts of a log over time.</summary>
internal static class TimeFigures
{
    public static Figure Latency(TimeReport time) =>
        new(
            "latency-time",
            "Latency over time",
            "Solid line: median. Dashed line: 99 % are faster. Dotted lines: another run begins.",
            new(
                "Latency over time",
                ["seconds", "exchanges", "median", "99 % below"],
                Rows(
                    time,
                    bin =>
                        [
                            Words.Count(time.Exchanges[bin]),
                            Words.Latency(time.MedianMilliseconds[bin]),
                            Words.Latency(time.P99Milliseconds[bin]),
                        ]
                )
            )
        )
        {
            Chart = TimeCharts.Latency(time),
        };

    public static Figure Rate(TimeReport time) =>
        new(
            "rate-time",
            "Rate over time",
            "Line: exchanges that were sent per second. Triangles: some of them failed. "
                + "Dotted lines: another run begins.",
            new(
                "Rate over time",
                ["seconds", "exchanges", "per second", "errors"],
                Rows(
                    time,
                    bin =>
                        [
                            Words.Count(time.Exchanges[bin]),
                            Words.Number(time.Exchanges[bin] / time.BinSeconds),
                            Words.Count(time.Errors[bin]),
                        ]
                )
            )
        )
        {
            Chart = TimeCharts.Rate(time),
        };

    private static IReadOnlyList<string>[] Rows(TimeReport time, Func<int, string[]> cells) =>
        [
            .. time.Exchanges.Select(
                (_, bin) =>
                    (IReadOnlyList<string>)
                        [
                            $"{Words.Number(bin * time.BinSeconds)} to {Words.Number((bin + 1) * time.BinSeconds)}",
                            .. cells(bin),
                        ]
            ),
        ];
}
