namespace MqttCheck.Brokers.Fleets;

/// <summary>How late requests left: the time of sending minus the time the wait before it ended. A connect counts from when the connection was begun.</summary>
/// <param name="MedianMicroseconds">The median, to 3 %.</param>
/// <param name="P99Microseconds">The 99th percentile, to 3 %.</param>
/// <param name="MaximumMicroseconds">The largest.</param>
public readonly record struct SendLag(double MedianMicroseconds, double P99Microseconds, double MaximumMicroseconds);
