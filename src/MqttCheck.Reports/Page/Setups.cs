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
}
