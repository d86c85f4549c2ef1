using MqttCheck.ClusterProtocols.Pipeline;

namespace MqttCheck.LiveClusters.Nodes.Pipeline.Logs;

/// <summary>
/// The log that brokers share: MqttCheck's own node, or Kafka's protocol. It keeps every record that it has
/// acknowledged.
/// </summary>
internal interface IMessageLog : IAsyncDisposable
{
    /// <summary>Appends a record. Records of a partition keep the order of the calls.</summary>
    /// <returns>Done when the record is kept.</returns>
    Task AppendAsync(LogPartition partition, LogRecord record);

    /// <summary>Waits for a record that is not committed, and reads all that are there.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="most">The most records, positive.</param>
    /// <param name="cancellation">Ends the waiting.</param>
    Task<LogPack> ReadAsync(LogPartition partition, int most, CancellationToken cancellation);

    /// <summary>Commits all records before an offset.</summary>
    Task CommitAsync(LogPartition partition, long next);
}
