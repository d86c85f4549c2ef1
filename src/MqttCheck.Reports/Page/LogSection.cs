using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Reports.Charts;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Page;

/// <summary>The section about the log: latencies by kind of message, and the quantities that they depend on.</summary>
internal static class LogSection
{
    public static void Write(HtmlWriter html, ReportInput input)
    {
        Section.Open(
            html,
            "log",
            "Log",
            "What the broker did while client models exercised it: the raw material of the latency model."
        );
        if (input.Log is not { } log)
            Section.Missing(html, "There is no log.", "mqttcheck explore");
        else if (log.Exchanges == 0)
            html.Add($"""<p class="missing">The log holds no exchange.</p>""");
        else
        {
            Kinds(html, log);
            html.Add($"""<div class="grid">""");
            if (log.OverTime is { } time)
            {
                TimeFigures.Latency(time).Write(html);
                TimeFigures.Rate(time).Write(html);
            }
            if (log.BinEdgesMilliseconds.Count > 1)
                Histogram(log).Write(html);
            if (log.Correlation is { } correlation)
                Correlation(correlation).Write(html);
            if (log.Scatter is { } scatter)
                Scatter(log, scatter).Write(html);
            html.Add($"</div>");
        }
        Section.Close(html);
    }

    private static void Kinds(HtmlWriter html, LogReport log)
    {
        var outcomes = log
            .Kinds.SelectMany(kind => kind.Outcomes.Keys)
            .Where(outcome => outcome != ExchangeOutcome.Success)
            .Distinct()
            .Order()
            .ToList();
        html.Add($"""<div class="card flush">""");
        new Table(
            "Latency by kind of message",
            [
                "message",
                "exchanges",
                "median",
                "90 % below",
                "99 % below",
                "99.9 % below",
                "slowest",
                "errors",
                "of all",
                .. outcomes.Select(Words.Outcome),
            ],
            [
                .. log.Kinds.Select(kind =>
                    (IReadOnlyList<string>)
                        [
                            kind.Kind.Name(),
                            Words.Count(kind.Count),
                            Words.Latency(kind.MedianMilliseconds),
                            Words.Latency(kind.P90Milliseconds),
                            Words.Latency(kind.P99Milliseconds),
                            Words.Latency(kind.P999Milliseconds),
                            Words.Latency(kind.MaximumMilliseconds),
                            Words.Count(kind.Errors),
                            Words.Percent(kind.Count == 0 ? double.NaN : (double)kind.Errors / kind.Count),
                            .. outcomes.Select(outcome => Words.Count(kind.Outcomes.GetValueOrDefault(outcome))),
                        ]
                ),
            ]
        )
        {
            IsStacked = true,
        }.Write(html);
        html.Add($"</div>");
        html.Add(
            $"""
            <p class="fine">{Words.Counted(log.Exchanges, "exchange")} in {Words.Counted(
                log.Runs,
                "run"
            )}, {Words.Duration(log.DurationSeconds)} of traffic.
            {(
                outcomes.Count == 0 ? "All of them succeeded." : ""
            )} An exchange is one request and everything it waits for; a publication waits for its
            acknowledgement and for its delivery to every subscriber.</p>
            """
        );
    }

    private static Figure Histogram(LogReport log)
    {
        var edges = log.BinEdgesMilliseconds;
        var rows = Enumerable
            .Range(0, edges.Count - 1)
            .Select(bin =>
                (IReadOnlyList<string>)
                    [
                        $"{Words.Number(edges[bin])} to {Words.Milliseconds(edges[bin + 1])}",
                        .. log.Kinds.Select(kind => Words.Count(kind.BinCounts.Count > bin ? kind.BinCounts[bin] : 0)),
                    ]
            );
        return new(
            "histogram",
            "Latency by kind of message",
            "How often each latency occurred, every row scaled to its "
                + "own peak. Solid line: median. Dashed line: 99 % are faster.",
            new("Latencies", ["latency", .. log.Kinds.Select(kind => kind.Kind.Name())], [.. rows])
        )
        {
            Chart = HistogramChart.Of(log),
        };
    }

    private static Figure Scatter(LogReport log, ScatterReport scatter)
    {
        var rows = scatter.Groups.SelectMany(group =>
            scatter.Columns.Select(
                (column, i) =>
                    (IReadOnlyList<string>)
                        [
                            $"{group.Kind.Name()}, {column}",
                            Words.Count(group.LatencyMilliseconds.Count),
                            Words.Number(group.Values[i].Min()),
                            Words.Number(group.Values[i].Max()),
                        ]
            )
        );
        var sample =
            scatter.Every == 1
                ? "Every successful exchange is a point."
                : $"One in {Words.Count(scatter.Every)} of the {Words.Count(log.Exchanges)} exchanges is a point, "
                    + $"and so are the {Words.Count(scatter.Slowest)} slowest others.";
        return new(
            "scatter",
            "What does latency depend on?",
            sample + " Active messages: requests of all clients that are still open.",
            new("Points by kind and column", ["message, column", "points", "smallest", "largest"], [.. rows])
        )
        {
            Chart = ScatterChart.Of(scatter),
        };
    }

    private static Figure Correlation(CorrelationReport correlation) =>
        new(
            "correlation",
            "Which columns move together?",
            "Pearson correlation of the log's columns: 1 together, -1 in opposite "
                + "directions, 0 not in proportion; a dash where a column never changes.",
            new(
                "Correlations",
                ["", .. correlation.Columns],
                [
                    .. correlation.Columns.Select(
                        (column, row) =>
                            (IReadOnlyList<string>)
                                [
                                    column,
                                    .. correlation
                                        .Coefficients[row]
                                        .Select(r =>
                                            double.IsFinite(r)
                                                ? r.ToString("0.00", System.Globalization.CultureInfo.InvariantCulture)
                                                : Words.Unknown
                                        ),
                                ]
                    ),
                ]
            )
        )
        {
            Chart = CorrelationChart.Of(correlation),
        };
}
