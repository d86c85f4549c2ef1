using System.Buffers.Binary;
using System.Net;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Requests;

namespace MqttCheck.LiveClusters.Nodes.Pipeline.Logs;

/// <summary>A log as a process of its own. It answers a request after its file has been written.</summary>
/// <remarks>
/// The content of a request begins with kind and partition, as an entry of <see cref="FileLog"/>. An append has its
/// producer (8 bytes) and the record, and its number is that of the request; a commit has a place (8 bytes), a read a
/// size (4 bytes). The answer to a read is the place behind the records, and each with its length before it.
/// </remarks>
internal sealed class LogNode : RequestServer
{
    // A later log begins behind every earlier one that has had fewer than a million records a millisecond.
    private const int RecordBits = 20;

    private readonly FileLog _log;
    private readonly Dictionary<LogPartition, (RequestSource To, long Request, int Most)> _waiting = [];

    /// <summary>Opens the file and listens.</summary>
    /// <param name="path">The file.</param>
    /// <param name="address">The address to listen on; port 0 for a free one.</param>
    public LogNode(string path, IPEndPoint address)
        : base(address)
    {
        _log = new FileLog(path, FirstOffset);
        Begin();
    }

    /// <inheritdoc/>
    protected override void Apply(RequestSource from, long number, ReadOnlySpan<byte> content)
    {
        var partition = FileLog.PlaceOf(content);
        switch ((LogEntryKind)content[0])
        {
            case LogEntryKind.Append:
                _log.Append(BinaryPrimitives.ReadInt64BigEndian(content[6..]), number, partition, content[14..]);
                Answer(from, number, []);
                break;
            case LogEntryKind.Commit:
                _log.Commit(partition, BinaryPrimitives.ReadInt64BigEndian(content[6..]));
                Answer(from, number, []);
                break;
            case LogEntryKind.Read:
                _waiting[partition] = (from, number, BinaryPrimitives.ReadInt32BigEndian(content[6..]));
                break;
        }
    }

    /// <inheritdoc/>
    protected override void Finish()
    {
        foreach (var (partition, waiting) in _waiting.ToArray())
        {
            var (records, next) = _log.Read(partition, waiting.Most);
            if (records.Count == 0)
                continue;
            _waiting.Remove(partition);
            Answer(waiting.To, waiting.Request, PackOf(records, next));
        }
        _log.Flush();
    }

    /// <inheritdoc/>
    protected override void CloseFile() => _log.Dispose();

    private static long FirstOffset => TimeProvider.System.GetUtcNow().ToUnixTimeMilliseconds() << RecordBits;

    private static byte[] PackOf(IReadOnlyList<byte[]> records, long next)
    {
        var content = new byte[8 + records.Sum(record => 4 + record.Length)];
        BinaryPrimitives.WriteInt64BigEndian(content, next);
        var at = 8;
        foreach (var record in records)
        {
            Frames.Of(record).CopyTo(content, at);
            at += 4 + record.Length;
        }
        return content;
    }
}
