using System.Diagnostics;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Page;

/// <summary>
/// The top of the page: the question, the answer in a sentence and in a few tiles, and below it the notices.
/// </summary>
internal static class HeaderSection
{
    public static void Write(HtmlWriter html, ReportInput input, bool charts)
    {
        var summary = ReportSummary.Of(input);
        html.Add(
            $"""<header><p class="eyebrow">MqttCheck report · {Words.Time(input.GeneratedUtc)}</p><h1>{input.Title}</h1>"""
        );
        html.Add($"""<p class="verdict-sentence {ToneOf(summary, input)}" id="answer-sentence">{summary.Answer}</p>""");
        html.Add($"""<p class="lead">{Subject(input)}</p></header>""");
        Tiles(html, input, summary);
        foreach (var notice in Notices.Of(input))
            Write(html, notice);
        html.Add(
            $"""<p class="notice" id="no-charts">{(charts
            ? "The charts need JavaScript, which is off or failed. Every table is open instead."
            : "This build of MqttCheck draws no charts. Every table is open instead.")}</p>"""
        );
        html.Add(
            $"""
            <nav aria-label="Sections"><a href="#result">Result</a><a href="#prediction">Prediction</a><a href="#evidence">Evidence</a>
            <a href="#model">Model</a><a href="#log">Log</a><a href="#environment">Environment</a><a href="#reproduce">Reproduce</a></nav>
            """
        );
    }

    private static void Write(HtmlWriter html, Notice notice)
    {
        var level = notice.Level switch
        {
            NoticeLevel.Failure => "failure",
            NoticeLevel.Warning => "warning",
            NoticeLevel.Note => "note",
            _ => throw new UnreachableException(),
        };
        html.Add($"""<div class="notice {level}"><strong>{notice.Title}.</strong> {notice.Text}""");
        if (notice.Others.Count > 0)
        {
            html.Add($"<details><summary>{Words.Count(notice.Others.Count)} more like it</summary><ul>");
            foreach (var other in notice.Others)
                html.Add($"<li>{other}</li>");
            html.Add($"</ul></details>");
        }
        html.Add($"</div>");
    }

    private static Html Subject(ReportInput input)
    {
        var html = new HtmlWriter();
        if (input.Broker is { } broker)
        {
            var version = broker.Version == "unknown" ? "" : " " + broker.Version;
            var settings = broker.Settings == "unknown" ? "" : $", {broker.Settings} settings";
            html.Add($"Broker <strong>{broker.Name}</strong>{version}{settings}.");
        }
        var profiles = Setups.Profiles(input);
        var clients = Setups.ClientCounts(input);
        if (profiles.Count > 0)
        {
            html.Add(
                $"Usage {(profiles.Count == 1 ? "profile" : "profiles")} "
                    + $"<strong>{string.Join(", ", profiles)}</strong>,"
            );
            var range =
                clients.Count == 1
                    ? Words.Counted(clients[0], "client")
                    : $"{Words.Count(clients[0])} to {Words.Count(clients[^1])} clients";
            html.Add($"{range}.");
            html.Add(
                $"In time means: all {Words.Counted(input.SequenceLength, "message")} that "
                    + $"a client sends one after the other are answered within the threshold."
            );
        }
        return new(html.ToString());
    }

    private static void Tiles(HtmlWriter html, ReportInput input, ReportSummary summary)
    {
        html.Add($"""<div class="tiles">""");
        Tile(html, ToneOf(summary, input), "Verdict", summary.Headline, summary.Detail);
        if (summary.Decisive is { } decisive)
        {
            Tile(
                html,
                "plain",
                $"Predicted for {Words.Point(decisive.Point)}",
                Words.Probability(decisive.Point.Probability),
                $"{Words.Percent(decisive.PredictedConfidence)} interval {Words.Interval(decisive.Point.Interval)}"
            );
            if (double.IsFinite(decisive.MeasuredProbability))
                Tile(
                    html,
                    "plain",
                    "Measured on the broker",
                    Words.Probability(decisive.MeasuredProbability),
                    $"{Words.Percent(decisive.MeasuredConfidence)} interval "
                        + $"{Words.Interval(decisive.MeasuredInterval)}, {Words.Counted(decisive.Samples, "sequence")}"
                );
            if (input.Verdicts.Count > 1 && summary.LargestGap is { } gap)
                Tile(
                    html,
                    "plain",
                    "Largest distance",
                    Words.Probability(ReportSummary.Gap(gap)),
                    $"between predicted and measured: {Words.Point(gap.Point)}"
                );
        }
        else if (input.Predictions.Count > 0)
        {
            var replications = input.Predictions.Max(prediction => prediction.Replications);
            Tile(
                html,
                "plain",
                "Predicted",
                Words.Counted(input.Predictions.Sum(prediction => prediction.Points.Count), "point"),
                $"for {Words.Counted(input.Predictions.Count, "setup")}, "
                    + $"{Words.Counted(replications, "simulation")} each"
            );
        }
        if (summary.Decisive is null && input.Log is { Exchanges: > 0 } log)
            Tile(
                html,
                "plain",
                "Logged",
                Words.Count(log.Exchanges),
                $"{(log.Exchanges == 1 ? "exchange" : "exchanges")} in {Words.Counted(log.Runs, "run")}"
            );
        html.Add($"</div>");
    }

    private static string ToneOf(ReportSummary summary, ReportInput input) =>
        summary.Overall switch
        {
            _ when summary.Contradicted > 0 => "bad",
            VerdictKind.Confirmed or VerdictKind.NotWorse => "good",
            VerdictKind.Worse => "bad",
            VerdictKind.Better or VerdictKind.Partial or VerdictKind.Withheld => "warn",
            null => input.Failure is null ? "plain" : "bad",
            _ => throw new UnreachableException(),
        };

    private static void Tile(HtmlWriter html, string tone, string label, string value, string detail) =>
        html.Add(
            $"""<div class="tile {tone}"><p class="label">{Unbroken(label)}</p><p class="value">{value}</p><p class="detail">{Unbroken(detail)}</p></div>"""
        );

    // Tiles are narrow: a number keeps its unit.
    private static string Unbroken(string text) =>
        text.Replace(" ms", "\u00A0ms", StringComparison.Ordinal).Replace(" %", "\u00A0%", StringComparison.Ordinal);
}
