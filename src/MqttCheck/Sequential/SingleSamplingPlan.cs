using MathNet.Numerics.Distributions;
using MqttCheck.Sequential.Characteristics;

namespace MqttCheck.Sequential;

/// <summary>
/// A test of two hypotheses with a number of samples fixed in advance: accept p1 when there are more successes than the
/// acceptance number.
/// </summary>
/// <param name="Samples">The number of outcomes.</param>
/// <param name="AcceptanceNumber">p1 is accepted when the successes exceed this.</param>
public sealed record SingleSamplingPlan(int Samples, int AcceptanceNumber)
{
    /// <summary>The smallest plan that keeps both error probabilities.</summary>
    /// <param name="p0">The worse hypothesis, in 0 .. 1 and less than p1.</param>
    /// <param name="p1">The better hypothesis.</param>
    /// <param name="alpha">Largest probability of accepting p1 when the truth is p0; in (0, .5).</param>
    /// <param name="beta">Largest probability of accepting p0 when the truth is p1; in (0, .5).</param>
    public static SingleSamplingPlan For(double p0, double p1, double alpha, double beta)
    {
        // The same ranges as for the sequential test.
        _ = new SprtPlan(p0, p1, alpha, beta);
        var acceptance = 0;
        for (var samples = 1; ; samples++)
        {
            // The acceptance number that keeps alpha never falls when the sample grows.
            while (1 - Binomial.CDF(p0, samples, acceptance) > alpha)
                acceptance++;
            if (Binomial.CDF(p1, samples, acceptance) <= beta)
                return new(samples, acceptance);
        }
    }

    /// <summary>The decision.</summary>
    /// <param name="successes">The successes among <see cref="Samples"/> outcomes.</param>
    public SprtDecision Decide(int successes) =>
        successes > AcceptanceNumber ? SprtDecision.AcceptH1 : SprtDecision.AcceptH0;

    /// <summary>The exact behaviour at a true probability of success.</summary>
    /// <param name="probability">0 .. 1.</param>
    public TestCharacteristics Characteristics(double probability)
    {
        var acceptH0 = Binomial.CDF(probability, Samples, AcceptanceNumber);
        return new(acceptH0, 1 - acceptH0, Samples, 0);
    }
}
