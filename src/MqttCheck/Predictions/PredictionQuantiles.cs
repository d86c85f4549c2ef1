namespace MqttCheck.Predictions;

/// <summary>Shares and quantiles of an ascending sample.</summary>
internal static class PredictionQuantiles
{
    /// <summary>The share of values below a bound; NaN for an empty sample.</summary>
    public static double ShareBelow(ReadOnlySpan<double> sorted, double bound)
    {
        int low = 0,
            high = sorted.Length;
        while (low < high)
        {
            var middle = (int)(((uint)low + (uint)high) >> 1);
            if (sorted[middle] < bound)
                low = middle + 1;
            else
                high = middle;
        }
        return (double)low / sorted.Length;
    }

    /// <summary>The smallest value that at least the share p does not exceed.</summary>
    public static double Quantile(ReadOnlySpan<double> sorted, double p)
    {
        Arguments.Require(p > 0 && p <= 1, p, "must be in (0, 1]");
        // The tiny deduction undoes the rounding of p * n just above an integer.
        var rank = (int)Math.Ceiling(p * sorted.Length - 1e-9);
        return sorted[Math.Clamp(rank, 1, sorted.Length) - 1];
    }
}
