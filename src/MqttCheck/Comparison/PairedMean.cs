using MqttCheck.Statistics;

namespace MqttCheck.Comparison;

/// <summary>
/// The mean ratio or difference of two things that were measured in turn, by Student's interval over the pairs: what
/// changes more slowly than a pair takes falls out of it. Approximate, see <see cref="StudentInterval"/>.
/// </summary>
/// <param name="Value">The mean: of ratios the geometric one.</param>
/// <param name="Interval">Its interval; null where pairs do not differ, as a single one.</param>
internal readonly record struct PairedMean(double Value, Interval? Interval)
{
    /// <summary>The mean difference, the first minus the second.</summary>
    /// <param name="pairs">The pairs, at least one.</param>
    /// <param name="error">The probability that the interval does not contain the true mean, in (0, 1).</param>
    public static PairedMean OfDifferences(IReadOnlyList<(double First, double Second)> pairs, double error) =>
        Of([.. pairs.Select(pair => pair.First - pair.Second)], error);

    /// <summary>The mean ratio, the first divided by the second. The interval is that of the mean logarithm.</summary>
    /// <param name="pairs">The pairs, at least one, all positive.</param>
    /// <param name="error">The probability that the interval does not contain the true ratio, in (0, 1).</param>
    public static PairedMean OfRatios(IReadOnlyList<(double First, double Second)> pairs, double error)
    {
        var mean = Of([.. pairs.Select(pair => Math.Log(pair.First / pair.Second))], error);
        return new(
            Math.Exp(mean.Value),
            mean.Interval is { } interval ? new(Math.Exp(interval.Lower), Math.Exp(interval.Upper)) : null
        );
    }

    private static PairedMean Of(double[] values, double error) =>
        new(values.Average(), StudentInterval.Of(values, error));
}
