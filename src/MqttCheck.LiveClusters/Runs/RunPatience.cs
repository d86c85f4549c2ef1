namespace MqttCheck.LiveClusters.Runs;

/// <summary>How long a run waits at its end.</summary>
/// <param name="Missing">For messages that are missing.</param>
/// <param name="Unowed">Where nothing more is owed: for messages that nobody acknowledged.</param>
internal sealed record RunPatience(TimeSpan Missing, TimeSpan Unowed);
