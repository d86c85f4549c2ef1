using MqttCheck.Reports.Charts;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Page;

/// <summary>The chart of residuals, against the model's median or against a feature of the reader's choice.</summary>
internal static class ResidualFigure
{
    private const string Median = "predicted median, ms";
    private const int Tenths = 10,
        Quarters = 4;

    public static Figure Of(ResidualReport residuals)
    {
        // A table of thousands of points helps nobody: parts of about equally many exchanges show the same pattern.
        IReadOnlyList<string>[] rows =
        [
            .. Parts(Median, residuals.PredictedMilliseconds, residuals.Scores, Tenths),
            .. residuals.Features.SelectMany(feature =>
                Parts(feature.Feature, feature.Values, residuals.Scores, Quarters)
            ),
        ];
        const string caption =
            "Normal score of each exchange within the model's distribution. Right "
            + "model: a cloud around 0 without pattern, 1 in 20 beyond the dotted lines.";
        return new(
            "residuals",
            "What does the model leave unexplained?",
            caption + " A slope against a feature: the model does not use that feature rightly.",
            new("Residuals by feature", ["feature", "exchanges", "mean score", "standard deviation", "beyond ±2"], rows)
        )
        {
            Chart = ResidualsChart.Of(residuals),
            StillCaption = caption,
        };
    }

    // Equal values stay together, so there may be fewer parts than asked for.
    private static IEnumerable<IReadOnlyList<string>> Parts(
        string feature,
        IReadOnlyList<double> values,
        IReadOnlyList<double> scores,
        int count
    )
    {
        var sorted = values.Zip(scores).OrderBy(residual => residual.First).ToList();
        for (int part = 1, from = 0; part <= count && from < sorted.Count; part++)
        {
            var to = Math.Max(from + 1, (int)((long)part * sorted.Count / count));
            while (to < sorted.Count && sorted[to].First == sorted[to - 1].First)
                to++;
            yield return Row(feature, sorted[from..to]);
            from = to;
        }
    }

    private static IReadOnlyList<string> Row(string feature, List<(double Value, double Score)> part)
    {
        var mean = part.Average(residual => residual.Score);
        var deviation =
            part.Count < 2
                ? double.NaN
                : Math.Sqrt(part.Sum(residual => Math.Pow(residual.Score - mean, 2)) / (part.Count - 1));
        var (low, high) = (Words.Number(part[0].Value), Words.Number(part[^1].Value));
        return
        [
            $"{feature}: {(low == high ? low : $"{low} to {high}")}",
            Words.Count(part.Count),
            Words.Number(mean),
            Words.Number(deviation),
            Words.Percent(part.Count(residual => Math.Abs(residual.Score) > 2) / (double)part.Count),
        ];
    }
}
