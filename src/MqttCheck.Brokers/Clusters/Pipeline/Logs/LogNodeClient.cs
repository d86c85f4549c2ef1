using System.Buffers.Binary;
using System.Net;
using MqttCheck.Brokers.Clusters.Pipeline.Requests;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Pipeline;

namespace MqttCheck.Brokers.Clusters.Pipeline.Logs;

/// <summary>
/// A client of <see cref="LogNode"/>. What is not answered it sends again, in order, when the node is back.
/// </summary>
internal sealed class LogNodeClient : IMessageLog
{
    private readonly RequestClient _requests;
    private readonly long _producer;

    /// <summary>A client, which connects by itself.</summary>
    /// <param name="address">Where the node is.</param>
    /// <param name="producer">A number that no other client of this log has had.</param>
    /// <param name="linger">How long an append waits for others that go with it.</param>
    /// <param name="wire">The wire that carries it; null for one of its own.</param>
    public LogNodeClient(IPEndPoint address, long producer, TimeSpan linger = default, IWire? wire = null) =>
        (_requests, _producer) = (new RequestClient(address, Timeout.InfiniteTimeSpan, linger, wire), producer);

    /// <inheritdoc/>
    public Task AppendAsync(LogPartition partition, LogRecord record)
    {
        var bytes = RecordCodec.Encode(record);
        var content = new byte[14 + bytes.Length];
        FileLog.Place(content, LogEntryKind.Append, partition);
        BinaryPrimitives.WriteInt64BigEndian(content.AsSpan(6), _producer);
        bytes.CopyTo(content, 14);
        return _requests.AskAsync(content, mayLinger: true);
    }

    /// <inheritdoc/>
    public Task CommitAsync(LogPartition partition, long next)
    {
        var content = new byte[14];
        FileLog.Place(content, LogEntryKind.Commit, partition);
        BinaryPrimitives.WriteInt64BigEndian(content.AsSpan(6), next);
        return _requests.AskAsync(content);
    }

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
