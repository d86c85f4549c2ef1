namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>A record of the log.</summary>
/// <param name="Client">The client that it is for; -1 for a publication.</param>
/// <param name="Stored">The message; with its identifier and score once it is stored.</param>
internal readonly record struct LogRecord(int Client, StoredMessage Stored);
