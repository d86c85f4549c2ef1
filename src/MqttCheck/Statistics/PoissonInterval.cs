using MathNet.Numerics.Distributions;

namespace MqttCheck.Statistics;

/// <summary>The exact interval for the mean of a Poisson law from one count.</summary>
internal static class PoissonInterval
{
    /// <summary>
    /// The means that a count does not reject on either side (Garwood 1936). For a count of 0 the whole error is on the
    /// upper side, since there is no lower one.
    /// </summary>
    /// <param name="count">How often something happened, at least 0.</param>
    /// <param name="confidence">How likely the interval contains the mean, above 0 and below 1.</param>
    public static Interval Of(long count, double confidence)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        Arguments.Require(confidence is > 0 and < 1, confidence, "allowed is above 0 and below 1");
        var error = 1 - confidence;
        return count == 0
            ? new Interval(0, -Math.Log(error))
            : new Interval(
                ChiSquared.InvCDF(2.0 * count, error / 2) / 2,
                ChiSquared.InvCDF(2.0 * (count + 1), 1 - (error / 2)) / 2
            );
    }
}
