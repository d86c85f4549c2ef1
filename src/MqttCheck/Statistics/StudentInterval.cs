using MathNet.Numerics.Distributions;

namespace MqttCheck.Statistics;

/// <summary>
/// Student's interval of a mean. Approximate: it keeps its error where the values are independent and about normal. Of
/// values that are rarely far off it misses the mean much more often, so no guaranteed answer rests on it.
/// </summary>
internal static class StudentInterval
{
    /// <summary>The interval.</summary>
    /// <param name="values">The values, finite.</param>
    /// <param name="error">The nominal probability that it does not contain the mean, in (0, 1).</param>
    /// <returns>
    /// Null where the values do not differ, as a single one: how much they vary is not known then, and a point would
    /// claim that they do not.
    /// </returns>
    public static Interval? Of(IReadOnlyList<double> values, double error)
    {
        if (values.Count == 0 || values.All(value => value == values[0]))
            return null;
        var mean = values.Average();
        var variance = values.Sum(value => (value - mean) * (value - mean)) / (values.Count - 1);
        var half = StudentT.InvCDF(0, 1, values.Count - 1, 1 - error / 2) * Math.Sqrt(variance / values.Count);
        return new(mean - half, mean + half);
    }
}
