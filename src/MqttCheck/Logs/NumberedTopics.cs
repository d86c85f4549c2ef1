namespace MqttCheck.Logs;

/// <summary>The topics of a number.</summary>
/// <param name="Number">The number.</param>
/// <param name="Topics">The numbers of the topics.</param>
internal sealed record NumberedTopics(int Number, IReadOnlyList<int> Topics);
