using System.Diagnostics;
using MqttCheck.Automata.Networks;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Automata.Engine;

/// <summary>Draws from distributions whose parameters are known only when the draw is made.</summary>
internal static class DistributionSampling
{
    /// <summary>How many parameters a distribution has.</summary>
    public static int Parameters(Distribution distribution) =>
        distribution switch
        {
            Distribution.Exponential or Distribution.Bernoulli => 1,
            Distribution.Triangular => 3,
            Distribution.Uniform
            or Distribution.DiscreteUniform
            or Distribution.Normal
            or Distribution.LogNormal
            or Distribution.Erlang
            or Distribution.Gamma
            or Distribution.Weibull
            or Distribution.Pareto => 2,
            _ => throw new UnreachableException(),
        };

    /// <summary>One number.</summary>
    /// <exception cref="InputException">A parameter is not allowed.</exception>
    public static double Draw(Distribution distribution, ReadOnlySpan<double> p, ref RandomStream random)
    {
        var allowed = distribution switch
        {
            Distribution.Uniform => p[0] <= p[1],
            Distribution.DiscreteUniform => p[0] <= p[1]
                && p[0] == Math.Floor(p[0])
                && p[1] == Math.Floor(p[1])
                && p[1] - p[0] < int.MaxValue,
            Distribution.Normal or Distribution.LogNormal => double.IsFinite(p[0]) && p[1] >= 0,
            Distribution.Bernoulli => p[0] is >= 0 and <= 1,
            Distribution.Triangular => p[0] <= p[2] && p[2] <= p[1],
            Distribution.Erlang => p[0] >= 1 && p[0] == Math.Floor(p[0]) && p[0] <= 1000 && p[1] > 0,
            Distribution.Exponential => p[0] > 0,
            Distribution.Gamma or Distribution.Weibull or Distribution.Pareto => p[0] > 0 && p[1] > 0,
            _ => throw new UnreachableException(),
        };
        if (!allowed || double.IsInfinity(p[0]) || double.IsInfinity(p[^1]))
        {
            var values = p.ToArray().Select(value => FormattableString.Invariant($"{value}"));
            throw new InputException(
                $"{distribution}({string.Join(", ", values)}) cannot be drawn from; "
                    + "allowed: parameters in the range of the distribution"
            );
        }
        return distribution switch
        {
            Distribution.Uniform => p[0] + (p[1] - p[0]) * random.NextDouble(),
            Distribution.DiscreteUniform => p[0] + random.NextInt((int)(p[1] - p[0]) + 1),
            Distribution.Exponential => -Math.Log(random.NextOpenDouble()) / p[0],
            Distribution.Normal => p[0] + p[1] * NormalLaw.Standard(ref random),
            Distribution.LogNormal => Math.Exp(p[0] + p[1] * NormalLaw.Standard(ref random)),
            Distribution.Erlang => Erlang((int)p[0], ref random) / p[1],
            Distribution.Gamma => Gamma(p[0], ref random) / p[1],
            Distribution.Weibull => p[1] * Math.Pow(-Math.Log(random.NextOpenDouble()), 1 / p[0]),
            Distribution.Pareto => p[0] * Math.Pow(random.NextOpenDouble(), -1 / p[1]),
            Distribution.Triangular => Triangular(p[0], p[1], p[2], random.NextDouble()),
            Distribution.Bernoulli => random.NextDouble() < p[0] ? 1 : 0,
            _ => throw new UnreachableException(),
        };
    }

    private static double Erlang(int k, ref RandomStream random)
    {
        var sum = 0.0;
        for (var i = 0; i < k; i++)
            sum -= Math.Log(random.NextOpenDouble());
        return sum;
    }

    // Marsaglia and Tsang (2000); a shape below 1 is raised by 1 and corrected by a power of a uniform number.
    private static double Gamma(double shape, ref RandomStream random)
    {
        if (shape < 1)
            return Gamma(shape + 1, ref random) * Math.Pow(random.NextOpenDouble(), 1 / shape);
        var d = shape - 1.0 / 3;
        var c = 1 / Math.Sqrt(9 * d);
        while (true)
        {
            var x = NormalLaw.Standard(ref random);
            var v = 1 + c * x;
            if (v <= 0)
                continue;
            v = v * v * v;
            if (Math.Log(random.NextOpenDouble()) < x * x / 2 + d - d * v + d * Math.Log(v))
                return d * v;
        }
    }

    private static double Triangular(double low, double high, double mode, double u)
    {
        if (low == high)
            return low;
        var split = (mode - low) / (high - low);
        return u < split
            ? low + Math.Sqrt(u * (high - low) * (mode - low))
            : high - Math.Sqrt((1 - u) * (high - low) * (high - mode));
    }
}
