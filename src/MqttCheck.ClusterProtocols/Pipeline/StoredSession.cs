namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>The contents of the store for a session at one moment.</summary>
/// <param name="Messages">Its messages that are not acknowledged, in order.</param>
/// <param name="Last">
/// The last place of each part of the log that it was given. Everything up to there is stored, or done.
/// </param>
internal sealed record StoredSession(IReadOnlyList<StoredMessage> Messages, IReadOnlyDictionary<int, long> Last);
