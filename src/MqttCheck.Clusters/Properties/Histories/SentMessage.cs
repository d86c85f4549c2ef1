namespace MqttCheck.Clusters.Properties.Histories;

/// <summary>A message that a client published, and what became of it. Times count from the first message.</summary>
/// <param name="Publisher">The client that published it.</param>
/// <param name="Number">Which message of its publisher it is, from 1.</param>
/// <param name="Node">The node that it was published to.</param>
/// <param name="SentNanoseconds">When it was published.</param>
/// <param name="AcknowledgedNanoseconds">When it was acknowledged; null if never.</param>
/// <param name="Fate">What became of it.</param>
/// <param name="DeliveredNanoseconds">When it first came to a reader; null if never.</param>
internal readonly record struct SentMessage(
    int Publisher,
    int Number,
    int Node,
    long SentNanoseconds,
    long? AcknowledgedNanoseconds,
    MessageFate Fate,
    long? DeliveredNanoseconds
);
