using MqttCheck.App.Compare;
using MqttCheck.Cli.Results;
using MqttCheck.Clients;
using MqttCheck.Plots;
using MqttCheck.Plots.Data;
using MqttCheck.Reports.Documents;
using MqttCheck.Reports.Formats;
using static System.FormattableString;

namespace MqttCheck.Cli.Compare;

/// <summary>
/// A comparison in pictures: the intervals of the differences, and for each setup the distribution of the latencies of
/// every broker.
/// </summary>
internal static class ComparePlots
{
    /// <summary>Draws the pictures.</summary>
    public static IReadOnlyList<DrawnPicture> Draw(
        CompareDocument comparison,
        ReportDocument document,
        string directory
    )
    {
        var setups = comparison
            .Distributions.GroupBy(one => (one.Profile, one.Clients))
            .Select(setup =>
                LatencyPictures.Distributions(
                    Invariant($"distribution-{Picture.FileName(setup.Key.Profile)}-{setup.Key.Clients}-clients"),
                    Invariant($"Slowest message of a sequence, {setup.Key.Profile}, {setup.Key.Clients} clients"),
                    "Share of measured sequences whose slowest message took at most "
                        + "so long: the curve farther to the left is the faster broker.",
                    [.. setup.Select(one => new LatencyCurve(one.Broker, Curve(one)))],
                    [
                        .. comparison
                            .Points.Where(point =>
                                point.Profile == setup.Key.Profile && point.Clients == setup.Key.Clients
                            )
                            .Select(point => point.ThresholdMilliseconds)
                            .Distinct()
                            .Order(),
                    ]
                )
            );
        return PlotFiles.Write([.. DocumentPictures.Of(document), .. setups.OfType<Picture>()], directory);
    }

    // Sequences that never ended keep the curve below 1.
    private static IReadOnlyList<double> Curve(CompareDocument.Distribution one)
    {
        var missing =
            one.Completed == 0
                ? 0
                : (int)
                    Math.Round((double)(one.Sequences - one.Completed) * one.WorstMilliseconds.Count / one.Completed);
        return [.. one.WorstMilliseconds, .. Enumerable.Repeat(double.PositiveInfinity, missing)];
    }
}
