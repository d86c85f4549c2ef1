using System.Buffers.Binary;
using MqttCheck.ClusterProtocols.Pipeline;

namespace MqttCheck.LiveClusters.Nodes.Pipeline.Logs;

/// <summary>
/// A log in one file. Everything that <see cref="Flush"/> has written survives, see <see cref="EntryFile"/>.
/// </summary>
/// <remarks>
/// Not thread-safe. A producer numbers its records, and a repeated record is not appended again. Committed records stay
/// in the file but not in memory.
/// </remarks>
internal sealed class FileLog : IDisposable
{
    private readonly EntryFile _file;
    private readonly Dictionary<LogPartition, Queue<byte[]>> _records = [];
    private readonly Dictionary<LogPartition, long> _committed = [];
    private readonly Dictionary<long, long> _lastOf = [];
    private bool _isNew = true;
    private long _first;

    /// <summary>Opens a log, or begins one.</summary>
    /// <param name="path">The file.</param>
    /// <param name="first">
    /// The offset of the first records of a new log. One that takes the place of another must not give its offsets
    /// again, since stores know by them which records they have.
    /// </param>
    public FileLog(string path, long first = 0)
    {
        _file = new EntryFile(path, Apply);
        if (!_isNew || first == 0)
            return;
        var content = ContentOf(LogEntryKind.Begin, default, first);
        Apply(content);
        _file.Write(content);
    }

    /// <summary>Appends a record, unless this producer's number has come before.</summary>
    public void Append(long producer, long number, LogPartition partition, ReadOnlySpan<byte> record)
    {
        if (_lastOf.GetValueOrDefault(producer) >= number)
            return;
        var content = ContentOf(LogEntryKind.Append, partition, producer, 8 + record.Length);
        BinaryPrimitives.WriteInt64BigEndian(content.AsSpan(14), number);
        record.CopyTo(content.AsSpan(22));
        Apply(content);
        _file.Write(content);
    }

    /// <summary>Commits all records before an offset.</summary>
    public void Commit(LogPartition partition, long next)
    {
        var content = ContentOf(LogEntryKind.Commit, partition, next);
        Apply(content);
        _file.Write(content);
    }

    /// <summary>The first records that are not committed, and the offset after them.</summary>
    public (IReadOnlyList<byte[]> Records, long Next) Read(LogPartition partition, int most)
    {
        byte[][] records = [.. Of(partition).Take(most)];
        return (records, CommittedOf(partition) + records.Length);
    }

    /// <summary>Writes appended records and commits to the disk. Only then may they be acknowledged.</summary>
    public void Flush() => _file.Flush();

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();

    private void Apply(ReadOnlySpan<byte> content)
    {
        _isNew = false;
        var partition = PlaceOf(content);
        if (content[0] == (byte)LogEntryKind.Begin)
        {
            _first = BinaryPrimitives.ReadInt64BigEndian(content[6..]);
            return;
        }
        var records = Of(partition);
        if (content[0] == (byte)LogEntryKind.Append)
        {
            _lastOf[BinaryPrimitives.ReadInt64BigEndian(content[6..])] = BinaryPrimitives.ReadInt64BigEndian(
                content[14..]
            );
            records.Enqueue(content[22..].ToArray());
            return;
        }
        var (done, next) = (CommittedOf(partition), BinaryPrimitives.ReadInt64BigEndian(content[6..]));
        for (; done < next && records.TryDequeue(out _); done++) { }
        _committed[partition] = done;
    }

    private long CommittedOf(LogPartition partition) => _committed.GetValueOrDefault(partition, _first);

    private Queue<byte[]> Of(LogPartition partition)
    {
        var records = _records.GetOrNew(partition);
        return records;
    }

    /// <summary>Writes kind and partition, the first six bytes of entries and requests.</summary>
    public static void Place(Span<byte> content, LogEntryKind kind, LogPartition partition)
    {
        content[0] = (byte)kind;
        content[1] = (byte)partition.Topic;
        BinaryPrimitives.WriteInt32BigEndian(content[2..], partition.Number);
    }

    /// <summary>Kind, partition and a number, the first 14 bytes of entries and requests, with room for more.</summary>
    public static byte[] ContentOf(LogEntryKind kind, LogPartition partition, long number, int more = 0)
    {
        var content = new byte[14 + more];
        Place(content, kind, partition);
        BinaryPrimitives.WriteInt64BigEndian(content.AsSpan(6), number);
        return content;
    }

    /// <summary>Reads the partition.</summary>
    public static LogPartition PlaceOf(ReadOnlySpan<byte> content) =>
        new((LogTopic)content[1], BinaryPrimitives.ReadInt32BigEndian(content[2..]));
}
