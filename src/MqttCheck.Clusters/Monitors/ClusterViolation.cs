namespace MqttCheck.Clusters.Monitors;

/// <summary>Something that an invariant forbids.</summary>
/// <param name="Invariant">The name of the invariant.</param>
/// <param name="Nanoseconds">When it was seen.</param>
/// <param name="What">The event, in a sentence without a full stop.</param>
internal sealed record ClusterViolation(string Invariant, long Nanoseconds, string What);
