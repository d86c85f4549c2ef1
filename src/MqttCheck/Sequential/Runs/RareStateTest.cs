using MathNet.Numerics.Distributions;
using MqttCheck.Clients;

namespace MqttCheck.Sequential.Runs;

/// <summary>
/// Whether a few runs on the far side of a threshold are too few to come from a broker whose mean lies there. The j
/// worst runs are taken for a worse state of the broker, for every j: with the levels that both groups show, the mean
/// is the threshold only if some share q of all runs is in that state, and j or fewer of R runs then have the
/// probability of a binomial law.
/// </summary>
/// <remarks>
/// A beta law takes a bad run among good ones for a draw of its tail and forgives it; this test counts it. It says
/// nothing of a state that no run has shown: see <see cref="UnseenShare"/>. Runs that vary evenly around one level pass
/// it wherever the likelihood does, so it costs next to no power.
/// </remarks>
internal static class RareStateTest
{
    /// <summary>
    /// Whether the runs exclude that the mean lies on the other side of a threshold because of a state that some of
    /// them show.
    /// </summary>
    /// <param name="runs">The runs.</param>
    /// <param name="threshold">The threshold; the mean of the runs lies on the side that is claimed.</param>
    /// <param name="error">The largest probability of so few runs in that state.</param>
    public static bool Excludes(ReadOnlySpan<RunCount> runs, double threshold, double error)
    {
        Span<double> shares = runs.Length <= 256 ? stackalloc double[runs.Length] : new double[runs.Length];
        for (var i = 0; i < runs.Length; i++)
            shares[i] = runs[i].Share;
        return Excludes(shares, threshold, error);
    }

    /// <summary>The same of any values of runs, for example of the differences of pairs.</summary>
    /// <param name="values">One value of each run; their order, and their sign, may change.</param>
    /// <param name="threshold">The threshold; the mean of the values lies on the side that is claimed.</param>
    /// <param name="error">The largest probability of so few runs in that state.</param>
    public static bool Excludes(Span<double> values, double threshold, double error)
    {
        var sum = 0.0;
        foreach (var value in values)
            sum += value;
        if (sum < threshold * values.Length)
        {
            // Seen from the other side, the largest values are the rare ones.
            for (var i = 0; i < values.Length; i++)
                values[i] = -values[i];
            (sum, threshold) = (-sum, -threshold);
        }
        values.Sort();
        var bad = 0.0;
        for (var few = 1; few < values.Length; few++)
        {
            bad += values[few - 1];
            double low = bad / few,
                high = (sum - bad) / (values.Length - few);
            if (low >= threshold || high - low < 1e-9)
                break;
            var share = (high - threshold) / (high - low);
            if (share is > 0 and < 1 && Binomial.CDF(share, values.Length, few) > error)
                return false;
        }
        return true;
    }
}
