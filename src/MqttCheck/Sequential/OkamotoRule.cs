using MqttCheck.Statistics;

namespace MqttCheck.Sequential;

/// <summary>A number of samples fixed in advance by the bound of Okamoto, the same for every probability.</summary>
public sealed class OkamotoRule : IEstimationRule
{
    /// <summary>A rule.</summary>
    /// <param name="epsilon">Half width, in (0, .5).</param>
    /// <param name="delta">Error probability, in (0, .5).</param>
    public OkamotoRule(double epsilon, double delta)
    {
        EstimationPromise.Check(epsilon, delta);
        (Epsilon, Delta, Samples) = (epsilon, delta, ConcentrationBounds.OkamotoSampleSize(epsilon, delta));
    }

    /// <summary>The number of samples.</summary>
    public long Samples { get; }

    /// <inheritdoc/>
    public string Name => "Okamoto";

    /// <inheritdoc/>
    public double Epsilon { get; }

    /// <inheritdoc/>
    public double Delta { get; }

    /// <inheritdoc/>
    public bool IsGuarantee => true;

    /// <inheritdoc/>
    public bool IsEnough(long successes, long samples) => samples >= Samples;
}
