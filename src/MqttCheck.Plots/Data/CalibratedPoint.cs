using MqttCheck.Statistics;

namespace MqttCheck.Plots.Data;

/// <summary>A predicted probability beside its measurement.</summary>
/// <param name="Group">The group of the point, such as its profile.</param>
/// <param name="Predicted">The prediction.</param>
/// <param name="PredictedInterval">Its interval.</param>
/// <param name="Measured">The measurement.</param>
/// <param name="MeasuredInterval">Its interval.</param>
internal sealed record CalibratedPoint(
    string Group,
    double Predicted,
    Interval PredictedInterval,
    double Measured,
    Interval MeasuredInterval
);
