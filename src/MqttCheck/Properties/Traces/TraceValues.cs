namespace MqttCheck.Properties.Traces;

/// <summary>The values of a property on the traces of one replication.</summary>
/// <param name="Values">
/// The value of each client's trace: 1 or 0 for a formula, NaN where it says nothing, and for a measure without a
/// message.
/// </param>
/// <param name="CutShort">How many traces ended before they decided a formula whose spans are bounded.</param>
internal readonly record struct TraceValues(double[] Values, int CutShort);
