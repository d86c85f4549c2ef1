using MqttCheck.Reports.Builders;
using MqttCheck.Reports.Charts;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Reports.Page;

/// <summary>
/// The section about the prediction: probability against clients for each profile, and the distribution of the worst
/// latency with a movable threshold.
/// </summary>
internal static class PredictionSection
{
    private static readonly double[] TableQuantiles = [0.5, 0.75, 0.9, 0.95, 0.99];

    public static void Write(HtmlWriter html, ReportInput input)
    {
        Section.Open(
            html,
            "prediction",
            "Prediction",
            "A simulation with the learned latencies says how likely all messages "
                + "of a sequence are in time, for any number of clients and any threshold."
        );
        if (input.Predictions.Count == 0)
        {
            Section.Missing(html, "There is no prediction.", "mqttcheck predict");
            Section.Close(html);
            return;
        }

        var distributions = input.Predictions.Any(prediction => prediction.SortedWorstMilliseconds.Count > 0);
        if (distributions)
            Controls(html, input);
        var profiles = Setups
            .Profiles(input)
            .Where(profile => input.Predictions.Any(prediction => prediction.Profile == profile))
            .ToList();
        html.Add($"""<div class="grid">""");
        for (var i = 0; i < profiles.Count; i++)
            Probability(input, profiles[i], i, wide: profiles.Count + (distributions ? 1 : 0) == 1).Write(html);
        if (distributions)
            Worst(input, wide: profiles.Count % 2 == 0).Write(html);
        html.Add($"</div>");
        if (Words.IntervalMeaning(input) is { Length: > 0 } meaning)
            html.Add($"""<p class="fine">Intervals of predicted points: {meaning}</p>""");
        Section.Close(html);
    }

    private static void Controls(HtmlWriter html, ReportInput input)
    {
        html.Add(
            $"""<div class="card controls" id="controls" role="group" aria-label="Ask for another threshold" hidden>"""
        );
        html.Add(
            $"""
            <div class="slide"><label for="threshold-number">Threshold, ms</label> <input type="number" id="threshold-number" min="0" step="any">
            <label for="threshold" class="unseen">Threshold</label><input type="range" id="threshold" min="0" max="1" step="1" value="0"></div>
            """
        );
        html.Add($"""<div><label for="setup">Setup</label><select id="setup">""");
        foreach (
            var profile in input
                .Predictions.Select((prediction, index) => (prediction, index))
                .GroupBy(item => item.prediction.Profile)
        )
        {
            html.Add($"""<optgroup label="{profile.Key}">""");
            foreach (
                var (prediction, index) in profile.Where(item => item.prediction.SortedWorstMilliseconds.Count > 0)
            )
                html.Add($"""<option value="{index}">{Setup(prediction)}</option>""");
            html.Add($"</optgroup>");
        }
        html.Add(
            $"""
            </select></div>
            <p class="answer"><span class="label">In time</span> <output id="answer" for="threshold setup" aria-live="polite"></output></p></div>
            """
        );
    }

    private static Figure Probability(ReportInput input, string profile, int index, bool wide)
    {
        var predictions = input
            .Predictions.Where(prediction => prediction.Profile == profile)
            .OrderBy(prediction => prediction.Clients)
            .ToList();
        var thresholds = Setups.Thresholds(input, profile);
        var rows = predictions.Select(prediction =>
            (IReadOnlyList<string>)
                [
                    Words.Count(prediction.Clients),
                    .. thresholds.Select(threshold => InTime(input, prediction, threshold)),
                ]
        );
        var dropped =
            predictions
                .SelectMany(prediction => prediction.Points)
                .Select(point => point.ThresholdMilliseconds)
                .Distinct()
                .Count() - thresholds.Count;
        var caption =
            "Lines: predicted probability that all messages are in time. "
            + $"Bands: {Words.Percent(predictions[0].Confidence)} intervals of the predicted points; at the threshold "
            + "chosen above, confidence for the simulation alone. "
            + "Markers: measured on the broker, with intervals.";
        var choice = predictions.Exists(prediction => prediction.SortedWorstMilliseconds.Count > 0)
            ? " Dashed line: the threshold chosen above."
            : "";
        var rest = dropped > 0 ? $" {Words.Counted(dropped, "further threshold")} left out here." : "";
        return new(
            $"probability-{index}",
            $"Probability against number of clients, {profile}",
            caption + choice + rest,
            new(
                $"Probability against number of clients, {profile}",
                ["clients", .. thresholds.Select(Words.Milliseconds)],
                [.. rows]
            )
        )
        {
            Wide = wide,
            StillCaption = caption + rest,
            Chart = ProbabilityChart.Of(
                predictions,
                input.Verdicts.Where(verdict => verdict.Point.Profile == profile),
                thresholds
            ),
            StillName = $"probability-{profile}",
        };
    }

    private static string InTime(ReportInput input, PredictionReport prediction, double threshold)
    {
        var (p, lower, upper) = Estimates.InTime(prediction, threshold);
        var measured = input.Verdicts.FirstOrDefault(verdict =>
            verdict.Point.Profile == prediction.Profile
            && verdict.Point.Clients == prediction.Clients
            && verdict.Point.ThresholdMilliseconds == threshold
            && double.IsFinite(verdict.MeasuredProbability)
        );
        var beside = measured is null ? "" : $", measured {Words.Probability(measured.MeasuredProbability)}";
        return double.IsNaN(p)
            ? Words.Unknown
            : $"{Words.Probability(p)} ({Words.Interval(new(lower, upper))}){beside}";
    }

    private static Figure Worst(ReportInput input, bool wide)
    {
        const string title = "Slowest message of a sequence";
        const string caption =
            "Share of simulated sequences whose slowest message took at most so long, with its band.";
        var rows = input
            .Predictions.Where(prediction => prediction.SortedWorstMilliseconds.Count > 0)
            .Select(prediction =>
                (IReadOnlyList<string>)
                    [
                        Setup(prediction),
                        .. TableQuantiles.Select(p =>
                            Words.Latency(SortedValues.Quantile(prediction.SortedWorstMilliseconds, p))
                        ),
                        Words.Number(prediction.BandHalfWidth),
                    ]
            );
        var (setup, threshold) = WorstChart.OpeningOf(input)!.Value;
        var opening = input.Predictions[setup];
        var inTime = SortedValues.ShareBelow(opening.SortedWorstMilliseconds, threshold);
        return new(
            "worst",
            title,
            caption + " The dashed line is the threshold chosen above.",
            new(
                "Slowest message of a sequence",
                ["setup", .. TableQuantiles.Select(p => $"{Words.Percent(p)} below"), "band ±"],
                [.. rows]
            )
        )
        {
            Wide = wide,
            Chart = WorstChart.Of(input),
            StillTitle = $"{title}, {Setup(opening)}",
            StillCaption =
                $"{caption} Dashed: {Words.Probability(inTime)} take less than {Words.Milliseconds(threshold)}.",
        };
    }

    private static string Setup(PredictionReport prediction) =>
        $"{prediction.Profile}, {Words.Counted(prediction.Clients, "client")}";
}
