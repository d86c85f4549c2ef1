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
public sealed class SequentialClopperPearsonRule : IEstimationRule
{
    private const int SmallestSample = 15;

    /// <summary>A rule.</summary>
    /// <param name="epsilon">Half width, in (0, .5).</param>
    /// <param name="delta">Error probability, in (0, .5).</param>
    public SequentialClopperPearsonRule(double epsilon, double delta)
    {
        EstimationPromise.Check(epsilon, delta);
        (Epsilon, Delta) = (epsilon, delta);
    }

    /// <inheritdoc/>
    public string Name => "sequential Clopper-Pearson";

    /// <inheritdoc/>
    public double Epsilon { get; }

    /// <inheritdoc/>
    public double Delta { get; }

    /// <inheritdoc/>
    public bool IsGuarantee => true;

    /// <inheritdoc/>
    public bool IsEnough(long successes, long samples)
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
