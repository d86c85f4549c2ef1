using MqttCheck.Reports.Builders;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Marks;

/// <summary>The probability of a setup to be in time, at any threshold.</summary>
/// <param name="Sorted">The latencies of the simulated sequences, ascending; infinity for a failed one.</param>
/// <param name="HalfWidth">Half width of the band around their distribution function.</param>
/// <param name="Thresholds">The thresholds of predicted points.</param>
/// <param name="Probabilities">What the prediction says at them.</param>
/// <param name="Lowers">The lower ends of its intervals.</param>
/// <param name="Uppers">The upper ends of its intervals.</param>
internal sealed record Estimates(
    IReadOnlyList<double> Sorted,
    double HalfWidth,
    IReadOnlyList<double> Thresholds,
    IReadOnlyList<double> Probabilities,
    IReadOnlyList<double> Lowers,
    IReadOnlyList<double> Uppers
)
{
    /// <summary>Those of a prediction.</summary>
    public static Estimates Of(PredictionReport prediction) =>
        new(
            prediction.SortedWorstMilliseconds,
            prediction.BandHalfWidth,
            [.. prediction.Points.Select(point => point.ThresholdMilliseconds)],
            [.. prediction.Points.Select(point => point.Probability)],
            [.. prediction.Points.Select(point => point.Interval.Lower)],
            [.. prediction.Points.Select(point => point.Interval.Upper)]
        );

    /// <summary>
    /// The probability that a sequence of a simulated setup is in time: of a predicted point what the prediction says,
    /// with its interval, so that a point has one number everywhere; elsewhere that of the simulation, with its band.
    /// </summary>
    /// <returns>NaN where the report cannot tell.</returns>
    public static (double Probability, double Lower, double Upper) InTime(
        PredictionReport prediction,
        double thresholdMilliseconds
    )
    {
        var point = prediction.Points.FirstOrDefault(point => point.ThresholdMilliseconds == thresholdMilliseconds);
        if (point is null && prediction.SortedWorstMilliseconds.Count > 0)
        {
            var p = SortedValues.ShareBelow(prediction.SortedWorstMilliseconds, thresholdMilliseconds);
            return (p, Math.Max(p - prediction.BandHalfWidth, 0), Math.Min(p + prediction.BandHalfWidth, 1));
        }
        return point is null
            ? (double.NaN, double.NaN, double.NaN)
            : (point.Probability, point.Interval.Lower, point.Interval.Upper);
    }
}
