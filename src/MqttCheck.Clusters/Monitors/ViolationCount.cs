namespace MqttCheck.Clusters.Monitors;

/// <summary>How often something was seen that an invariant forbids; only the first ones are kept whole.</summary>
/// <param name="Invariant">The name of the invariant.</param>
/// <param name="Count">How often.</param>
/// <param name="Decides">Whether it is a violation; otherwise it is reported only.</param>
internal sealed record ViolationCount(string Invariant, long Count, bool Decides);
