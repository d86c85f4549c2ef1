using MqttCheck.Predictions;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Campaigns.Calibrations;

/// <summary>A prediction beside its measurement.</summary>
/// <param name="Predicted">The prediction.</param>
/// <param name="RunInterval">
/// The predicted interval of the share of sequences in time in a single run like those that were measured.
/// </param>
/// <param name="MeanInterval">The predicted interval of the mean share in as many runs as were made.</param>
/// <param name="Runs">That share in each run, two or more.</param>
/// <param name="MeasuredInterval">The interval of their mean (Student's t): the run is the sampling unit.</param>
internal sealed record CalibrationPoint(
    PredictedPoint Predicted,
    Interval RunInterval,
    Interval MeanInterval,
    IReadOnlyList<double> Runs,
    Interval MeasuredInterval
)
{
    /// <summary>The mean over runs.</summary>
    public double Measured => Runs.Average();

    /// <summary>
    /// The mean, over the runs, of the distance between one run and the mean of the other runs. Even a perfect
    /// prediction of single runs would have this error.
    /// </summary>
    public double NoiseFloor
    {
        get
        {
            var mean = Measured;
            return Runs.Average(run => Math.Abs(run - mean)) * Runs.Count / (Runs.Count - 1);
        }
    }

    /// <summary>Predicted minus measured.</summary>
    public double Error => Predicted.Probability - Measured;

    /// <summary>The share of the runs that lie within the predicted interval of a run.</summary>
    public double Coverage => Runs.Average(run => RunInterval.Contains(run) ? 1.0 : 0);

    /// <summary>
    /// Whether the predicted interval of the mean contains the measured mean. This judges intervals even if points are
    /// chosen because their runs agree. Runs that agree lie within an interval of single runs more often than others
    /// do. How much runs differ tells nothing about where their mean is.
    /// </summary>
    public bool HoldsMean => MeanInterval.Contains(Measured);
}
