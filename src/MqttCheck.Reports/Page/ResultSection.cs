using System.Diagnostics;
using MqttCheck.Predictions;
using MqttCheck.Reports.Charts;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Sequential;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Page;

/// <summary>The result: one row for each verified point, or the predicted points when nothing was verified.</summary>
internal static class ResultSection
{
    private const int PredictedRows = 60;

    private static readonly Dictionary<VerdictKind, (string Tone, string Sign)> s_looks = new()
    {
        [VerdictKind.Confirmed] = ("good", "✓"),
        [VerdictKind.NotWorse] = ("good", "≥"),
        [VerdictKind.Worse] = ("bad", "▼"),
        [VerdictKind.Better] = ("warn", "▲"),
        [VerdictKind.Withheld] = ("warn", "?"),
        [VerdictKind.Partial] = ("warn", "?"),
    };

    public static void Write(HtmlWriter html, ReportInput input)
    {
        Section.Open(
            html,
            "result",
            "Result",
            "For each line: how likely the model said a client's messages are in "
                + "time, how often they were on the live broker, and whether the two agree."
        );
        if (input.Verdicts.Count > 0)
        {
            Verdicts(html, input);
            if (MonteCarloTable.IsWanted(input.Verdicts))
                MonteCarlo(html, input.Verdicts);
            if (input.Verdicts.Any(verdict => verdict.OneSided is not null || verdict.Clients is not null))
                OtherTests(html, input.Verdicts);
            Comparison(input).Write(html);
            if (input.PreviousVerdicts.Count > 0)
                Previous(html, input);
        }
        else
        {
            var points = input
                .Predictions.SelectMany(prediction =>
                    prediction.Points.Select(point => (Prediction: prediction, Point: point))
                )
                .ToList();
            if (points.Count > 0)
                Predicted(html, points);
            Section.Missing(
                html,
                "No prediction has been put to a live broker, so there is no verdict.",
                "mqttcheck verify"
            );
        }
        Section.Close(html);
    }

    private static void Verdicts(HtmlWriter html, ReportInput input)
    {
        html.Add(
            $"""
            <div class="scroll card flush" tabindex="0" role="region" aria-label="Verdicts"><table class="results"><thead><tr>
            <th scope="col">Profile</th><th scope="col" class="number">Threshold</th><th scope="col" class="number">Clients</th>
            <th scope="col">Predicted</th><th scope="col">Measured</th><th scope="col">Verdict</th>
            <th scope="col" class="number">Samples</th><th scope="col" class="number">Time</th>
            </tr></thead><tbody>
            """
        );
        foreach (var verdict in input.Verdicts)
        {
            var point = verdict.Point;
            var measuredInterval = verdict.MeasuredInterval is null ? "" : Words.Interval(verdict.MeasuredInterval);
            html.Add(
                $"""
                <tr><th scope="row" data-label="Profile">{point.Profile}</th>
                <td data-label="Threshold" class="number">{Words.Milliseconds(point.ThresholdMilliseconds)}</td>
                <td data-label="Clients" class="number">{Words.Count(point.Clients)}</td>
                <td data-label="Predicted"><strong>{Words.Probability(
                    point.Probability
                )}</strong> <span class="interval">{Words.Interval(point.Interval)}</span></td>
                <td data-label="Measured"><strong>{Words.Probability(
                    verdict.MeasuredProbability
                )}</strong> <span class="interval">{measuredInterval}</span></td>
                <td data-label="Verdict"><div class="verdict">
                <span class="chip {s_looks[verdict.Kind].Tone}"><span aria-hidden="true">{s_looks[verdict.Kind].Sign}</span> {verdict.Kind.Word()}</span>
                <span class="reason">{Words.Sentence(verdict.Reason)} {Promise(verdict)}</span></div></td>
                <td data-label="Samples" class="number">{Words.Count(verdict.Samples)} <span class="interval">{Expected(
                    verdict
                )}</span></td>
                <td data-label="Time" class="number">{Words.Duration(verdict.ElapsedSeconds)}</td></tr>
                """
            );
        }
        html.Add($"</tbody></table></div>");
        html.Add(
            $"""<p class="fine">A sample is one sequence of {Words.Counted(input.SequenceLength, "message")}. {Confidences(input.Verdicts)} {Words.IntervalMeaning(input)} {ExpectedSamples(input.Verdicts)}</p>"""
        );
    }

