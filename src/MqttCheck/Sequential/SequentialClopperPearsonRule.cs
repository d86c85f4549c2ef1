using MathNet.Numerics.Distributions;
using MqttCheck.Sequential.Characteristics;

namespace MqttCheck.Sequential;

/// <summary>
/// Sampling until the interval of Clopper and Pearson reaches no farther than epsilon from the share of successes,
/// after at least 15 samples. Near 0 and 1 it takes a small part of the samples of a fixed number.
/// </summary>
/// <remarks>
/// That the promise survives looking after every sample is no theorem; <see cref="EstimationAudit"/> computes it.
/// </remarks>
/// <param name="epsilon">Half width, in (0, .5).</param>
/// <param name="delta">Error probability, in (0, .5).</param>
public sealed class SequentialClopperPearsonRule(double epsilon, double delta)
    : GuaranteedRule("sequential Clopper-Pearson", epsilon, delta)
{
    private const int SmallestSample = 15;

    /// <inheritdoc/>
    public override bool IsEnough(long successes, long samples)
    {
        if (samples < SmallestSample)
            return false;
        // The upper end lies below p exactly if P(at most k successes | p) <= delta / 2, which needs no inverse; the
        // lower end likewise.
        return EndIsNear(successes, samples) && EndIsNear(samples - successes, samples);
    }

    private bool EndIsNear(long successes, long samples)
    {
        var probability = (double)successes / samples + Epsilon;
        return probability >= 1 || Binomial.CDF(probability, (int)samples, successes) <= Delta / 2;
    }
}
