using MqttCheck.Statistics.Laws;

namespace MqttCheck.App.Clusters.Selfcheck;

/// <summary>The values that a perfect tool would measure of a broker with a known delay law.</summary>
internal static class SelfcheckTruth
{
    /// <summary>
    /// The quantile of the sum of two independent times: one that takes some constant values, and one of which there is
    /// a sample (the latency without any delay).
    /// </summary>
    /// <param name="delays">The values with their probabilities, which add up to 1.</param>
    public static double Quantile(
        IReadOnlyList<(double Probability, double Milliseconds)> delays,
        IReadOnlyList<double> sample,
        double share
    )
    {
        var sums = delays
            .SelectMany(delay =>
                sample.Select(value => (Sum: value + delay.Milliseconds, Weight: delay.Probability / sample.Count))
            )
            .OrderBy(sum => sum.Sum);
        var below = 0.0;
        var last = double.NaN;
        foreach (var (sum, weight) in sums)
        {
            last = sum;
            below += weight;
            if (below >= share - 1e-12)
                break;
        }
        return last;
    }

    /// <summary>The constant values of a law: a constant, or a mixture of constants.</summary>
    /// <exception cref="ArgumentException">It is another law.</exception>
    public static IReadOnlyList<(double Probability, double Milliseconds)> Values(Law law) =>
        law switch
        {
            ConstantLaw constant => [(1, constant.Value)],
            MixtureLaw mixture =>
            [
                .. mixture.Components.SelectMany(component =>
                    Values(component.Law)
                        .Select(value =>
                            (
                                value.Probability * component.Weight / mixture.Components.Sum(all => all.Weight),
                                value.Milliseconds
                            )
                        )
                ),
            ],
            _ => throw new ArgumentException($"The law {law} is not made of constants.", nameof(law)),
        };

    /// <summary>
    /// How many of the messages that are due at constant intervals during a stall of a broker wait longer than a time:
    /// r (S - x).
    /// </summary>
    /// <param name="stallSeconds">S, how long nothing leaves the broker.</param>
    public static double Above(double rate, double stallSeconds, double seconds) =>
        rate * Math.Max(0, stallSeconds - seconds);
}
