using MathNet.Numerics;

namespace MqttCheck.Sequential;

/// <summary>
/// The Bayesian test of one threshold (Jha et al. 2009): with a uniform prior it stops when the Bayes factor of "above
/// the threshold" reaches a bound or falls to its inverse.
/// </summary>
/// <remarks>
/// It promises belief, not error rates: at truths near the threshold its wrong decisions are far more frequent than the
/// bound suggests. Offered to compare with, not as a guarantee.
/// </remarks>
public sealed class BayesFactorTest
{
    private readonly double _logPriorOdds;

    /// <summary>A test.</summary>
    /// <param name="threshold">In (0, 1).</param>
    /// <param name="bound">The Bayes factor at which it decides, greater than 1.</param>
    public BayesFactorTest(double threshold, double bound)
    {
        Arguments.Require(threshold is > 0 and < 1, threshold, "must be in (0, 1)");
        Arguments.Require(bound > 1, bound, "must be greater than 1");
        (Threshold, Bound, _logPriorOdds) = (threshold, bound, Math.Log((1 - threshold) / threshold));
    }

    /// <summary>The threshold.</summary>
    public double Threshold { get; }

    /// <summary>The Bayes factor at which the test decides.</summary>
    public double Bound { get; }

    /// <summary>The Bayes factor of "above" against "below" the threshold.</summary>
    /// <param name="successes">0 .. <paramref name="samples"/>.</param>
    /// <param name="samples">At least 0.</param>
    public double BayesFactor(long successes, long samples)
    {
        double above = SpecialFunctions.BetaRegularized(samples - successes + 1, successes + 1, 1 - Threshold);
        double below = SpecialFunctions.BetaRegularized(successes + 1, samples - successes + 1, Threshold);
        return Math.Exp(Math.Log(above / below) - _logPriorOdds);
    }

    /// <summary>The decision after some outcomes: H1 is "above the threshold".</summary>
    /// <param name="successes">0 .. <paramref name="samples"/>.</param>
    /// <param name="samples">At least 0.</param>
    public SprtDecision Decide(long successes, long samples)
    {
        var factor = BayesFactor(successes, samples);
        return factor >= Bound ? SprtDecision.AcceptH1
            : factor <= 1 / Bound ? SprtDecision.AcceptH0
            : SprtDecision.Undecided;
    }
}
