using System.Buffers.Binary;
using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Requests;

namespace MqttCheck.LiveClusters.Nodes.Pipeline.Logs;

/// <summary>
/// A client of <see cref="LogNode"/>. It connects by itself. When the node is back, it repeats the requests that have
/// no answer, in order.
/// </summary>
/// <param name="address">The address of the node.</param>
/// <param name="producer">A number that no other client of this log has had.</param>
/// <param name="linger">How long an append waits for others that go with it.</param>
/// <param name="wire">The wire that carries it; null for one of its own.</param>
internal sealed class LogNodeClient(IPEndPoint address, long producer, TimeSpan linger = default, IWire? wire = null)
    : IMessageLog
{
    private readonly RequestClient _requests = new(address, Timeout.InfiniteTimeSpan, linger, wire);

    /// <inheritdoc/>
    public Task AppendAsync(LogPartition partition, LogRecord record)
    {
        var bytes = RecordCodec.Encode(record);
        var content = FileLog.ContentOf(LogEntryKind.Append, partition, producer, bytes.Length);
        bytes.CopyTo(content, 14);
        return _requests.AskAsync(content, mayLinger: true);
    }

    /// <inheritdoc/>
    public Task CommitAsync(LogPartition partition, long next) =>
        _requests.AskAsync(FileLog.ContentOf(LogEntryKind.Commit, partition, next));

    /// <inheritdoc/>
    public async Task<LogPack> ReadAsync(LogPartition partition, int most, CancellationToken cancellation)
    {
        var content = new byte[10];
        FileLog.Place(content, LogEntryKind.Read, partition);
        BinaryPrimitives.WriteInt32BigEndian(content.AsSpan(6), most);
        var answer = await _requests.AskAsync(content, cancellation: cancellation);
        var records = new List<LogRecord>();
        for (var at = sizeof(long); at < answer.Length; )
        {
            var length = BinaryPrimitives.ReadInt32BigEndian(answer.AsSpan(at));
            records.Add(RecordCodec.Record(answer.AsSpan(at + 4, length)));
            at += 4 + length;
        }
        return new LogPack(records, BinaryPrimitives.ReadInt64BigEndian(answer));
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _requests.DisposeAsync();
}
