namespace MqttCheck.Latency;

/// <summary>
/// The answer of a latency process about an open exchange, or about a connection that is being set up.
/// </summary>
/// <param name="TimeMilliseconds">When it completes, or when to ask again; absolute virtual time.</param>
/// <param name="Completes">Whether it completes then; otherwise the process is asked to continue.</param>
public readonly record struct LatencyStep(double TimeMilliseconds, bool Completes);
