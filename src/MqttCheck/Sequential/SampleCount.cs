using MqttCheck.Clients;

namespace MqttCheck.Sequential;

/// <summary>How many outcomes were seen, and how many of them were successes.</summary>
/// <param name="Successes">0 .. <paramref name="Samples"/>.</param>
/// <param name="Samples">At least 0.</param>
public readonly record struct SampleCount(long Successes, long Samples)
{
    /// <summary>The share of successes; NaN without a sample.</summary>
    public double Share => (double)Successes / Samples;

    /// <summary>The sequences of some runs together.</summary>
    internal static SampleCount Sum(ReadOnlySpan<RunCount> runs)
    {
        var sum = default(SampleCount);
        foreach (var (successes, samples) in runs)
            sum = new(sum.Successes + successes, sum.Samples + samples);
        return sum;
    }

    internal SampleCount Plus(bool success) => new(Successes + (success ? 1 : 0), Samples + 1);
}
