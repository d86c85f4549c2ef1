using MqttCheck.ClusterProtocols.Pipeline;

namespace MqttCheck.LiveClusters.Nodes.Pipeline.Logs;

/// <summary>Records that were read together.</summary>
/// <param name="Records">At least one record, in order.</param>
/// <param name="Next">The place behind the last one.</param>
internal sealed record LogPack(IReadOnlyList<LogRecord> Records, long Next);
