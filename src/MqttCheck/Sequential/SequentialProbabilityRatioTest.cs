namespace MqttCheck.Sequential;

/// <summary>
/// Wald's sequential probability ratio test of independent outcomes. Feed outcomes in the order in which they were
/// issued, never in the order of completion, which favours fast ones.
/// </summary>
/// <param name="plan">The hypotheses and error probabilities.</param>
internal sealed class SequentialProbabilityRatioTest(SprtPlan plan)
{
    /// <summary>The hypotheses and error probabilities.</summary>
    public SprtPlan Plan { get; } = plan;

    /// <summary>The sum of the weighted increments: ln(L(p1) / L(p0)) where every weight is 1.</summary>
    public double LogLikelihoodRatio { get; private set; }

    /// <summary>The outcomes counted up to the decision.</summary>
    public long Samples { get; private set; }

    /// <summary>The successes among them.</summary>
    public long Successes { get; private set; }

    /// <summary>The decision so far. Once made it stays.</summary>
    public SprtDecision Decision { get; private set; }

    /// <summary>
    /// Counts one share, unless the decision is made already; the hypotheses are about its mean. The likelihood ratio
    /// of a share lies below the line between those of 0 and 1, so that errors are bounded for every law in 0 .. 1 as
    /// for outcomes: by Ville's inequality, with strict bounds.
    /// </summary>
    /// <param name="share">In 0 .. 1.</param>
    /// <returns>The decision so far.</returns>
    public SprtDecision AddShare(double share)
    {
        Arguments.Require(share is >= 0 and <= 1, share, "must be in 0 .. 1");
        // An increment may be infinite, and counts for nothing where its part is 0.
        return Count(
            share >= 1,
            (share > 0 ? share * Plan.SuccessIncrement : 0) + (share < 1 ? (1 - share) * Plan.FailureIncrement : 0)
        );
    }

    /// <summary>Counts one outcome, unless the decision is made already.</summary>
    /// <param name="success">The outcome.</param>
    /// <param name="weight">
    /// The power to which the outcome's likelihood counts, in (0, 1]: less than 1 where outcomes are correlated (a
    /// tempered likelihood).
    /// </param>
    /// <returns>The decision so far.</returns>
    public SprtDecision Add(bool success, double weight = 1)
    {
        Arguments.Require(weight is > 0 and <= 1, weight, "must be in (0, 1]");
        return Count(success, weight * (success ? Plan.SuccessIncrement : Plan.FailureIncrement));
    }

    private SprtDecision Count(bool success, double evidence)
    {
        if (Decision != SprtDecision.Undecided)
            return Decision;
        Samples++;
        if (success)
            Successes++;
        LogLikelihoodRatio += evidence;
        return Decision = Plan.Decide(LogLikelihoodRatio);
    }
}
