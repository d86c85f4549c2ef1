using MathNet.Numerics;
using MathNet.Numerics.Distributions;

namespace MqttCheck.Latency.Quality;

/// <summary>
/// What the errors of replayed cases say about the error of the next prediction: its law, not one deviation. Errors
/// follow Student's law with three degrees of freedom around 0, a mixture of normal laws, so that the normal error of
/// sampling adds to each of them exactly. Beforehand every order of magnitude of the scale from .005 to 1 is as likely
/// (the prior of Jeffreys for a scale). What the cases leave open about the scale stays in the law: few cases make it
/// wide.
/// </summary>
/// <remarks>
/// Five degrees of freedom fit normal errors better, but hold less where tails are heavy and errors small. The median
/// of the scale in place of its law holds some .8 instead of .9. The normal laws of the likelihood end at 2.8 scales,
/// so an error far beyond widens the law more than Student's would: towards caution. <c>docs/evidence/intervals.md</c>
/// has the designs that were compared.
/// </remarks>
public sealed class ReplayErrorLaw
{
    private const double DegreesOfFreedom = 3;

    // Closer than which no two runs of a live system are.
    private const double LeastScale = 0.005;
    private const int ScaleSteps = 45;

    // Enough for likelihoods, which are smooth, and for quantiles, whose tail they must follow: at .95 the half width
    // is .4 % short of Student's.
    private const int LikelihoodNodes = 9,
        QuantileNodes = 45;

    // A variance that no comparison falls below, so that logarithms are finite: of a probability of 0 or 1 that was
    // observed without noise.
    private const double LeastVariance = 1e-12;

    // Scales less likely than this move no quantile.
    private const double LeastWeight = 1e-6;

    // No two probabilities differ by more than 1; errors of a made-up law may.
    private const double LargestHalfWidth = 10;
    private const int Bisections = 40;

    private static readonly double[] s_scales =
    [
        .. Enumerable.Range(0, ScaleSteps + 1).Select(step => Math.Pow(LeastScale, 1 - step / (double)ScaleSteps)),
    ];
    private static readonly double[] s_likelihoodNodes = Nodes(LikelihoodNodes),
        s_quantileNodes = Nodes(QuantileNodes);

    private readonly double[] _weights;

    private ReplayErrorLaw(double[] weights) => _weights = weights;

    /// <summary>Half of the width of the interval around 0 that holds the next error.</summary>
    /// <param name="level">The probability that it does, in (0, 1).</param>
    /// <param name="shape">
    /// The variance there, as a share of that near a probability of .5: see <see cref="ReplayQuality.Shape"/>.
    /// </param>
    /// <param name="otherVariance">The variance of normal errors that come to it, such as that of sampling.</param>
    public double HalfWidth(double level, double shape, double otherVariance)
    {
        var parts = Parts(shape, otherVariance);
        var (low, high) = (0.0, LargestHalfWidth);
        for (var i = 0; i < Bisections; i++)
        {
            var half = (low + high) / 2;
            if (Within(parts, half) >= level)
                high = half;
            else
                low = half;
        }
        return high;
    }

    /// <summary>The probability that the next error lies within a distance from 0.</summary>
    /// <param name="half">The distance.</param>
    /// <param name="shape">As in <see cref="HalfWidth"/>.</param>
    /// <param name="otherVariance">As in <see cref="HalfWidth"/>.</param>
    public double Within(double half, double shape, double otherVariance) => Within(Parts(shape, otherVariance), half);

    /// <summary>The law, given errors.</summary>
    /// <param name="errors">
    /// The errors, each with the variance of its sampling, the shape at its probability and how often it counts.
    /// </param>
    internal static ReplayErrorLaw Of(IEnumerable<(double Error, double Noise, double Shape, double Weight)> errors)
    {
        var logs = new double[s_scales.Length];
        foreach (var (error, noise, shape, weight) in errors)
        {
            for (var i = 0; i < logs.Length; i++)
            {
                var density = 0.0;
                foreach (var node in s_likelihoodNodes)
                {
                    var variance = Math.Max(LeastVariance, s_scales[i] * s_scales[i] * shape * node + noise * noise);
                    density += Math.Exp(-error * error / (2 * variance)) / Math.Sqrt(variance);
                }
                // An error far outside of all these laws must not make the logarithm infinite.
                logs[i] += weight * Math.Log(Math.Max(density, double.Epsilon));
            }
        }
        var most = logs.Max();
        var weights = Array.ConvertAll(logs, log => Math.Exp(log - most));
        // The trapezoidal rule.
        weights[0] /= 2;
        weights[^1] /= 2;
        var sum = weights.Sum();
        return new(Array.ConvertAll(weights, weight => weight / sum));
    }

    private List<(double Weight, double Root)> Parts(double shape, double otherVariance)
    {
        var parts = new List<(double Weight, double Root)>();
        for (var i = 0; i < _weights.Length; i++)
        {
            if (_weights[i] < LeastWeight)
                continue;
            foreach (var node in s_quantileNodes)
                parts.Add(
                    (
                        _weights[i] / QuantileNodes,
                        Math.Sqrt(2 * Math.Max(LeastVariance, s_scales[i] * s_scales[i] * node * shape + otherVariance))
                    )
                );
        }
        return parts;
    }

    private static double Within(List<(double Weight, double Root)> parts, double half)
    {
        double within = 0,
            total = 0;
        foreach (var (weight, root) in parts)
            (within, total) = (within + weight * SpecialFunctions.Erf(half / root), total + weight);
        return within / total;
    }

    // Student's law is a normal one whose variance is the degrees of freedom over a chi-squared variable: at equally
    // likely values of that.
    private static double[] Nodes(int count) =>
        [
            .. Enumerable
                .Range(0, count)
                .Select(i => DegreesOfFreedom / ChiSquared.InvCDF(DegreesOfFreedom, (i + .5) / count)),
        ];
}