    private static void MonteCarlo(HtmlWriter html, IReadOnlyList<VerdictReport> verdicts)
    {
        html.Add($"""<div class="card flush"><h3>Checked by Monte Carlo</h3>""");
        new Table(
            "Verdicts and Monte Carlo estimates",
            MonteCarloTable.Columns(verdicts),
            MonteCarloTable.Rows(verdicts)
        )
        {
            IsStacked = true,
        }.Write(html);
        html.Add($"""</div><p class="fine">{MonteCarloTable.Summary(verdicts)}</p>""");
    }

    // Two runs are put side by side without a test: both verdicts are about the prediction, not about each other.
    private static void Previous(HtmlWriter html, ReportInput input)
    {
        html.Add($"""<div class="card flush" id="previous"><h3>This run and the one before</h3>""");
        new Table(
            "This run and the one before",
            ["point", "threshold before", "measured before", "measured now", "difference", "before", "now"],
            [
                .. input
                    .Verdicts.Select(now => (Now: now, Before: PreviousOf(input, now.Point)))
                    .Where(pair => pair.Before is not null)
                    .Select(pair =>
                        (IReadOnlyList<string>)
                            [
                                Words.Point(pair.Now.Point),
                                Words.Milliseconds(pair.Before!.Point.ThresholdMilliseconds),
                                Measured(pair.Before),
                                Measured(pair.Now),
                                Difference(pair.Before, pair.Now),
                                pair.Before.Kind.Word(),
                                pair.Now.Kind.Word(),
                            ]
                    ),
            ]
        )
        {
            IsStacked = true,
        }.Write(html);
        html.Add(
            $"""</div><p class="fine">Before: {input.PreviousName}. Whether two runs differ by more than chance is what mqttcheck compare tests.</p>"""
        );

        // A run chooses its thresholds; shares at different ones have no difference.
        static string Difference(VerdictReport before, VerdictReport now) =>
            before.Point.ThresholdMilliseconds.Equals(now.Point.ThresholdMilliseconds)
                ? Words.Signed(now.MeasuredProbability - before.MeasuredProbability)
                : Words.Unknown;

        static string Measured(VerdictReport verdict) =>
            verdict.MeasuredInterval is null
                ? Words.Probability(verdict.MeasuredProbability)
                : $"{Words.Probability(verdict.MeasuredProbability)} ({Words.Interval(verdict.MeasuredInterval)})";
    }

    private static VerdictReport? PreviousOf(ReportInput input, PredictedPoint point) =>
        input
            .PreviousVerdicts.Where(verdict => verdict.Point.IsOfSetup(point))
            .MinBy(verdict => Math.Abs(verdict.Point.ThresholdMilliseconds - point.ThresholdMilliseconds));

    private static void OtherTests(HtmlWriter html, IReadOnlyList<VerdictReport> verdicts)
    {
        html.Add($"""<div class="card flush"><h3>Other tests of the same runs</h3>""");
        new Table(
            "One-sided and per client",
            ["point", "one-sided", "clients that accept", "reject", "undecided", "samples to verdict"],
            [
                .. verdicts.Select(verdict =>
                    (IReadOnlyList<string>)
                        [
                            Words.Point(verdict.Point),
                            verdict.OneSided switch
                            {
                                SprtDecision.AcceptH1 => "accepted",
                                SprtDecision.AcceptH0 => "rejected",
                                SprtDecision.Undecided => "undecided",
                                null => Words.Unknown,
                                _ => throw new UnreachableException(),
                            },
                            Clients(verdict.Clients?.Accepted),
                            Clients(verdict.Clients?.Rejected),
                            Clients(verdict.Clients?.Undecided),
                            verdict.DecidedAfterSamples is { } samples ? Words.Count(samples) : Words.Unknown,
                        ]
                ),
            ]
        )
        {
            IsStacked = true,
        }.Write(html);
        html.Add(
            $"""</div><p class="fine">One-sided: the prediction against what is worse; accepts every prediction that is too low. Each client for itself, on its own sequences, as in the method's original paper; few sequences leave most of them undecided.</p>"""
        );

        static string Clients(int? number) => number is { } known ? Words.Count(known) : Words.Unknown;
    }

    private static string Promise(VerdictReport verdict) => verdict.Kind.IsDecided() ? verdict.Promise ?? "" : "";

    private static string Expected(VerdictReport verdict) =>
        double.IsFinite(verdict.ExpectedSamples)
            ? $"expected {Words.Count((long)Math.Round(verdict.ExpectedSamples))}"
            : "";

