namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>A part of the log whose records have an order.</summary>
/// <param name="Topic">The topic.</param>
/// <param name="Number">The partition, from 0.</param>
internal readonly record struct LogPartition(LogTopic Topic, int Number);
