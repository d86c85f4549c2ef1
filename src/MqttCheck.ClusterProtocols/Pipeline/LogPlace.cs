namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>The place of a publication in the log. A session gets those of one part in their order.</summary>
/// <param name="Partition">The part of the topic "all".</param>
/// <param name="Offset">The place in it, from 0.</param>
internal readonly record struct LogPlace(int Partition, long Offset);
