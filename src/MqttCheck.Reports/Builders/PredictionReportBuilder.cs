namespace MqttCheck.Reports.Builders;

/// <summary>Computes figures that a report shows about the outcomes of simulations.</summary>
public static class PredictionReportBuilder
{
    /// <summary>
    /// Half width of the band that holds the whole distribution function with the given confidence (Dvoretzky, Kiefer,
    /// Wolfowitz; constant by Massart 1990): the square root of ln(2 / (1 - confidence)) / (2 n).
    /// </summary>
    /// <param name="replications">The sample size n, at least 1.</param>
    /// <param name="confidence">Inside (0, 1).</param>
    public static double BandHalfWidth(int replications, double confidence)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(replications);
        if (confidence is not (> 0 and < 1))
            throw new ArgumentOutOfRangeException(nameof(confidence), confidence, "must lie inside (0, 1)");
        return Math.Sqrt(Math.Log(2 / (1 - confidence)) / (2.0 * replications));
    }
}
