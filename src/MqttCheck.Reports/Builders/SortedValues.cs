namespace MqttCheck.Reports.Builders;

/// <summary>Questions to ascending values.</summary>
internal static class SortedValues
{
    /// <summary>
    /// The p-quantile by linear interpolation of the order statistics (type 7 of Hyndman and Fan 1996); NaN of nothing.
    /// </summary>
    public static double Quantile(IReadOnlyList<double> sorted, double p)
    {
        if (sorted.Count == 0)
            return double.NaN;
        var position = Math.Clamp(p, 0, 1) * (sorted.Count - 1);
        var index = Math.Min((int)position, sorted.Count - 1);
        var next = Math.Min(index + 1, sorted.Count - 1);
        var fraction = position - index;
        // Without the test, infinity (a failed sequence) would turn into NaN.
        return fraction == 0 || sorted[index] == sorted[next]
            ? sorted[index]
            : sorted[index] + fraction * (sorted[next] - sorted[index]);
    }

    /// <summary>The share of values below a threshold; NaN of nothing.</summary>
    public static double ShareBelow(IReadOnlyList<double> sorted, double threshold)
    {
        if (sorted.Count == 0)
            return double.NaN;
        int low = 0,
            high = sorted.Count;
        while (low < high)
        {
            var middle = (low + high) >>> 1;
            if (sorted[middle] < threshold)
                low = middle + 1;
            else
                high = middle;
        }
        return (double)low / sorted.Count;
    }
}
