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
        var (mean, variance) = SampleMoments.Of(values);
        return Around(mean, variance, values.Count, error);
    }

    /// <summary>The interval of a mean.</summary>
    /// <param name="mean">The mean of the sample.</param>
    /// <param name="variance">Its variance.</param>
    /// <param name="count">Its size, at least 2.</param>
    /// <param name="error">The probability of missing the truth.</param>
    public static Interval Around(double mean, double variance, int count, double error)
    {
        var half = StudentT.InvCDF(0, 1, count - 1, 1 - error / 2) * Math.Sqrt(variance / count);
        return new(mean - half, mean + half);
    }
}
