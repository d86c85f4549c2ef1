using MathNet.Numerics;
using MathNet.Numerics.Distributions;

namespace MqttCheck.Latency.Quality;

/// <summary>
/// The law of the error of the next prediction, from the errors of replayed cases. Errors follow Student's law with
/// three degrees of freedom around 0. That law is a mixture of normal laws, so the normal error of sampling adds to
/// each of them exactly. The prior of the scale is that of Jeffreys, from .005 to 1. The law keeps the uncertainty of
/// the scale, so few cases make it wide. An interval is also wide enough to have held the cases themselves
/// (<see cref="LawLevel"/>).
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

    // No two runs of a live system differ by less than this.
    private const double LeastScale = 0.005;
    private const int ScaleSteps = 45;

    // These numbers of nodes suffice for the smooth likelihoods and for quantiles. At .95 the half width is .4 % below
    // Student's.
    private const int LikelihoodNodes = 9,
        QuantileNodes = 45;

    // No comparison has a smaller variance, so that logarithms are finite. An observed probability of 0 or 1 without
    // noise would have none.
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
    private readonly double[] _contents;

    private ReplayErrorLaw(double[] weights, double[] contents) => (_weights, _contents) = (weights, contents);

    /// <summary>
    /// The probability that the law itself must give to an interval. The law may be wrong, the rank of a further error
    /// is not: it is among the k smallest of n + 1 with probability k / (n + 1). So it is the level that would have
    /// held k of n cases, with k / (n + 1) at least the level that is asked for; and no less than that level.
    /// </summary>
    /// <param name="level">The share of further errors that the interval shall hold, in (0, 1).</param>
    /// <returns>The level that would have held all cases, if the asked level is above n / (n + 1).</returns>
    public double LawLevel(double level)
    {
        if (_contents.Length == 0)
            return level;
        // Rounding must not ask for one rank more.
        var rank = (int)Math.Ceiling(level * (_contents.Length + 1) - 1e-9);
        return Math.Max(level, _contents[Math.Min(rank, _contents.Length) - 1]);
    }

    /// <summary>Half of the width of the interval around 0 that holds the next error.</summary>
    /// <param name="level">The probability that it does, in (0, 1).</param>
    /// <param name="shape">
    /// The variance there, as a share of that near a probability of .5: see <see cref="ReplayQuality.Shape"/>.
    /// </param>
    /// <param name="otherVariance">The variance of normal errors that come to it, such as that of sampling.</param>
    public double HalfWidth(double level, double shape, double otherVariance)
    {
        level = LawLevel(level);
        return Bisection
            .Narrow(LargestHalfWidth, 0, half => Within(half, shape, otherVariance) >= level, _ => 0, Bisections)
            .Holds;
    }

    /// <summary>The probability by the law that the next error lies within a distance from 0.</summary>
    /// <param name="half">The distance.</param>
    /// <param name="shape">As in <see cref="HalfWidth"/>.</param>
    /// <param name="otherVariance">As in <see cref="HalfWidth"/>.</param>
    public double Within(double half, double shape, double otherVariance)
    {
        double within = 0,
            total = 0;
        for (var i = 0; i < _weights.Length; i++)
        {
            if (_weights[i] < LeastWeight)
                continue;
            var weight = _weights[i] / QuantileNodes;
            foreach (var node in s_quantileNodes)
            {
                var variance = Math.Max(LeastVariance, s_scales[i] * s_scales[i] * node * shape + otherVariance);
                (within, total) = (
                    within + weight * SpecialFunctions.Erf(half / Math.Sqrt(2 * variance)),
                    total + weight
                );
            }
        }
        return within / total;
    }

    /// <summary>The logarithm of the likelihood of each scale, given one error.</summary>
    /// <param name="error">The error.</param>
    /// <param name="noise">The standard deviation of its sampling.</param>
    /// <param name="shape">The shape at its probability.</param>
    internal static double[] Likelihood(double error, double noise, double shape) =>
        Array.ConvertAll(
            s_scales,
            scale =>
            {
                var density = 0.0;
                foreach (var node in s_likelihoodNodes)
                {
                    var variance = Math.Max(LeastVariance, scale * scale * shape * node + noise * noise);
                    density += Math.Exp(-error * error / (2 * variance)) / Math.Sqrt(variance);
                }
                // An error far outside of all these laws must not make the logarithm infinite.
                return Math.Log(Math.Max(density, double.Epsilon));
            }
        );

    /// <summary>The law, given errors.</summary>
    /// <param name="likelihoods">The likelihood of each error, see <see cref="Likelihood"/>.</param>
    /// <param name="weights">How often each error counts.</param>
    /// <param name="contents">
    /// The probability that a law like this gives to errors up to that of each case, which are sorted here; none where
    /// only the law is asked.
    /// </param>
    internal static ReplayErrorLaw Of(
        IReadOnlyList<double[]> likelihoods,
        IReadOnlyList<double> weights,
        double[]? contents = null
    )
    {
        contents ??= [];
        Array.Sort(contents);
        var logs = new double[s_scales.Length];
        for (var error = 0; error < likelihoods.Count; error++)
        {
            for (var i = 0; i < logs.Length; i++)
                logs[i] += weights[error] * likelihoods[error][i];
        }
        var most = logs.Max();
        var scales = Array.ConvertAll(logs, log => Math.Exp(log - most));
        // The trapezoidal rule.
        scales[0] /= 2;
        scales[^1] /= 2;
        var sum = scales.Sum();
        return new(Array.ConvertAll(scales, weight => weight / sum), contents);
    }

    // Student's law is a normal law whose variance is the degrees of freedom over a chi-squared variable. Equally
    // likely values of that variable are used.
    private static double[] Nodes(int count) =>
        [
            .. Enumerable
                .Range(0, count)
                .Select(i => DegreesOfFreedom / ChiSquared.InvCDF(DegreesOfFreedom, (i + .5) / count)),
        ];
}