    private static string ExpectedSamples(IReadOnlyList<VerdictReport> verdicts) =>
        verdicts.Any(verdict => double.IsFinite(verdict.ExpectedSamples))
            ? "Expected is what a sequential test takes on average if the "
                + "prediction is right and sequences are independent; more are "
                + "made because they are not, and several runs must show how much."
            : "";

    private static string Confidences(IReadOnlyList<VerdictReport> verdicts)
    {
        string Distinct(Func<VerdictReport, double> number) =>
            string.Join(
                " or ",
                verdicts.Select(number).Where(double.IsFinite).Distinct().Order().Select(Words.Percent)
            );
        var text =
            $"Ranges are intervals: {Distinct(verdict => verdict.PredictedConfidence)} for predicted, "
            + $"{Distinct(verdict => verdict.MeasuredConfidence)} for measured probabilities.";
        var errors = verdicts
            .Select(verdict => verdict.ErrorProbability)
            .Where(double.IsFinite)
            .Distinct()
            .Order()
            .ToList();
        if (errors.Count > 0)
            text +=
                " Each verdict is wrong with a probability of at most "
                + $"{string.Join(" or ", errors.Select(Words.Number))}, "
                + "under the assumption that stands beside it.";
        return VerdictFamily.Error(verdicts) is { } all ? $"{text} {all}" : text;
    }

    private static Figure Comparison(ReportInput input)
    {
        var rows = input.Verdicts.Select(verdict =>
            (IReadOnlyList<string>)
                [
                    Words.Point(verdict.Point),
                    Words.Probability(verdict.Point.Probability),
                    Words.Interval(verdict.Point.Interval),
                    Words.Probability(verdict.MeasuredProbability),
                    Words.Interval(verdict.MeasuredInterval),
                    Words.Interval(verdict.CountsAsPredicted),
                    Words.Number(verdict.Inflation),
                    Words.Count(verdict.Runs),
                    verdict.RunCounts.Count == 0
                        ? Words.Unknown
                        : string.Join(
                            " ",
                            verdict.RunCounts.Select(run => Words.Number((double)run.Successes / run.Samples))
                        ),
                ]
        );
        const string caption =
            "Probability that all messages of a sequence are in time. Wide pale bar: what counts as predicted. "
            + "Diamond and thick line: prediction with its interval. "
            + "Circle and thin line: measurement with its interval.";
        var shapes = input.Verdicts.Any(verdict => !verdict.Kind.IsPassed())
            ? " A square instead of the circle: refuted; a star: no verdict."
            : "";
        var runs = input.Verdicts.Any(verdict => verdict.RunCounts.Count > 0) ? " Small dots: single runs." : "";
        var before = input.PreviousVerdicts.Count > 0 ? " Cross: the run before." : "";
        return new(
            "comparison",
            "Predicted and measured side by side",
            caption + shapes + runs + before,
            new(
                "Predicted and measured",
                [
                    "point",
                    "predicted",
                    "interval",
                    "measured",
                    "interval",
                    "counts as predicted",
                    "inflation",
                    "runs",
                    "in time in each run",
                ],
                [.. rows]
            )
        )
        {
            Wide = true,
            Chart = ComparisonChart.Of(input),
            StillCaption = caption,
        };
    }

    private static void Predicted(HtmlWriter html, List<(PredictionReport Prediction, PredictedPoint Point)> points)
    {
        html.Add($"""<div class="card flush">""");
        new Table(
            "Predicted points",
            ["profile", "threshold", "clients", "predicted", "interval", "simulations"],
            [
                .. points
                    .Take(PredictedRows)
                    .Select(row =>
                        (IReadOnlyList<string>)
                            [
                                row.Point.Profile,
                                Words.Milliseconds(row.Point.ThresholdMilliseconds),
                                Words.Count(row.Point.Clients),
                                Words.Probability(row.Point.Probability),
                                Words.Interval(row.Point.Interval),
                                Words.Count(row.Prediction.Replications),
                            ]
                    ),
            ]
        )
        {
            IsStacked = true,
        }.Write(html);
        html.Add($"</div>");
        if (points.Count > PredictedRows)
            html.Add(
                $"""<p class="fine">The first {PredictedRows} of {Words.Count(points.Count)} points; the charts below show all of them.</p>"""
            );
    }
}
