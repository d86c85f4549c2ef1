using System.Buffers.Binary;
using MqttCheck.Protocol.Frames;

namespace MqttCheck.LiveClusters.Nodes.Pipeline;

/// <summary>
/// Entries in one file, one after the other. Everything that <see cref="Flush"/> has written survives the end of the
/// process and of the machine. Opening the file drops what was cut off at its end, and refuses a file that is damaged
/// before that.
/// </summary>
/// <remarks>
/// Not thread-safe. An entry is its length and its checksum (CRC-32C), each four bytes, and its content. The checksum
/// is that of the place of the entry in the file, its length and its content. An entry without content is a mark:
/// everything before it was on the disk. A mark is written behind what it tells, so that the end of a process or of a
/// machine leaves none behind an entry that is cut off. What is wrong in front of a mark was therefore changed later.
/// </remarks>
internal sealed class EntryFile : IDisposable
{
    /// <summary>The bytes of an entry without its content, and of a mark.</summary>
    internal const int Head = 8;

    private readonly string _path;
    private readonly FileStream _file;
    private readonly MemoryStream _unwritten = new();
    private long _end;

    /// <summary>Opens a file, or begins one.</summary>
    /// <param name="path">The file.</param>
    /// <param name="apply">Takes each whole entry of the file, in order.</param>
    /// <exception cref="IOException">The file is damaged, or cannot be used.</exception>
    public EntryFile(string path, Reader apply)
    {
        _path = path;
        // A buffer of the stream would be written again when it is closed, on a disk that is full.
        _file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.Read, bufferSize: 0);
        try
        {
            _end = Recover(apply, out var isMarked);
            _file.SetLength(_end);
            _file.Seek(0, SeekOrigin.End);
            if (!isMarked)
                Mark();
        }
        catch
        {
            _file.Dispose();
            throw;
        }
    }

    /// <summary>Takes an entry.</summary>
    public delegate void Reader(ReadOnlySpan<byte> content);

    /// <summary>Adds an entry; the next <see cref="Flush"/> writes it.</summary>
    /// <param name="content">Its content, at least one byte.</param>
    public void Write(ReadOnlySpan<byte> content)
    {
        ArgumentOutOfRangeException.ThrowIfZero(content.Length);
        Span<byte> head = stackalloc byte[Head];
        WriteHead(head, _end + _unwritten.Length, content);
        _unwritten.Write(head);
        _unwritten.Write(content);
    }

    /// <summary>Writes all added entries to the disk. Only then may they be acknowledged.</summary>
    public void Flush()
    {
        if (_unwritten.Length == 0)
            return;
        _unwritten.WriteTo(_file);
        _end += _unwritten.Length;
        _unwritten.SetLength(0);
        Mark();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _file.Dispose();
        _unwritten.Dispose();
    }

    // The mark itself need not be on the disk: without it the file is read as before.
    private void Mark()
    {
        _file.Flush(flushToDisk: true);
        Span<byte> mark = stackalloc byte[Head];
        WriteHead(mark, _end, []);
        _file.Write(mark);
        _file.Flush();
        _end += Head;
    }

    private static void WriteHead(Span<byte> head, long place, ReadOnlySpan<byte> content)
    {
        BinaryPrimitives.WriteInt32BigEndian(head, content.Length);
        BinaryPrimitives.WriteUInt32BigEndian(head[sizeof(int)..], Checksum(place, content));
    }

    private static uint Checksum(long place, ReadOnlySpan<byte> content)
    {
        Span<byte> where = stackalloc byte[sizeof(long) + sizeof(int)];
        BinaryPrimitives.WriteInt64BigEndian(where, place);
        BinaryPrimitives.WriteInt32BigEndian(where[sizeof(long)..], content.Length);
        return Crc32C.Of(content, Crc32C.Of(where));
    }

    /// <summary>Reads all entries.</summary>
    /// <param name="apply">Takes each.</param>
    /// <param name="isMarked">Whether nothing is there, or a mark is the last.</param>
    /// <returns>The end of the last whole entry.</returns>
    private long Recover(Reader apply, out bool isMarked)
    {
        var head = new byte[Head];
        long end = 0;
        isMarked = true;
        _file.Seek(0, SeekOrigin.Begin);
        var reader = new BufferedStream(_file);
        while (_file.Length - end >= Head)
        {
            reader.ReadExactly(head);
            var length = BinaryPrimitives.ReadInt32BigEndian(head);
            if (length < 0 || length > _file.Length - end - Head)
                break;
            var content = new byte[length];
            reader.ReadExactly(content);
            if (Checksum(end, content) != BinaryPrimitives.ReadUInt32BigEndian(head.AsSpan(sizeof(int))))
                break;
            if (length > 0)
                apply(content);
            isMarked = length == 0;
            end += Head + length;
        }
        ThrowIfDamaged(end);
        return end;
    }

    // An entry that was cut off has nothing behind it.
    private void ThrowIfDamaged(long end)
    {
        var rest = new byte[(int)Math.Min(Array.MaxLength, _file.Length - end)];
        _file.Seek(end, SeekOrigin.Begin);
        _file.ReadExactly(rest);
        for (var place = 1; place <= rest.Length - Head; place++)
        {
            if (!IsWhole(rest.AsSpan(place), end + place))
                continue;
            var length = BinaryPrimitives.ReadInt32BigEndian(rest);
            var problem = IsInside(length, rest) ? "its checksum is wrong" : "the file has no room for it";
            throw new IOException(
                FormattableString.Invariant(
                    $"{_path} is damaged at byte {end}: an entry of {length} bytes should begin there, and {problem}. "
                )
                    + FormattableString.Invariant($"Whole entries follow from byte {end + place} on. ")
                    + "They were acknowledged, and nothing was changed. Put a copy of the file in its place, or move "
                    + "it away to begin without its messages."
            );
        }
    }

    private static bool IsInside(int length, ReadOnlySpan<byte> bytes) => length >= 0 && length <= bytes.Length - Head;

    private static bool IsWhole(ReadOnlySpan<byte> bytes, long place)
    {
        var length = BinaryPrimitives.ReadInt32BigEndian(bytes);
        return IsInside(length, bytes)
            && Checksum(place, bytes.Slice(Head, length)) == BinaryPrimitives.ReadUInt32BigEndian(bytes[sizeof(int)..]);
    }
}
