using MqttCheck.Clusters.Pipeline;

namespace MqttCheck.Brokers.Clusters.Pipeline.Logs;

/// <summary>
/// The log that brokers share: MqttCheck's own node, or Kafka's protocol. What it has acknowledged it keeps.
/// </summary>
internal interface IMessageLog : IAsyncDisposable
{
    /// <summary>Appends a record. Records of a partition keep the order of the calls.</summary>
    /// <returns>Done when the record is kept.</returns>
    Task AppendAsync(LogPartition partition, LogRecord record);

    /// <summary>Waits for a record behind those that are done, and reads what there is.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="most">The most records, positive.</param>
    /// <param name="cancellation">Ends the waiting.</param>
    Task<LogPack> ReadAsync(LogPartition partition, int most, CancellationToken cancellation);

    /// <summary>Keeps that everything before a place is done.</summary>
    Task CommitAsync(LogPartition partition, long next);
}
