using System.Globalization;

namespace MqttCheck.Sequential;

/// <summary>
/// Two hypotheses about the probability of success, p0 &lt; p1, and the error probabilities of deciding between them:
/// all that determines a sequential probability ratio test (Wald 1945).
/// </summary>
public sealed record SprtPlan
{
    /// <summary>A plan.</summary>
    /// <param name="p0">
    /// The worse hypothesis, 0 .. 1 and less than <paramref name="p1"/>. At 0 the first success decides.
    /// </param>
    /// <param name="p1">The better hypothesis. At 1 the first failure decides.</param>
    /// <param name="alpha">Largest probability of accepting p1 when the truth is p0 (or less); in (0, .5).</param>
    /// <param name="beta">Largest probability of accepting p0 when the truth is p1 (or more); in (0, .5).</param>
    /// <param name="bounds">How the stopping bounds follow from the errors.</param>
    /// <exception cref="ArgumentOutOfRangeException">A value is outside of its range.</exception>
    public SprtPlan(double p0, double p1, double alpha, double beta, SprtBounds bounds = SprtBounds.Strict)
    {
        if (!(p0 >= 0 && p0 < p1 && p1 <= 1))
            throw new ArgumentOutOfRangeException(
                nameof(p0),
                p0,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"must be at least 0 and less than p1 = {p1}, which is at most 1"
                )
            );
        Arguments.Require(alpha is > 0 and < .5, alpha, "an error probability must be in (0, .5)");
        Arguments.Require(beta is > 0 and < .5, beta, "an error probability must be in (0, .5)");
        (P0, P1, Alpha, Beta, Bounds) = (p0, p1, alpha, beta, bounds);
        SuccessIncrement = Math.Log(p1 / p0);
        FailureIncrement = Math.Log((1 - p1) / (1 - p0));
        (LowerBound, UpperBound) =
            bounds == SprtBounds.Strict
                ? (Math.Log(beta), -Math.Log(alpha))
                : (Math.Log(beta / (1 - alpha)), Math.Log((1 - beta) / alpha));
    }

    /// <summary>The worse hypothesis.</summary>
    public double P0 { get; }

    /// <summary>The better hypothesis.</summary>
    public double P1 { get; }

    /// <summary>Largest probability of accepting <see cref="P1"/> when the truth is <see cref="P0"/>.</summary>
    public double Alpha { get; }

    /// <summary>Largest probability of accepting <see cref="P0"/> when the truth is <see cref="P1"/>.</summary>
    public double Beta { get; }

    /// <summary>How the stopping bounds follow from the errors.</summary>
    public SprtBounds Bounds { get; }

    /// <summary>The increment of the log-likelihood ratio ln(L(p1) / L(p0)) after a success: ln(p1 / p0).</summary>
    public double SuccessIncrement { get; }

    /// <summary>The increment after a failure: ln((1-p1) / (1-p0)), negative infinity when p1 is 1.</summary>
    public double FailureIncrement { get; }

    /// <summary>At this log-likelihood ratio or below it p0 is accepted.</summary>
    public double LowerBound { get; }

    /// <summary>At this log-likelihood ratio or above it p1 is accepted.</summary>
    public double UpperBound { get; }

    /// <summary>The log-likelihood ratio of counted outcomes.</summary>
    /// <param name="successes">At least 0.</param>
    /// <param name="failures">At least 0.</param>
    public double LogLikelihoodRatio(long successes, long failures) =>
        (successes == 0 ? 0 : successes * SuccessIncrement) + (failures == 0 ? 0 : failures * FailureIncrement);

    /// <summary>The decision at a log-likelihood ratio.</summary>
    /// <param name="logLikelihoodRatio">Any number.</param>
    public SprtDecision Decide(double logLikelihoodRatio) =>
        logLikelihoodRatio >= UpperBound ? SprtDecision.AcceptH1
        : logLikelihoodRatio <= LowerBound ? SprtDecision.AcceptH0
        : SprtDecision.Undecided;

    /// <summary>The decision after counted outcomes.</summary>
    /// <param name="successes">0 .. <paramref name="samples"/>.</param>
    /// <param name="samples">At least 0.</param>
    public SprtDecision Decide(long successes, long samples) =>
        Decide(LogLikelihoodRatio(successes, samples - successes));
}
