using System.Buffers.Binary;
using System.Numerics;

namespace MqttCheck.LiveClusters.Nodes.Pipeline;

/// <summary>
/// Entries in one file, one after the other. Everything that <see cref="Flush"/> has written survives the end of the
/// process and of the machine. Opening the file drops an entry that was cut off at its end.
/// </summary>
/// <remarks>
/// Not thread-safe. An entry is its length and its checksum (CRC-32C), each four bytes, and its content.
/// </remarks>
internal sealed class EntryFile : IDisposable
{
    private const int Head = 8;

    private readonly FileStream _file;
    private readonly MemoryStream _unwritten = new();

    /// <summary>Opens a file, or begins one.</summary>
    /// <param name="path">The file.</param>
    /// <param name="apply">Takes each whole entry of the file, in order.</param>
    public EntryFile(string path, Reader apply)
    {
        _file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.Read);
        _file.SetLength(Recover(apply));
        _file.Seek(0, SeekOrigin.End);
    }

    /// <summary>Takes an entry.</summary>
    public delegate void Reader(ReadOnlySpan<byte> content);

    /// <summary>Adds an entry; the next <see cref="Flush"/> writes it.</summary>
    public void Write(ReadOnlySpan<byte> content)
    {
        Span<byte> head = stackalloc byte[Head];
        BinaryPrimitives.WriteInt32BigEndian(head, content.Length);
        BinaryPrimitives.WriteUInt32BigEndian(head[4..], Checksum(content));
        _unwritten.Write(head);
        _unwritten.Write(content);
    }

    /// <summary>Writes all added entries to the disk. Only then may they be acknowledged.</summary>
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

    /// <returns>The end of the last whole entry.</returns>
    private long Recover(Reader apply)
    {
        var head = new byte[Head];
        long end = 0;
        _file.Seek(0, SeekOrigin.Begin);
        while (_file.Length - end >= Head)
        {
            _file.ReadExactly(head);
            var length = BinaryPrimitives.ReadInt32BigEndian(head);
            if (length <= 0 || length > _file.Length - end - Head)
                break;
            var content = new byte[length];
            _file.ReadExactly(content);
            if (Checksum(content) != BinaryPrimitives.ReadUInt32BigEndian(head.AsSpan(4)))
                break;
            apply(content);
            end += Head + length;
        }
        return end;
    }

    private static uint Checksum(ReadOnlySpan<byte> content)
    {
        var sum = ~0u;
        foreach (var value in content)
            sum = BitOperations.Crc32C(sum, value);
        return ~sum;
    }
}
