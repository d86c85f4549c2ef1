using MqttCheck.Clients;
using MqttCheck.Reports.Charts;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Page;

/// <summary>The learned latency model, and how well it describes exchanges that it has not seen.</summary>
internal static class LearningSection
{
    public static void Write(HtmlWriter html, ReportInput input)
    {
        Section.Open(
            html,
            "model",
            "Latency model",
            "The simulation draws latencies from a model learned from the log; "
                + "here it is compared with exchanges that were kept back from learning."
        );
        if (input.Learning is not { } learning)
        {
            Section.Missing(html, "There is no latency model.", "mqttcheck learn");
            Section.Close(html);
            return;
        }

        var size = learning.Parameters is { } parameters
            ? $" into {Words.Counted(parameters, "parameter or cell", "parameters or cells")}"
            : "";
        html.Add(
            $"""
            <div class="card"><p>Learner <strong>{learning.Learner}</strong>. {Words.Sentence(learning.Description)}
            Learned from {Words.Counted(learning.TrainingExchanges, "exchange")}{(
                learning.Profiles.Count > 0 ? " of variations of " + string.Join(", ", learning.Profiles) : ""
            )}{size}, judged on {Words.Counted(learning.HeldOutExchanges, "other")}.</p>
            """
        );
        Tables(html, learning);
        html.Add($"</div>");
        if (learning.Calibration is { } calibration)
        {
            html.Add($"""<div class="grid">""");
            if (calibration.PitCounts.Count > 0)
                Pit(calibration).Write(html);
            if (calibration.Quantiles.Count > 0)
                Quantiles(calibration).Write(html);
            if (calibration.Residuals is { } residuals)
                ResidualFigure.Of(residuals).Write(html);
            html.Add($"</div>");
            if (calibration.PitCounts.Count == 0)
                html.Add($"""<p class="fine">{WithoutLaw}</p>""");
            ByKind(html, learning, calibration);
        }
        Section.Close(html);
    }

    private static void Tables(HtmlWriter html, LearningReport learning)
    {
        html.Add($"""<div class="columns">""");
        if (learning.Fits.Count > 0)
        {
            html.Add($"<div><h3>Quality of fit</h3>");
            new Table(
                "Quality of fit",
                ["message", "held out", "distance", "above 99 %"],
                [
                    .. learning.Fits.Select(fit =>
                        (IReadOnlyList<string>)
                            [
                                fit.Kind.Name(),
                                Words.Count(fit.Exchanges),
                                Words.Probability(fit.KolmogorovSmirnov),
                                Words.Percent(fit.AboveP99),
                            ]
                    ),
                ]
            )
            {
                IsStacked = true,
            }.Write(html);
            html.Add(
                $"""
                <p class="fine">Distance: Kolmogorov-Smirnov, 0 is perfect.
                Above 99 %: share slower than the model's 99 % quantile, 1 % is perfect.</p></div>
                """
            );
        }
        if (learning.Ranges.Count > 0)
        {
            html.Add($"<div><h3>What training covered</h3>");
            new Table(
                "Ranges in training",
                ["feature", "from", "to"],
                [
                    .. learning.Ranges.Select(range =>
                        (IReadOnlyList<string>)[range.Feature, Words.Number(range.Minimum), Words.Number(range.Maximum)]
                    ),
                ]
            )
            {
                IsStacked = true,
            }.Write(html);
            html.Add($"""<p class="fine">Beyond these ranges the model extrapolates.</p></div>""");
        }
        if (learning.Candidates.Count > 0)
            Candidates(html, learning);
        if (learning.Regression is { } regression)
            Regression(html, regression);
        html.Add($"</div>");
    }

    private static void Candidates(HtmlWriter html, LearningReport learning)
    {
        html.Add($"<div><h3>Learners compared</h3>");
        new Table(
            "Learners compared",
            ["learner", "replay error", "chosen"],
            [
                .. learning.Candidates.Select(candidate =>
                    (IReadOnlyList<string>)
                        [candidate.Learner, Words.Probability(candidate.ReplayError), candidate.Chosen ? "yes" : ""]
                ),
            ]
        )
        {
            IsStacked = true,
        }.Write(html);
        html.Add(
            $"""<p class="fine">Mean error of the predicted probability when unseen training cases are simulated.</p></div>"""
        );
    }

