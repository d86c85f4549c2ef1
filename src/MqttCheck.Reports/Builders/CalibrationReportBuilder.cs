using MathNet.Numerics.Distributions;
using MqttCheck.Clients;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Builders;

/// <summary>Builds a <see cref="CalibrationReport"/> from exchanges that the model was not learned from.</summary>
internal static class CalibrationReportBuilder
{
    /// <summary>Number of bins of <see cref="CalibrationReport.PitCounts"/>.</summary>
    public const int PitBins = 20;

    private const int ResidualCount = 3000;

    private static readonly double[] Tail = [0.001, 0.995, 0.999, 0.9999];

    // In per cent; a chart for each kind needs fewer.
    private static readonly int[] Hundredths = [.. Enumerable.Range(1, 99)],
        Twentieths = [1, .. Enumerable.Range(1, 19).Select(twentieth => twentieth * 5), 99];

    // Quantiles of the standard normal distribution at .975, for pointwise 95 % envelopes.
    private const double Normal975 = 1.959963984540054;

    /// <summary>
    /// Builds the report from what the model says of each held-out exchange and from a simulation of all of them. An
    /// array may be empty where the model cannot tell.
    /// </summary>
    /// <param name="pit">The model's distribution function at the observed latency of an exchange; in [0, 1].</param>
    /// <param name="medianMilliseconds">The model's median at the same features.</param>
    /// <param name="kinds">The kind of the same exchange.</param>
    /// <param name="features">Its features.</param>
    /// <param name="observedMilliseconds">The observed latencies by <see cref="MessageKind"/>.</param>
    /// <param name="drawnMilliseconds">
    /// Latencies drawn from the model under the same load, by <see cref="MessageKind"/>.
    /// </param>
    public static CalibrationReport From(
        IReadOnlyList<double> pit,
        IReadOnlyList<double> medianMilliseconds,
        IReadOnlyList<MessageKind> kinds,
        IReadOnlyList<FeatureValues> features,
        IReadOnlyList<IReadOnlyList<double>> observedMilliseconds,
        IReadOnlyList<IReadOnlyList<double>> drawnMilliseconds
    )
    {
        var counts = new long[PitBins];
        foreach (var value in pit)
            counts[Math.Clamp((int)(value * PitBins), 0, PitBins - 1)]++;
        return new CalibrationReport
        {
            PitCounts = pit.Count > 0 ? counts : [],
            Quantiles = Quantiles(
                [.. observedMilliseconds.SelectMany(kind => kind)],
                [.. drawnMilliseconds.SelectMany(kind => kind)],
                Hundredths
            ),
            QuantilesByKind =
            [
                .. observedMilliseconds
                    .Zip(drawnMilliseconds)
                    .Select(
                        (pair, kind) =>
                            new KindQuantiles(
                                (MessageKind)kind,
                                pair.First.Count,
                                pair.Second.Count,
                                Quantiles(pair.First, pair.Second, Twentieths)
                            )
                    )
                    .Where(kind => kind.Quantiles.Count > 0),
            ],
            Residuals = Residuals(pit, medianMilliseconds, kinds, features),
        };
    }

    /// <summary>The quality of fit for one kind of message.</summary>
    /// <param name="kind">The kind.</param>
    /// <param name="pit">The model's distribution function at the observed latencies of this kind.</param>
    public static FitReport Fit(MessageKind kind, IReadOnlyList<double> pit)
    {
        if (pit.Count == 0)
            return new(kind, 0, double.NaN, double.NaN);
        var sorted = pit.Order().ToArray();
        var distance = 0.0;
        for (var i = 0; i < sorted.Length; i++)
            distance = Math.Max(
                distance,
                Math.Max((i + 1.0) / sorted.Length - sorted[i], sorted[i] - (double)i / sorted.Length)
            );
        return new(kind, sorted.Length, distance, sorted.Count(value => value > 0.99) / (double)sorted.Length);
    }

    private static List<QuantilePair> Quantiles(
        IReadOnlyList<double> observed,
        IReadOnlyList<double> drawn,
        int[] percents
    )
    {
        if (observed.Count < 2 || drawn.Count < 2)
            return [];
        var (observedSorted, drawnSorted) = (observed.Order().ToArray(), drawn.Order().ToArray());
        var probabilities = percents
            .Select(percent => percent / 100.0)
            .Concat(Tail)
            .Where(p => p * observed.Count >= 1 && (1 - p) * observed.Count >= 1)
            .Order();
        return
        [
            .. probabilities.Select(p =>
            {
                // Both samples scatter: the rank of an order statistic has variance p (1 - p) n, twice.
                var spread = Normal975 * Math.Sqrt(p * (1 - p) * (1.0 / observed.Count + 1.0 / drawn.Count));
                return new QuantilePair(
                    p,
                    SortedValues.Quantile(drawnSorted, p),
                    SortedValues.Quantile(observedSorted, p),
                    SortedValues.Quantile(drawnSorted, p - spread),
                    SortedValues.Quantile(drawnSorted, p + spread)
                );
            }),
        ];
    }

    private static ResidualReport? Residuals(
        IReadOnlyList<double> pit,
        IReadOnlyList<double> median,
        IReadOnlyList<MessageKind> kinds,
        IReadOnlyList<FeatureValues> features
    )
    {
        if (pit.Count == 0 || pit.Count != median.Count)
            return null;
        var every = Math.Max(1, (pit.Count + ResidualCount - 1) / ResidualCount);
        T[] Thinned<T>(IReadOnlyList<T> all) => [.. all.Where((_, i) => i % every == 0)];
        // A PIT value of 0 or 1 has no normal score; half an observation from the end it has the one of the largest of
        // the sample.
        var end = 0.5 / pit.Count;
        return new(
            Thinned(median),
            Array.ConvertAll(Thinned(pit), value => Math.Round(Normal.InvCDF(0, 1, Math.Clamp(value, end, 1 - end)), 3))
        )
        {
            Kinds = Thinned(kinds),
            Features = [.. features.Select(feature => feature with { Values = Thinned(feature.Values) })],
        };
    }
}
