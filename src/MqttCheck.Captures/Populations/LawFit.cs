using System.Diagnostics;
using MqttCheck.Captures.Exchanges;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Captures.Populations;

/// <summary>A law of a profile that is near a sample.</summary>
/// <param name="Law">The law.</param>
/// <param name="Distance">The largest difference of the distribution functions (Kolmogorov and Smirnov).</param>
internal sealed record LawFit(Law Law, double Distance)
{
    /// <summary>The distance beyond which a law tells little of a sample.</summary>
    public const double Rough = .15;

    /// <summary>The relative deviation up to which it hardly matters which law a sample has.</summary>
    public const double Steady = .05;

    // A law is taken in the place of a simpler one only if it is nearer by that much.
    private const double MuchNearer = .01;

    // The mean is what the load depends on.
    private const double LargestMeanError = .03;
    private const double ConstantVariation = .01;
    private const double LargestSigma = 5;

    /// <summary>The nearest of the laws that a profile can name.</summary>
    /// <param name="sample">The sample, with at least one number.</param>
    public static LawFit Of(Sample sample)
    {
        var (mean, deviation) = (sample.Mean, sample.Deviation);
        if (deviation <= ConstantVariation * mean)
            return new(new ConstantLaw(Rounded(mean)), 0);
        var sorted = sample.Kept.Select(value => (double)value).Order().ToArray();
        var best = new LawFit(new NormalLaw(Rounded(mean), Rounded(deviation)), double.PositiveInfinity);
        foreach (var law in Candidates(sample, sorted))
        {
            var distance = DistanceOf(law, sorted);
            if (Math.Abs(law.Mean / mean - 1) <= LargestMeanError && distance < best.Distance - MuchNearer)
                best = new(law, distance);
        }
        // None is near in its mean: the exponential one has it exactly.
        return double.IsFinite(best.Distance)
            ? best
            : new(new ExponentialLaw(Rounded(mean)), DistanceOf(new ExponentialLaw(mean), sorted));
    }

    /// <summary>The largest difference between a law and the distribution of a sample.</summary>
    /// <param name="law">The law.</param>
    /// <param name="sorted">The sample, ascending.</param>
    public static double DistanceOf(Law law, IReadOnlyList<double> sorted)
    {
        var largest = 0.0;
        for (var i = 0; i < sorted.Count; i++)
        {
            var probability = law.CumulativeProbability(sorted[i]);
            largest = Math.Max(largest, probability - (double)i / sorted.Count);
            largest = Math.Max(largest, (i + 1.0) / sorted.Count - probability);
        }
        return largest;
    }

    /// <summary>A number with four digits, as a person writes it.</summary>
    public static double Rounded(double value)
    {
        const int Digits = 4;
        if (value == 0 || !double.IsFinite(value))
            return 0;
        var places = Digits - 1 - (int)Math.Floor(Math.Log10(Math.Abs(value)));
        return places is >= 0 and <= 15 ? Math.Round(value, places) : Math.Round(value);
    }

    /// <summary>A law of <see cref="Of"/> with numbers of four digits.</summary>
    public static Law Rounded(Law law) =>
        law switch
        {
            ConstantLaw(var value) => new ConstantLaw(Rounded(value)),
            ExponentialLaw exponential => new ExponentialLaw(Rounded(exponential.Mean)),
            UniformLaw(var least, var most) => new UniformLaw(Rounded(least), Rounded(most)),
            NormalLaw(var mean, var sigma) => new NormalLaw(Rounded(mean), Rounded(sigma)),
            LogNormalLaw(var median, var sigma) => new LogNormalLaw(Rounded(median), Rounded(sigma)),
            _ => throw new UnreachableException(),
        };

    private static IEnumerable<Law> Candidates(Sample sample, double[] sorted)
    {
        yield return new ExponentialLaw(Rounded(sample.Mean));
        yield return new UniformLaw(Rounded(sample.Smallest), Rounded(sample.Largest));
        yield return new NormalLaw(Rounded(sample.Mean), Rounded(sample.Deviation));
        var logarithms = sorted.Where(value => value > 0).Select(value => Math.Log(value)).ToArray();
        if (logarithms.Length == 0)
            yield break;
        var center = logarithms.Average();
        var spread = Math.Sqrt(logarithms.Average(value => (value - center) * (value - center)));
        yield return new LogNormalLaw(Rounded(Math.Exp(center)), Math.Min(LargestSigma, Rounded(spread)));
    }
}
