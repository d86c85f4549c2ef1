namespace MqttCheck.Sequential;

/// <summary>
/// Holm's step-down correction (1979): several hypotheses tested together with one error for the whole family, whatever
/// their dependence.
/// </summary>
public static class HolmCorrection
{
    /// <summary>
    /// The adjusted p-values: a hypothesis is rejected when its adjusted p-value is at most the error of the family.
    /// </summary>
    /// <param name="pValues">One valid p-value per hypothesis, each in 0 .. 1.</param>
    /// <returns>One adjusted p-value per hypothesis, in the order given.</returns>
    public static double[] Adjust(IReadOnlyList<double> pValues)
    {
        foreach (var value in pValues)
            Arguments.Require(value is >= 0 and <= 1, value, "a p-value must be in 0 .. 1", nameof(pValues));
        var order = Enumerable.Range(0, pValues.Count).OrderBy(i => pValues[i]).ToArray();
        var adjusted = new double[pValues.Count];
        var largest = 0.0;
        for (var rank = 0; rank < order.Length; rank++)
        {
            largest = Math.Max(largest, Math.Min(1, (order.Length - rank) * pValues[order[rank]]));
            adjusted[order[rank]] = largest;
        }
        return adjusted;
    }
}
