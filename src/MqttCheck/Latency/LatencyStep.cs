namespace MqttCheck.Latency;

/// <summary>What a latency process says about an open exchange.</summary>
/// <param name="TimeMilliseconds">When the exchange completes, or when to ask again; absolute virtual time.</param>
/// <param name="Completes">Whether the exchange completes then; otherwise the process is asked to continue.</param>
public readonly record struct LatencyStep(double TimeMilliseconds, bool Completes);
