namespace MqttCheck.Statistics;

/// <summary>Durations that are counted together.</summary>
/// <param name="FromNanoseconds">The smallest of them that there can be.</param>
/// <param name="ToNanoseconds">The largest.</param>
/// <param name="Count">How many were counted.</param>
internal readonly record struct DurationBucket(long FromNanoseconds, long ToNanoseconds, long Count);
