using MqttCheck.Statistics;

namespace MqttCheck.Health;

/// <summary>When a run became stationary: whether its warm-up is over is found in its latencies, not assumed.</summary>
/// <param name="State">Whether it did.</param>
/// <param name="SinceSeconds">
/// From which time of the run on, in seconds; 0 when it was stationary from its beginning, NaN when it never was or
/// cannot be said.
/// </param>
public readonly record struct WarmUp(StationarityState State, double SinceSeconds)
{
    /// <summary>A run that is too short to say.</summary>
    public static WarmUp Unknown { get; } = new(StationarityState.Unknown, double.NaN);
}
