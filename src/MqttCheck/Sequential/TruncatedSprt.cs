namespace MqttCheck.Sequential;

/// <summary>
/// A sequential probability ratio test that ends: it has half of both errors, and the single sampling plan with the
/// other half decides when it comes to that plan's number of samples. Both errors hold exactly, and the number of
/// samples is bounded.
/// </summary>
/// <param name="p0">The worse hypothesis, 0 .. 1 and less than <paramref name="p1"/>.</param>
/// <param name="p1">The better hypothesis.</param>
/// <param name="alpha">Largest probability of accepting p1 when the truth is p0; in (0, .5).</param>
/// <param name="beta">Largest probability of accepting p0 when the truth is p1; in (0, .5).</param>
public sealed class TruncatedSprt(double p0, double p1, double alpha, double beta)
{
    /// <summary>The test before the last sample.</summary>
    public SprtPlan Sequential { get; } = new(p0, p1, alpha / 2, beta / 2);

    /// <summary>The plan that decides at the last sample.</summary>
    public SingleSamplingPlan Last { get; } = SingleSamplingPlan.For(p0, p1, alpha / 2, beta / 2);

    /// <summary>The decision after some outcomes.</summary>
    /// <param name="successes">0 .. <paramref name="samples"/>.</param>
    /// <param name="samples">0 .. the size of <see cref="Last"/>.</param>
    public SprtDecision Decide(long successes, long samples)
    {
        var decision = Sequential.Decide(successes, samples);
        return decision == SprtDecision.Undecided && samples >= Last.Samples ? Last.Decide((int)successes) : decision;
    }
}
