using MqttCheck.Statistics;

namespace MqttCheck.Sequential;

/// <summary>
/// Sampling until the anytime-valid interval of the binomial mixture reaches no farther than epsilon from the share of
/// successes. The promise is a theorem (Ville), at the price of more samples.
/// </summary>
/// <param name="epsilon">Half width, in (0, .5).</param>
/// <param name="delta">Error probability, in (0, .5).</param>
public sealed class AnytimeMixtureRule(double epsilon, double delta) : GuaranteedRule("anytime mixture", epsilon, delta)
{
    /// <inheritdoc/>
    public override bool IsEnough(long successes, long samples)
    {
        var share = (double)successes / samples;
        return IsOutside(share + Epsilon) && IsOutside(share - Epsilon);

        bool IsOutside(double probability) =>
            probability is <= 0 or >= 1
            || BinomialIntervals.MixtureLogEvidence(successes, samples, probability) > -Math.Log(Delta);
    }
}
