using MathNet.Numerics;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Latency.Models;

/// <summary>A normal law whose negative values are folded to positive ones.</summary>
internal static class FoldedNormal
{
    /// <summary>The probability of a value up to the given one.</summary>
    /// <param name="mean">The mean before folding.</param>
    /// <param name="sigma">The deviation before folding; at 0 half of the probability at the mean counts.</param>
    /// <param name="value">The value.</param>
    public static double CumulativeProbability(double mean, double sigma, double value)
    {
        if (sigma == 0)
            return value > Math.Abs(mean) ? 1
                : value < Math.Abs(mean) ? 0
                : 0.5;
        return value <= 0 ? 0 : Phi((value - mean) / sigma) - Phi((-value - mean) / sigma);
    }

    /// <summary>Draws a value.</summary>
    /// <param name="mean">The mean before folding.</param>
    /// <param name="sigma">The deviation before folding.</param>
    /// <param name="random">The source.</param>
    public static double Draw(double mean, double sigma, ref RandomStream random) =>
        Math.Abs(mean + sigma * NormalLaw.Standard(ref random));

    private static double Phi(double z) => SpecialFunctions.Erfc(-z / Constants.Sqrt2) / 2;
}
