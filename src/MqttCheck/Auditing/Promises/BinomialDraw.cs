using MathNet.Numerics;
using MqttCheck.Statistics;

namespace MqttCheck.Auditing.Promises;

/// <summary>Draws numbers of successes, exactly, in a time that grows with their standard deviation only.</summary>
internal static class BinomialDraw
{
    /// <summary>One binomial number: the distribution function is inverted from its mode outwards.</summary>
    /// <param name="trials">At least 0.</param>
    /// <param name="probability">In 0 .. 1.</param>
    /// <param name="random">The source of randomness.</param>
    public static int Next(int trials, double probability, ref RandomStream random)
    {
        if (probability <= 0 || trials == 0)
            return 0;
        if (probability >= 1)
            return trials;
        var mode = Math.Min(trials, (int)((trials + 1) * probability));
        var odds = probability / (1 - probability);
        var logarithm =
            SpecialFunctions.GammaLn(trials + 1.0)
            - SpecialFunctions.GammaLn(mode + 1.0)
            - SpecialFunctions.GammaLn(trials - mode + 1.0);
        var left = random.NextDouble();
        double above = Math.Exp(logarithm + mode * Math.Log(probability) + (trials - mode) * Math.Log(1 - probability)),
            below = above;
        left -= above;
        for (int high = mode, low = mode; left >= 0; )
        {
            var (wasHigh, wasLow) = (high, low);
            if (high < trials)
            {
                above *= odds * (trials - high) / (high + 1);
                left -= above;
                if (left < 0)
                    return high + 1;
                high++;
            }
            if (low > 0)
            {
                below *= low / (odds * (trials - low + 1));
                left -= below;
                if (left < 0)
                    return low - 1;
                low--;
            }
            // Once every outcome is counted, only a rounding error is left, and the mode is as good as any number.
            if (high == wasHigh && low == wasLow)
                break;
        }
        return mode;
    }

    /// <summary>One number of a standard normal law (Marsaglia's polar method, without its second number).</summary>
    public static double Normal(ref RandomStream random)
    {
        while (true)
        {
            double x = 2 * random.NextDouble() - 1,
                y = 2 * random.NextDouble() - 1,
                square = x * x + y * y;
            if (square is > 0 and < 1)
                return x * Math.Sqrt(-2 * Math.Log(square) / square);
        }
    }

    /// <summary>One number of a beta law, from two gamma laws.</summary>
    public static double Beta(double a, double b, ref RandomStream random)
    {
        // Logarithms are used because a small shape gives numbers below the smallest double.
        double x = LogGamma(a, ref random),
            y = LogGamma(b, ref random);
        return 1 / (1 + Math.Exp(y - x));
    }

    // The logarithm of a number of a gamma law (Marsaglia and Tsang 2000; shapes below 1 by their boost).
    private static double LogGamma(double shape, ref RandomStream random)
    {
        if (shape < 1)
            return LogGamma(shape + 1, ref random) + Math.Log(random.NextOpenDouble()) / shape;
        double d = shape - 1 / 3.0,
            c = 1 / Math.Sqrt(9 * d);
        while (true)
        {
            var x = Normal(ref random);
            var v = 1 + c * x;
            if (v <= 0)
                continue;
            v = v * v * v;
            if (Math.Log(random.NextOpenDouble()) < .5 * x * x + d - d * v + d * Math.Log(v))
                return Math.Log(d * v);
        }
    }
}
