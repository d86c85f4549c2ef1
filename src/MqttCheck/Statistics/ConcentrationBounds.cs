namespace MqttCheck.Statistics;

/// <summary>
/// Bounds that hold for independent observations in 0 .. 1 whatever their law, for a number of observations fixed in
/// advance.
/// </summary>
internal static class ConcentrationBounds
{
    /// <summary>
    /// The number of observations after which a mean misses its expectation by more than epsilon with probability at
    /// most delta: n >= ln(2/delta) / (2 epsilon^2) (Okamoto 1958, Hoeffding 1963).
    /// </summary>
    /// <param name="epsilon">Half width, in (0, 1).</param>
    /// <param name="delta">Error probability, in (0, 1).</param>
    public static long OkamotoSampleSize(double epsilon, double delta)
    {
        Check(epsilon, nameof(epsilon));
        Check(delta, nameof(delta));
        return (long)Math.Ceiling(Math.Log(2 / delta) / (2 * epsilon * epsilon));
    }

    /// <summary>The half width of Hoeffding's interval for a mean: sqrt(ln(2/delta) / (2 n)).</summary>
    /// <param name="observations">n, at least 1.</param>
    /// <param name="delta">Error probability, in (0, 1).</param>
    public static double HoeffdingHalfWidth(long observations, double delta)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(observations);
        Check(delta, nameof(delta));
        return Math.Sqrt(Math.Log(2 / delta) / (2 * observations));
    }

    /// <summary>Hoeffding's interval, cut to 0 .. 1.</summary>
    /// <param name="mean">The mean of the observations, in 0 .. 1.</param>
    /// <param name="observations">At least 1.</param>
    /// <param name="delta">Error probability, in (0, 1).</param>
    public static Interval Hoeffding(double mean, long observations, double delta) =>
        Around(mean, HoeffdingHalfWidth(observations, delta));

    /// <summary>
    /// The empirical Bernstein interval of Maurer and Pontil (2009, theorem 4, both sides with delta/2 each), cut to 0
    /// .. 1: half width sqrt(2 V ln(4/delta) / n) + 7 ln(4/delta) / (3 (n - 1)). Narrower than Hoeffding's where the
    /// observations vary little.
    /// </summary>
    /// <param name="mean">The mean of the observations, in 0 .. 1.</param>
    /// <param name="sampleVariance">V, the sample variance with divisor n - 1.</param>
    /// <param name="observations">n, at least 1; a single observation gives [0, 1].</param>
    /// <param name="delta">Error probability, in (0, 1).</param>
    public static Interval EmpiricalBernstein(double mean, double sampleVariance, long observations, double delta)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(observations);
        ArgumentOutOfRangeException.ThrowIfNegative(sampleVariance);
        Check(delta, nameof(delta));
        if (observations == 1)
            return new(0, 1);
        var log = Math.Log(4 / delta);
        return Around(mean, Math.Sqrt(2 * sampleVariance * log / observations) + 7 * log / (3 * (observations - 1)));
    }

    /// <summary>
    /// The half width of the band around an empirical distribution function that holds the true one at all points
    /// together: sqrt(ln(2/delta) / (2 n)) (Dvoretzky, Kiefer and Wolfowitz 1956 with the constant of Massart 1990).
    /// </summary>
    /// <param name="observations">n, at least 1, independent.</param>
    /// <param name="delta">Error probability, in (0, 1); for m distributions together divide it by m.</param>
    public static double DkwHalfWidth(long observations, double delta) => HoeffdingHalfWidth(observations, delta);

    /// <summary>
    /// The number of independent observations for a band of a given half width around the empirical distribution
    /// function.
    /// </summary>
    /// <param name="halfWidth">In (0, 1).</param>
    /// <param name="delta">Error probability, in (0, 1).</param>
    public static long DkwSampleSize(double halfWidth, double delta) => OkamotoSampleSize(halfWidth, delta);

    private static Interval Around(double mean, double halfWidth)
    {
        Arguments.Require(mean is >= 0 and <= 1, mean, "must be in 0 .. 1");
        return new(Math.Max(0, mean - halfWidth), Math.Min(1, mean + halfWidth));
    }

    private static void Check(double value, string name) =>
        Arguments.Require(value is > 0 and < 1, value, "must be in (0, 1)", name);
}