    private static void Regression(HtmlWriter html, RegressionReport regression)
    {
        html.Add($"""<div class="wide"><h3>Regression</h3>""");
        new Table(
            "Regression",
            ["regressor", "coefficient", "standard error", "t", "p"],
            [
                .. regression.Rows.Select(row =>
                    (IReadOnlyList<string>)
                        [
                            row.Regressor,
                            Words.Milliseconds(row.Coefficient),
                            Words.Milliseconds(row.StandardError),
                            Words.Number(row.T),
                            Words.PValue(row.P),
                        ]
                ),
            ]
        )
        {
            IsStacked = true,
        }.Write(html);
        html.Add(
            $"""
            <p class="fine">R² {Words.Probability(regression.RSquared)}, adjusted {Words.Probability(
                regression.AdjustedRSquared
            )}, residual deviation
            {Words.Milliseconds(regression.ResidualDeviationMilliseconds)} with {Words.Counted(
                regression.DegreesOfFreedom,
                "degree"
            )} of freedom. Kinds of messages are relative to
            connect. t and p hold for independent exchanges; exchanges that overlap are not, so they promise too much.</p></div>
            """
        );
    }

    private static Figure Pit(CalibrationReport calibration)
    {
        var total = calibration.PitCounts.Sum();
        var bins = calibration.PitCounts.Count;
        return new(
            "pit",
            "Are the model's quantiles right?",
            $"Each exchange falls into one of {bins} equally likely parts of the model's distribution, fast ones left. "
                + "Right model: all bars near 1, most of them inside the band.",
            new(
                "Exchanges by quantile of the model",
                ["quantiles", "exchanges", "relative to expected"],
                [
                    .. calibration.PitCounts.Select(
                        (count, i) =>
                            (IReadOnlyList<string>)
                                [
                                    $"{Words.Percent((double)i / bins)} to {Words.Percent((i + 1.0) / bins)}",
                                    Words.Count(count),
                                    Words.Number(count * (double)bins / total),
                                ]
                    ),
                ]
            )
        )
        {
            Chart = PitChart.Of(calibration.PitCounts),
        };
    }

    private const string WithoutLaw =
        "Quantiles and residuals of single exchanges are not shown: by this "
        + "model work that arrives later can delay an exchange, so it has no "
        + "distribution of the latency given what is known at the start.";

    private static void ByKind(HtmlWriter html, LearningReport learning, CalibrationReport calibration)
    {
        if (calibration.QuantilesByKind.Count == 0)
            return;
        html.Add($"""<h3 class="group">Replayed and observed latencies by kind of message</h3><div class="grid">""");
        foreach (var kind in calibration.QuantilesByKind)
        {
            new Figure(
                $"quantiles-{kind.Kind.Name()}",
                Words.Capitalised(kind.Kind.Name()),
                Counts(kind),
                QuantileTable($"Observed and replayed quantiles, {kind.Kind.Name()}", kind.Quantiles)
            )
            {
                Chart = QuantilesChart.Of(kind.Quantiles),
                StillTitle = $"Replayed and observed latencies: {kind.Kind.Name()}",
                StillCaption = $"{Counts(kind)} {RightModel}",
            }.Write(html);
        }
        html.Add(
            $"""
            </div><p class="fine">Held-out training cases are simulated with a model that was learned from the others, with the same clients, waits and mix of messages.
            {(
                learning.Runaways > 0
                    ? Words.Counted(learning.Runaways, "case")
                        + " ran away in the simulation: latencies and load drove each other up without bound. Such cases are not shown."
                    : ""
            )}</p>
            """
        );
    }

    private static Figure Quantiles(CalibrationReport calibration) =>
        new(
            "quantiles",
            "Does the model reproduce the latencies?",
            $"Observed against predicted quantiles of the latencies of all kinds. {RightModel}",
            QuantileTable("Observed and predicted quantiles", calibration.Quantiles)
        )
        {
            Chart = QuantilesChart.Of(calibration.Quantiles),
        };

    private static string Counts(KindQuantiles kind) =>
        $"{Words.Counted(kind.Observed, "observed exchange")}, {Words.Count(kind.Replayed)} replayed.";

    private const string RightModel =
        "Right model: points on the line, inside the pointwise 95 % envelope; triangles lie outside.";

    private static Table QuantileTable(string label, IReadOnlyList<QuantilePair> quantiles) =>
        new(
            label,
            ["quantile", "predicted", "observed", "envelope"],
            [
                .. quantiles.Select(pair =>
                    (IReadOnlyList<string>)
                        [
                            Words.Percent(pair.Probability),
                            Words.Milliseconds(pair.PredictedMilliseconds),
                            Words.Milliseconds(pair.ObservedMilliseconds),
                            $"{Words.Number(pair.LowerMilliseconds)} to {Words.Milliseconds(pair.UpperMilliseconds)}",
                        ]
                ),
            ]
        );
}
