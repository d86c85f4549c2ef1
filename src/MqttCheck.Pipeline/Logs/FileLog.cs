using System.Buffers.Binary;
using System.Numerics;
using MqttCheck.Clusters.Pipeline;

namespace MqttCheck.Pipeline.Logs;

/// <summary>
/// A log in one file. What <see cref="Flush"/> has written survives the end of the process and of the machine; at the
/// start an entry that was cut off at the end of the file is left out.
/// </summary>
/// <remarks>
/// Not thread-safe. An entry is its length and its checksum (CRC-32C), each four bytes, and its content. A producer
/// numbers its records, and one that comes again is not appended again.
/// </remarks>
internal sealed class FileLog : IDisposable
{
    private const int Head = 8;

    private readonly FileStream _file;
    private readonly MemoryStream _unwritten = new();
    private readonly Dictionary<LogPartition, List<byte[]>> _records = [];
    private readonly Dictionary<LogPartition, int> _committed = [];
    private readonly Dictionary<long, long> _lastOf = [];

    /// <summary>Opens a log, or begins one.</summary>
    /// <param name="path">The file.</param>
    public FileLog(string path)
    {
        _file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.Read);
        _file.SetLength(Recover());
        _file.Seek(0, SeekOrigin.End);
    }

    /// <summary>Appends a record, unless this producer's number has come before.</summary>
    public void Append(long producer, long number, LogPartition partition, ReadOnlySpan<byte> record)
    {
        if (_lastOf.GetValueOrDefault(producer) >= number)
            return;
        var content = new byte[22 + record.Length];
        Place(content, LogEntryKind.Append, partition);
        BinaryPrimitives.WriteInt64BigEndian(content.AsSpan(6), producer);
        BinaryPrimitives.WriteInt64BigEndian(content.AsSpan(14), number);
        record.CopyTo(content.AsSpan(22));
        Apply(content);
        Write(content);
    }

    /// <summary>Keeps that everything before a place is done.</summary>
    public void Commit(LogPartition partition, long next)
    {
        var content = new byte[14];
        Place(content, LogEntryKind.Commit, partition);
        BinaryPrimitives.WriteInt64BigEndian(content.AsSpan(6), next);
        Apply(content);
        Write(content);
    }

    /// <summary>The records behind those that are done, and the place behind them.</summary>
    public (IReadOnlyList<byte[]> Records, long Next) Read(LogPartition partition, int most)
    {
        var (records, first) = (Of(partition), _committed.GetValueOrDefault(partition));
        var count = Math.Min(most, records.Count - first);
        return (records.GetRange(first, count), first + count);
    }

    /// <summary>Writes what was appended and committed to the disk. Only then may it be acknowledged.</summary>
    public void Flush()
    {
        if (_unwritten.Length == 0)
            return;
        _unwritten.WriteTo(_file);
        _unwritten.SetLength(0);
        _file.Flush(flushToDisk: true);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _file.Dispose();
        _unwritten.Dispose();
    }

    /// <summary>Applies the whole entries of the file.</summary>
    /// <returns>Where the last one ends.</returns>
    private long Recover()
    {
        var head = new byte[Head];
        long end = 0;
        while (_file.Length - end >= Head)
        {
            _file.Seek(end, SeekOrigin.Begin);
            _file.ReadExactly(head);
            var length = BinaryPrimitives.ReadInt32BigEndian(head);
            if (length <= 0 || length > _file.Length - end - Head)
                break;
            var content = new byte[length];
            _file.ReadExactly(content);
            if (Checksum(content) != BinaryPrimitives.ReadUInt32BigEndian(head.AsSpan(4)))
                break;
            Apply(content);
            end += Head + length;
        }
        return end;
    }

    private void Apply(ReadOnlySpan<byte> content)
    {
        var partition = PlaceOf(content);
        if (content[0] == (byte)LogEntryKind.Commit)
        {
            var next = (int)BinaryPrimitives.ReadInt64BigEndian(content[6..]);
            _committed[partition] = Math.Max(_committed.GetValueOrDefault(partition), next);
            return;
        }
        _lastOf[BinaryPrimitives.ReadInt64BigEndian(content[6..])] = BinaryPrimitives.ReadInt64BigEndian(content[14..]);
        Of(partition).Add(content[22..].ToArray());
    }

    private void Write(byte[] content)
    {
        Span<byte> head = stackalloc byte[Head];
        BinaryPrimitives.WriteInt32BigEndian(head, content.Length);
        BinaryPrimitives.WriteUInt32BigEndian(head[4..], Checksum(content));
        _unwritten.Write(head);
        _unwritten.Write(content);
    }

    private List<byte[]> Of(LogPartition partition)
    {
        if (!_records.TryGetValue(partition, out var records))
            _records.Add(partition, records = []);
        return records;
    }

    /// <summary>Writes kind and partition, the first six bytes of entries and frames.</summary>
    public static void Place(Span<byte> content, LogEntryKind kind, LogPartition partition)
    {
        content[0] = (byte)kind;
        content[1] = (byte)partition.Topic;
        BinaryPrimitives.WriteInt32BigEndian(content[2..], partition.Number);
    }

    /// <summary>Reads the partition.</summary>
    public static LogPartition PlaceOf(ReadOnlySpan<byte> content) =>
        new((LogTopic)content[1], BinaryPrimitives.ReadInt32BigEndian(content[2..]));

    private static uint Checksum(ReadOnlySpan<byte> content)
    {
        var sum = ~0u;
        foreach (var value in content)
            sum = BitOperations.Crc32C(sum, value);
        return ~sum;
    }
}
