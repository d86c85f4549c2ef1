namespace MqttCheck.Clusters.Monitors;

/// <summary>Something that happened on the way to a violation.</summary>
/// <param name="Nanoseconds">When, from the first message that counts.</param>
/// <param name="What">The event, in a sentence without a full stop.</param>
internal sealed record HistoryStep(long Nanoseconds, string What);
