namespace MqttCheck.Sequential;

/// <summary>How many outcomes were seen, and how many of them were successes.</summary>
/// <param name="Successes">0 .. <paramref name="Samples"/>.</param>
/// <param name="Samples">At least 0.</param>
public readonly record struct SampleCount(long Successes, long Samples)
{
    /// <summary>The share of successes; NaN without a sample.</summary>
    public double Share => (double)Successes / Samples;

    internal SampleCount Plus(bool success) => new(Successes + (success ? 1 : 0), Samples + 1);
}
