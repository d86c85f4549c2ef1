namespace MqttCheck.ClusterProtocols.Pipeline.Simulating;

/// <summary>
/// The contents of the log: records, how many of them are committed, and the last batch of each producer.
/// </summary>
/// <remarks>
/// A producer numbers its batches, and one that comes again is not appended again, as with Kafka's idempotent
/// producers.
/// </remarks>
internal sealed class SimulatedLog
{
    private readonly Dictionary<LogPartition, List<LogRecord>> _records = [];
    private readonly Dictionary<LogPartition, int> _committed = [];
    private readonly Dictionary<(int Broker, int Incarnation), long> _lastBatch = [];

    /// <summary>Appends a batch, unless it has been.</summary>
    public void Append(
        (int Broker, int Incarnation) producer,
        long batch,
        LogPartition to,
        IEnumerable<LogRecord> records
    )
    {
        if (_lastBatch.GetValueOrDefault(producer) >= batch)
            return;
        _lastBatch[producer] = batch;
        Of(to).AddRange(records);
    }

    /// <summary>The records behind those that are done, and the place behind them.</summary>
    public (IReadOnlyList<LogRecord> Pack, long Next) Read(LogPartition from, int most)
    {
        var (records, first) = (Of(from), _committed.GetValueOrDefault(from));
        var count = Math.Min(most, records.Count - first);
        return (records.GetRange(first, count), first + count);
    }

    /// <summary>Keeps what is done.</summary>
    public void Commit(LogPartition of, long next) =>
        _committed[of] = Math.Max(_committed.GetValueOrDefault(of), (int)next);

    private List<LogRecord> Of(LogPartition partition)
    {
        var records = _records.GetOrNew(partition);
        return records;
    }
}
