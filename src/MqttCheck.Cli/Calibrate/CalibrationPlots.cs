using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Cli.Results;
using MqttCheck.Plots;
using MqttCheck.Plots.Data;
using MqttCheck.Reports.Formats;
using static System.FormattableString;

namespace MqttCheck.Cli.Calibrate;

/// <summary>A calibration in pictures: for each learner its predictions against the measurements.</summary>
internal static class CalibrationPlots
{
    /// <summary>Draws the pictures.</summary>
    public static IReadOnlyList<DrawnPicture> Draw(IReadOnlyList<CalibrationTable> tables, string directory)
    {
        var pictures = tables
            .Where(table => table.Points.Count > 0)
            .Select(table =>
                EstimatePictures.Calibration(
                    $"calibration-{Picture.FileName(table.Learner)}",
                    $"Predicted and measured probability, learner {table.Learner}",
                    "Probability that all messages of a sequence are in time; "
                        + Invariant($"{table.Points.Count} points, mean error {table.MeanError:0.000}. ")
                        + "Across: predicted, with the interval for a single run. Up: measured, with "
                        + "the interval of the mean of the runs. Right model: points on the line.",
                    [
                        .. table.Points.Select(point => new CalibratedPoint(
                            point.Predicted.Profile,
                            point.Predicted.Probability,
                            point.RunInterval,
                            point.Measured,
                            point.MeasuredInterval
                        )),
                    ]
                )
            );
        return PlotFiles.Write([.. pictures.OfType<Picture>()], directory);
    }
}
