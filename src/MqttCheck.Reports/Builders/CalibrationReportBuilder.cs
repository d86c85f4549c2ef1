using MathNet.Numerics.Distributions;
using MqttCheck.Clients;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Builders;

/// <summary>Builds a <see cref="CalibrationReport"/> from exchanges that the model was not learned from.</summary>
public static class CalibrationReportBuilder
{
    /// <summary>Number of bins of <see cref="CalibrationReport.PitCounts"/>.</summary>
    public const int PitBins = 20;

    private const int QuantileCount = 99, ResidualCount = 3000;

    // Quantiles of the standard normal distribution at .975, for pointwise 95 % envelopes.
    private const double Normal975 = 1.959963984540054;

    /// <summary>Builds the report. The arrays have one entry for each held-out exchange; an array may be empty where the model cannot tell.</summary>
    /// <param name="pit">The model's distribution function at the observed latency, randomised where it jumps; in [0, 1].</param>
    /// <param name="observedMilliseconds">The observed latency.</param>
    /// <param name="drawnMilliseconds">One latency drawn from the model at the same features.</param>
    /// <param name="medianMilliseconds">The model's median at the same features.</param>
    public static CalibrationReport From(
        IReadOnlyList<double> pit, IReadOnlyList<double> observedMilliseconds, IReadOnlyList<double> drawnMilliseconds, IReadOnlyList<double> medianMilliseconds)
    {
        ArgumentNullException.ThrowIfNull(pit);
        ArgumentNullException.ThrowIfNull(observedMilliseconds);
        ArgumentNullException.ThrowIfNull(drawnMilliseconds);
        ArgumentNullException.ThrowIfNull(medianMilliseconds);
        var counts = new long[PitBins];
        foreach (var value in pit) counts[Math.Clamp((int)(value * PitBins), 0, PitBins - 1)]++;
        return new CalibrationReport
        {
            PitCounts = pit.Count > 0 ? counts : [],
            Quantiles = Quantiles(observedMilliseconds, drawnMilliseconds),
            Residuals = Residuals(pit, medianMilliseconds),
        };
    }

    /// <summary>The quality of fit for one kind of message.</summary>
    /// <param name="kind">The kind.</param>
    /// <param name="pit">The model's distribution function at the observed latencies of this kind.</param>
    public static FitReport Fit(MessageKind kind, IReadOnlyList<double> pit)
    {
        ArgumentNullException.ThrowIfNull(pit);
        if (pit.Count == 0) return new(kind, 0, double.NaN, double.NaN);
        var sorted = pit.Order().ToArray();
        var distance = 0.0;
        for (var i = 0; i < sorted.Length; i++)
            distance = Math.Max(distance, Math.Max((i + 1.0) / sorted.Length - sorted[i], sorted[i] - (double)i / sorted.Length));
        return new(kind, sorted.Length, distance, sorted.Count(value => value > 0.99) / (double)sorted.Length);
    }

    private static List<QuantilePair> Quantiles(IReadOnlyList<double> observed, IReadOnlyList<double> drawn)
    {
        if (observed.Count < 2 || drawn.Count < 2) return [];
        var (observedSorted, drawnSorted) = (observed.Order().ToArray(), drawn.Order().ToArray());
        var probabilities = Enumerable.Range(1, QuantileCount).Select(percent => percent / 100.0)
            .Append(0.001).Append(0.995).Append(0.999).Append(0.9999)
            .Where(p => p * observed.Count >= 1 && (1 - p) * observed.Count >= 1).Order();
        return [.. probabilities.Select(p =>
        {
            // Both samples scatter: the rank of an order statistic has variance p (1 - p) n, twice.
            var spread = Normal975 * Math.Sqrt(p * (1 - p) * (1.0 / observed.Count + 1.0 / drawn.Count));
            return new QuantilePair(p, SortedValues.Quantile(drawnSorted, p), SortedValues.Quantile(observedSorted, p),
                SortedValues.Quantile(drawnSorted, p - spread), SortedValues.Quantile(drawnSorted, p + spread));
        })];
    }

    private static ResidualReport? Residuals(IReadOnlyList<double> pit, IReadOnlyList<double> median)
    {
        if (pit.Count == 0 || pit.Count != median.Count) return null;
        List<double> predicted = [], scores = [];
        var every = Math.Max(1, (pit.Count + ResidualCount - 1) / ResidualCount);
        // A PIT value of 0 or 1 has no normal score; half an observation from the end it has the one of the largest of the sample.
        var end = 0.5 / pit.Count;
        for (var i = 0; i < pit.Count; i += every)
        {
            predicted.Add(median[i]);
            scores.Add(Math.Round(Normal.InvCDF(0, 1, Math.Clamp(pit[i], end, 1 - end)), 3));
        }
        return new(predicted, scores);
    }
}
