using MqttCheck.Clients;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Page;

/// <summary>The learned latency model, and how well it describes exchanges that it has not seen.</summary>
internal static class LearningSection
{
    public static void Write(HtmlWriter html, ReportInput input)
    {
        Section.Open(html, "model", "Latency model",
            "The simulation draws latencies from a model learned from the log; here it is compared with exchanges that were kept back from learning.");
        if (input.Learning is not { } learning)
        {
            Section.Missing(html, "There is no latency model.", "mqttcheck learn");
            Section.Close(html);
            return;
        }

        html.Add($"""<div class="card"><p>Learner <strong>{learning.Learner}</strong>. {Words.Sentence(learning.Description)} Learned from {Words.Counted(learning.TrainingExchanges, "exchange")}{(learning.Parameters is { } parameters ? $" into {Words.Counted(parameters, "parameter or cell", "parameters or cells")}" : "")}, judged on {Words.Count(learning.HeldOutExchanges)} others.</p>""");
        Tables(html, learning);
        html.Add($"</div>");
        if (learning.Calibration is { } calibration)
        {
            html.Add($"""<div class="grid">""");
            if (calibration.PitCounts.Count > 0) Pit(calibration).Write(html);
            if (calibration.Quantiles.Count > 0) Quantiles(calibration).Write(html);
            if (calibration.Residuals is { } residuals) Residuals(residuals).Write(html);
            html.Add($"</div>");
        }
        Section.Close(html);
    }

    private static void Tables(HtmlWriter html, LearningReport learning)
    {
        html.Add($"""<div class="columns">""");
        if (learning.Fits.Count > 0)
        {
            html.Add($"<div><h3>Quality of fit</h3>");
            new Table("Quality of fit", ["message", "held out", "distance", "above 99 %"],
                [.. learning.Fits.Select(fit => (IReadOnlyList<string>)[fit.Kind.Name(), Words.Count(fit.Exchanges), Words.Probability(fit.KolmogorovSmirnov), Words.Percent(fit.AboveP99)])]).Write(html);
            html.Add($"""<p class="fine">Distance: Kolmogorov-Smirnov, 0 is perfect. Above 99 %: share slower than the model's 99 % quantile, 1 % is perfect.</p></div>""");
        }
        if (learning.Ranges.Count > 0)
        {
            html.Add($"<div><h3>What training covered</h3>");
            new Table("Ranges in training", ["feature", "from", "to"],
                [.. learning.Ranges.Select(range => (IReadOnlyList<string>)[range.Feature, Words.Number(range.Minimum), Words.Number(range.Maximum)])]).Write(html);
            html.Add($"""<p class="fine">Beyond these ranges the model extrapolates.</p></div>""");
        }
        if (learning.Candidates.Count > 0)
        {
            html.Add($"<div><h3>Learners compared</h3>");
            new Table("Learners compared", ["learner", "replay error", "chosen"],
                [.. learning.Candidates.Select(candidate => (IReadOnlyList<string>)[candidate.Learner, Words.Probability(candidate.ReplayError), candidate.Chosen ? "yes" : ""])]).Write(html);
            html.Add($"""<p class="fine">Mean error of the predicted probability when unseen training cases are simulated.</p></div>""");
        }
        html.Add($"</div>");
    }

    private static Figure Pit(CalibrationReport calibration)
    {
        var total = calibration.PitCounts.Sum();
        var bins = calibration.PitCounts.Count;
        return new("pit", "pit", "Are the model's quantiles right?",
            $"Each exchange falls into one of {bins} equally likely parts of the model's distribution, fast ones left. Right model: all bars near 1, most of them inside the band.",
            new("Exchanges by quantile of the model", ["quantiles", "exchanges", "relative to expected"], [.. calibration.PitCounts.Select((count, i) => (IReadOnlyList<string>)
            [
                $"{Words.Percent((double)i / bins)} to {Words.Percent((i + 1.0) / bins)}", Words.Count(count), Words.Number(count * (double)bins / total),
            ])]));
    }

    private static Figure Quantiles(CalibrationReport calibration) =>
        new("quantiles", "quantiles", "Does the model reproduce the latencies?",
            "Observed against predicted quantiles of the latencies. Right model: points on the line, inside the pointwise 95 % envelope; triangles lie outside.",
            new("Observed and predicted quantiles", ["quantile", "predicted", "observed", "envelope"], [.. calibration.Quantiles.Select(pair => (IReadOnlyList<string>)
            [
                Words.Percent(pair.Probability), Words.Milliseconds(pair.PredictedMilliseconds), Words.Milliseconds(pair.ObservedMilliseconds),
                $"{Words.Number(pair.LowerMilliseconds)} to {Words.Milliseconds(pair.UpperMilliseconds)}",
            ])]));

    private static Figure Residuals(ResidualReport residuals)
    {
        // A table of thousands of points helps nobody: tenths of the predicted latency show the same pattern.
        var sorted = residuals.PredictedMilliseconds.Zip(residuals.Scores).OrderBy(residual => residual.First).ToList();
        var groups = Math.Min(10, sorted.Count);
        var rows = Enumerable.Range(0, groups).Select(group =>
        {
            var part = sorted[(group * sorted.Count / groups)..((group + 1) * sorted.Count / groups)];
            var mean = part.Average(residual => residual.Second);
            var deviation = part.Count < 2 ? double.NaN : Math.Sqrt(part.Sum(residual => Math.Pow(residual.Second - mean, 2)) / (part.Count - 1));
            return (IReadOnlyList<string>)
            [
                $"{Words.Number(part[0].First)} to {Words.Milliseconds(part[^1].First)}", Words.Count(part.Count), Words.Number(mean),
                Words.Number(deviation), Words.Percent(part.Count(residual => Math.Abs(residual.Second) > 2) / (double)part.Count),
            ];
        });
        return new("residuals", "residuals", "What does the model leave unexplained?",
            "Normal score of each exchange within the model's distribution against the model's median. Right model: a cloud around 0 without pattern, 1 in 20 beyond the dotted lines.",
            new("Residuals by predicted latency", ["predicted median", "exchanges", "mean score", "standard deviation", "beyond ±2"], [.. rows]));
    }
}
