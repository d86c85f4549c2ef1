using MqttCheck.Checking;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>A prediction beside its measurement.</summary>
/// <param name="Predicted">The prediction.</param>
/// <param name="Measured">The mean over runs of the share of sequences in time.</param>
/// <param name="MeasuredInterval">Its interval over runs (Student's t): the run is the sampling unit.</param>
/// <param name="NoiseFloor">The mean over runs of the distance between one run and the mean of the others: what even a perfect prediction of single runs would be off by.</param>
public sealed record CalibrationPoint(PredictedPoint Predicted, double Measured, Interval MeasuredInterval, double NoiseFloor)
{
    /// <summary>Predicted minus measured.</summary>
    public double Error => Predicted.Probability - Measured;

    /// <summary>Whether the prediction's interval holds the measured value.</summary>
    public bool Covered => Predicted.Interval.Lower <= Measured && Measured <= Predicted.Interval.Upper;
}
