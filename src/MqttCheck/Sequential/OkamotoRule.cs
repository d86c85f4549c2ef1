using MqttCheck.Statistics;

namespace MqttCheck.Sequential;

/// <summary>A number of samples fixed in advance by the bound of Okamoto, the same for every probability.</summary>
public sealed class OkamotoRule : GuaranteedRule
{
    /// <summary>A rule.</summary>
    /// <param name="epsilon">Half width, in (0, .5).</param>
    /// <param name="delta">Error probability, in (0, .5).</param>
    public OkamotoRule(double epsilon, double delta)
        : base("Okamoto", epsilon, delta) => Samples = ConcentrationBounds.OkamotoSampleSize(epsilon, delta);

    /// <summary>The number of samples.</summary>
    public long Samples { get; }

    /// <inheritdoc/>
    public override bool IsEnough(long successes, long samples) => samples >= Samples;
}
