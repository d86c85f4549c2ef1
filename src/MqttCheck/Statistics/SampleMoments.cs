namespace MqttCheck.Statistics;

/// <summary>The mean and the variance of a sample.</summary>
internal static class SampleMoments
{
    /// <summary>Both at once.</summary>
    /// <param name="values">At least one value.</param>
    /// <returns>The mean, and the variance with the divisor n - 1, which is NaN for one value.</returns>
    public static (double Mean, double Variance) Of(IReadOnlyList<double> values)
    {
        var mean = values.Average();
        return (mean, values.Sum(value => (value - mean) * (value - mean)) / (values.Count - 1));
    }
}
