namespace MqttCheck.Reports.Marks;

/// <summary>
/// A range of values on an axis.
/// </summary>
/// <param name="Low">The smallest value.</param>
/// <param name="High">The largest value.</param>
/// <param name="IsLogarithmic">Whether equal ratios take equal room.</param>
internal sealed record Scale(double Low, double High, bool IsLogarithmic = false)
{
    /// <summary>The position of a value on an axis of equal steps: of a logarithmic one, its logarithm.</summary>
    public double At(double value) => IsLogarithmic ? Math.Log10(Math.Max(value, Low * 1e-3)) : value;

    /// <summary>The share of the range below a value.</summary>
    public double Share(double value) => (At(value) - At(Low)) / (At(High) - At(Low));

    /// <summary>A logarithmic range around values, never empty.</summary>
    public static Scale Around(IEnumerable<double> values, double slack = 1.08)
    {
        double low = double.PositiveInfinity,
            high = 0;
        foreach (var value in values.Where(value => value > 0 && double.IsFinite(value)))
            (low, high) = (Math.Min(low, value), Math.Max(high, value));
        if (low > high)
            return new(.1, 10, true);
        return high / low < 1.3 ? new(low / 2, high * 2, true) : new(low / slack, high * slack, true);
    }
}
