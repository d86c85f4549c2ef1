namespace MqttCheck.Latency.Quality;

/// <summary>
/// The probability that a sequence is in time, of a training case replayed with a model that was learned without it,
/// beside the observed one.
/// </summary>
/// <param name="ThresholdMilliseconds">The threshold.</param>
/// <param name="Observed">The probability that was observed.</param>
/// <param name="Error">Replayed minus observed: positive where the replay was too fast.</param>
/// <param name="Noise">
/// The standard deviation that the error would have if the model were right, because the case was short.
/// </param>
public sealed record ReplayedPoint(double ThresholdMilliseconds, double Observed, double Error, double Noise)
{
    /// <summary>
    /// How far the alternatives of the model were from it here: root mean square of the difference of the
    /// probabilities. 0 without alternatives.
    /// </summary>
    public double Spread { get; init; }
}
