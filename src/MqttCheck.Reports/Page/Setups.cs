using MqttCheck.Reports.Builders;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Page;

/// <summary>Which profiles, client counts and thresholds a report is about.</summary>
internal static class Setups
{
    // More lines than this cannot be told apart in one chart.
    private const int ThresholdsInChart = 5;

    public static List<string> Profiles(ReportInput input) =>
        [
            .. input
                .Predictions.Select(prediction => prediction.Profile)
                .Concat(input.Verdicts.Select(verdict => verdict.Point.Profile))
                .Distinct(),
        ];

    public static List<int> ClientCounts(ReportInput input) =>
        [
            .. input
                .Predictions.Select(prediction => prediction.Clients)
                .Concat(input.Verdicts.Select(verdict => verdict.Point.Clients))
                .Distinct()
                .Order(),
        ];

    /// <summary>
    /// The thresholds to draw for a profile, ascending: those that were verified, filled up with evenly spaced
    /// predicted ones.
    /// </summary>
    public static List<double> Thresholds(ReportInput input, string profile)
    {
        var verified = input
            .Verdicts.Where(verdict => verdict.Point.Profile == profile)
            .Select(verdict => verdict.Point.ThresholdMilliseconds)
            .Distinct()
            .ToList();
        var others = input
            .Predictions.Where(prediction => prediction.Profile == profile)
            .SelectMany(prediction => prediction.Points)
            .Select(point => point.ThresholdMilliseconds)
            .Distinct()
            .Except(verified)
            .Order()
            .ToList();
        return
        [
            .. Spread(verified.Order().ToList(), ThresholdsInChart)
                .Concat(Spread(others, ThresholdsInChart - verified.Count))
                .Order(),
        ];
    }

    private static IEnumerable<double> Spread(List<double> values, int count) =>
        values.Count <= count
            ? values
            : Enumerable.Range(0, Math.Max(count, 0)).Select(i => values[(int)((i + 0.5) * values.Count / count)]);

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
