using MqttCheck.App.Bench;
using MqttCheck.Cli.Results;
using MqttCheck.Plots;
using MqttCheck.Plots.Data;
using MqttCheck.Reports.Formats;
using MqttCheck.Statistics;

namespace MqttCheck.Cli.Bench;

/// <summary>
/// A bench in pictures: latency and throughput against the offered load, and the percentiles of the latency.
/// </summary>
internal static class BenchPlots
{
    /// <summary>Draws the pictures.</summary>
    /// <param name="latencies">All latencies of the only run, or null.</param>
    public static IReadOnlyList<DrawnPicture> Draw(BenchDocument bench, DurationCounts? latencies, string directory)
    {
        const string caption =
            "What so many per cent of the messages do not exceed; each tick to the "
            + "right is ten times rarer. Latency is to the last delivery of a message.";
        QuantileCurve[] curves =
        [
            .. BenchReport.Percentiles(bench, latencies).Select(run => new QuantileCurve(run.Key, run.Value)),
        ];
        Picture?[] pictures =
        [
            .. DocumentPictures.Of(BenchReport.Document(bench)),
            BenchReport.Throughput(bench) is { } throughput ? DocumentPictures.Of(throughput) : null,
            LatencyPictures.Percentiles("Percentiles of the latency", caption, curves),
        ];
        return PlotFiles.Write([.. pictures.OfType<Picture>()], directory);
    }
}
