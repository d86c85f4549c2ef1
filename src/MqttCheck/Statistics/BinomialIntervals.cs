using MathNet.Numerics;
using MathNet.Numerics.Distributions;

namespace MqttCheck.Statistics;

/// <summary>Intervals for the probability of success, from the number of successes among independent trials.</summary>
public static class BinomialIntervals
{
    /// <summary>
    /// The exact interval of Clopper and Pearson (1934): it covers the true probability with at least the promised
    /// confidence, whatever that probability is, for a number of trials fixed in advance. Ends are quantiles of beta
    /// distributions.
    /// </summary>
    /// <param name="successes">0 .. <paramref name="trials"/>.</param>
    /// <param name="trials">At least 0; without a trial the interval is [0, 1].</param>
    /// <param name="alpha">The probability of not covering, in (0, 1), shared equally by both sides.</param>
    public static Interval ClopperPearson(long successes, long trials, double alpha) =>
        new(LowerBound(successes, trials, alpha / 2), UpperBound(successes, trials, alpha / 2));

    /// <summary>The one-sided lower bound of Clopper and Pearson.</summary>
    /// <param name="successes">0 .. <paramref name="trials"/>.</param>
    /// <param name="trials">At least 0.</param>
    /// <param name="alpha">The probability that the bound exceeds the truth is at most this; in (0, 1).</param>
    public static double LowerBound(long successes, long trials, double alpha)
    {
        Check(successes, trials, alpha);
        return successes == 0 ? 0
            : successes == trials ? Math.Pow(alpha, 1.0 / trials)
            : Beta.InvCDF(successes, trials - successes + 1, alpha);
    }

    /// <summary>The one-sided upper bound of Clopper and Pearson.</summary>
    /// <param name="successes">0 .. <paramref name="trials"/>.</param>
    /// <param name="trials">At least 0.</param>
    /// <param name="alpha">The probability that the bound falls short of the truth is at most this; in (0, 1).</param>
    public static double UpperBound(long successes, long trials, double alpha)
    {
        Check(successes, trials, alpha);
        return 1 - LowerBound(trials - successes, trials, alpha);
    }

    /// <summary>
    /// The score interval of Wilson (1927). Approximate: near 0 and 1 it covers less than promised (.89 instead of
    /// .99), so no verdict rests on it.
    /// </summary>
    /// <param name="successes">0 .. <paramref name="trials"/>.</param>
    /// <param name="trials">At least 1.</param>
    /// <param name="alpha">The nominal probability of not covering, in (0, 1).</param>
    public static Interval WilsonApproximate(long successes, long trials, double alpha)
    {
        Check(successes, trials, alpha);
        ArgumentOutOfRangeException.ThrowIfZero(trials);
        var z = Normal.InvCDF(0, 1, 1 - alpha / 2);
        double n = trials,
            share = successes / n,
            scale = 1 + z * z / n;
        var centre = (share + z * z / (2 * n)) / scale;
        var half = z / scale * Math.Sqrt(share * (1 - share) / n + z * z / (4 * n * n));
        return new(successes == 0 ? 0 : centre - half, successes == trials ? 1 : centre + half);
    }

    /// <summary>
    /// The anytime-valid interval of the binomial mixture with a uniform prior: {p : (n + 1) C(n, k) p^k (1-p)^(n-k) >=
    /// alpha}. With the promised probability it covers the truth at all n together, so one may look after every trial
    /// and stop at will (Robbins 1970).
    /// </summary>
    /// <param name="successes">0 .. <paramref name="trials"/>.</param>
    /// <param name="trials">At least 0.</param>
    /// <param name="alpha">The probability of ever failing to cover, in (0, 1).</param>
    public static Interval AnytimeMixture(long successes, long trials, double alpha)
    {
        Check(successes, trials, alpha);
        if (trials == 0)
            return new(0, 1);
        var share = (double)successes / trials;
        return new(Solve(0), Solve(1));

        // Bisection between the largest likelihood, which is inside of the set, and a p outside.
        double Solve(double outside) => Bisection.Narrow(share, outside, IsInside, _ => 1e-15, steps: 200).Holds;

        bool IsInside(double probability) => !(MixtureLogEvidence(successes, trials, probability) > -Math.Log(alpha));
    }

    /// <summary>
    /// The logarithm of the evidence of the uniform mixture against one probability: -ln((n + 1) C(n, k) p^k
    /// (1-p)^(n-k)). It exceeds ln(1/alpha) at any time with probability at most alpha when the probability is true.
    /// </summary>
    /// <param name="successes">0 .. <paramref name="trials"/>.</param>
    /// <param name="trials">At least 0.</param>
    /// <param name="probability">The probability in question, in 0 .. 1.</param>
    public static double MixtureLogEvidence(long successes, long trials, double probability)
    {
        var failures = trials - successes;
        return -(
            Math.Log(trials + 1.0)
            + SpecialFunctions.GammaLn(trials + 1.0)
            - SpecialFunctions.GammaLn(successes + 1.0)
            - SpecialFunctions.GammaLn(failures + 1.0)
            + (successes == 0 ? 0 : successes * Math.Log(probability))
            + (failures == 0 ? 0 : failures * Math.Log(1 - probability))
        );
    }

    private static void Check(long successes, long trials, double alpha)
    {
        if (trials < 0 || successes < 0 || successes > trials)
            throw new ArgumentOutOfRangeException(nameof(successes), successes, $"must be in 0 .. {trials} trials");
        Arguments.Require(alpha is > 0 and < 1, alpha, "must be in (0, 1)");
    }
}
