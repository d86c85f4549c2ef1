using MqttCheck.Predictions;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Builders;

/// <summary>Builds a <see cref="PredictionReport"/> from the outcomes of simulations.</summary>
public static class PredictionReportBuilder
{
    /// <summary>
    /// How many latencies a report keeps: up to here all of them, beyond that as many quantiles, which moves a
    /// probability by at most .0005.
    /// </summary>
    public const int KeptLatencies = 1100;

    /// <summary>Builds the report of one setup.</summary>
    /// <param name="profile">Name of the usage profile or population.</param>
    /// <param name="clients">Number of clients.</param>
    /// <param name="replications">Number of independent simulations, at least 1: the sample size of the band.</param>
    /// <param name="worstMilliseconds">
    /// The largest latency of each simulated sequence in any order; NaN or infinity for a sequence that failed.
    /// </param>
    /// <param name="confidence">The confidence of the band and of the points' intervals, inside (0, 1).</param>
    /// <param name="points">The predicted points.</param>
    public static PredictionReport From(
        string profile,
        int clients,
        int replications,
        IReadOnlyList<double> worstMilliseconds,
        double confidence,
        IReadOnlyList<PredictedPoint> points
    )
    {
        var sorted = worstMilliseconds
            .Select(latency => double.IsNaN(latency) ? double.PositiveInfinity : latency)
            .ToArray();
        Array.Sort(sorted);
        return new PredictionReport
        {
            Profile = profile,
            Clients = clients,
            Replications = replications,
            Confidence = confidence,
            BandHalfWidth = BandHalfWidth(replications, confidence),
            SortedWorstMilliseconds = sorted.Length <= KeptLatencies ? sorted : Thin(sorted),
            Points = points,
        };
    }

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

    // The middle of each of equally large groups: as many quantiles as are kept.
    private static double[] Thin(double[] sorted)
    {
        var kept = new double[KeptLatencies];
        for (var i = 0; i < kept.Length; i++)
            kept[i] = sorted[(int)((i + 0.5) / kept.Length * sorted.Length)];
        return kept;
    }
}
