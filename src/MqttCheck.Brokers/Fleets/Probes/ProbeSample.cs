namespace MqttCheck.Brokers.Fleets.Probes;

/// <summary>
/// One message of an <see cref="OpenLoopProbe"/>. Times are microseconds since the run began; NaN where the event did
/// not happen.
/// </summary>
/// <param name="IntendedMicroseconds">When it was to be sent.</param>
/// <param name="SentMicroseconds">When it was.</param>
/// <param name="AcknowledgedMicroseconds">When its PUBACK came.</param>
internal readonly record struct ProbeSample(
    double IntendedMicroseconds,
    double SentMicroseconds,
    double AcknowledgedMicroseconds
)
{
    /// <summary>The latency that counts in an open loop: from the intended time.</summary>
    public double LatencyMilliseconds => (AcknowledgedMicroseconds - IntendedMicroseconds) / 1e3;

    /// <summary>The time that the broker took: from the real time of sending.</summary>
    public double ServiceMilliseconds => (AcknowledgedMicroseconds - SentMicroseconds) / 1e3;
}
