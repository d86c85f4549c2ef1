namespace MqttCheck.Brokers.Fleets.Probes;

/// <summary>
/// The latency of an idle broker. One client sends itself messages at QoS 1, each after the acknowledgement and the
/// delivery of the one before.
/// </summary>
/// <param name="Samples">How many messages were measured.</param>
/// <param name="MinimumMilliseconds">The smallest latency.</param>
/// <param name="MedianMilliseconds">The median.</param>
/// <param name="MedianLowerMilliseconds">Lower end of the median's 99 % interval, from order statistics.</param>
/// <param name="MedianUpperMilliseconds">Its upper end.</param>
/// <param name="P90Milliseconds">The 90th percentile.</param>
/// <param name="P99Milliseconds">The 99th percentile.</param>
/// <param name="MaximumMilliseconds">The largest latency.</param>
internal sealed record IdleLatency(
    int Samples,
    double MinimumMilliseconds,
    double MedianMilliseconds,
    double MedianLowerMilliseconds,
    double MedianUpperMilliseconds,
    double P90Milliseconds,
    double P99Milliseconds,
    double MaximumMilliseconds
);
