using MqttCheck.Statistics;

namespace MqttCheck.Predictions;

/// <summary>
/// The difference of two forecasts by one model, simulated with common random numbers: replication i of both has the
/// same seed, so the pair of replications is the sampling unit.
/// </summary>
/// <param name="First">The probability by the first forecast.</param>
/// <param name="Second">The probability by the second one.</param>
/// <param name="InModel">
/// The interval of the second minus the first in the model: of the simulation alone (Student's t of the pairs).
/// </param>
/// <param name="OnBroker">
/// The same on the broker: it holds the model's error of a difference too; null where no training case was replayed.
/// </param>
internal sealed record PairedDifference(double First, double Second, Interval InModel, Interval? OnBroker)
{
    /// <summary>The second minus the first probability.</summary>
    public double Difference => Second - First;

    /// <summary>The difference in words: for the broker where the interval shows it, else for the model.</summary>
    public string Verdict =>
        Side(OnBroker ?? InModel) is { } sure ? sure
        : Side(InModel) is { } inModel ? $"{inModel} in the model, open on the broker"
        : "no difference is shown";

    /// <summary>Compares two forecasts of one model that were made with one seed.</summary>
    /// <param name="first">One forecast.</param>
    /// <param name="second">The other, with as many replications.</param>
    /// <param name="thresholdMilliseconds">The threshold, exclusive.</param>
    /// <param name="together">
    /// How many differences are judged together: the level of the forecasts is that of all (Bonferroni).
    /// </param>
    public static PairedDifference Of(Forecast first, Forecast second, double thresholdMilliseconds, int together = 1)
    {
        var (one, other) = (
            first.Prediction.Shares(thresholdMilliseconds),
            second.Prediction.Shares(thresholdMilliseconds)
        );
        var error = (1 - Math.Min(first.Level, second.Level)) / together;
        var (mean, variance) = SampleMoments.Of([.. one.Zip(other, (before, after) => after - before)]);
        // All pairs may agree by chance, so the variance of their mean has a lower bound of the order of one pair.
        variance = Math.Max(variance, .25 / one.Length);
        var inModel = StudentInterval.Around(mean, variance, one.Length, error);
        var (before, after) = (
            first.Prediction.Probability(thresholdMilliseconds),
            second.Prediction.Probability(thresholdMilliseconds)
        );
        return new(
            before,
            after,
            Within(inModel),
            first.DifferenceHalfWidth(second, thresholdMilliseconds, variance / one.Length, 1 - error) is { } half
                ? Within(new(mean - half, mean + half))
                : null
        );
    }

    private static Interval Within(Interval interval) => new(Math.Max(-1, interval.Lower), Math.Min(1, interval.Upper));

    private static string? Side(Interval interval) =>
        interval switch
        {
            { Lower: > 0 } => "second is better",
            { Upper: < 0 } => "second is worse",
            _ => null,
        };
}
