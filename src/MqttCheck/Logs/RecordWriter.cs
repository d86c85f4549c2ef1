using System.Collections.Concurrent;

namespace MqttCheck.Logs;

/// <summary>
/// Writes records to a file, one line each, on a thread of its own, so that a sender pays for one copy into memory and
/// never for the disk. Everything appended is handed to the operating system within 200 ms, so a killed process loses
/// no more than that; <see cref="Dispose"/> writes the rest.
/// </summary>
/// <remarks>
/// Any thread may append. When the disk falls behind by the capacity, <see cref="Append"/> waits rather than drops.
/// Otherwise a sender never waits for the writer, not even when the scheduler takes the writer's processor away:
/// records pass in blocks, of which the sender fills one while the writer reads what is published of it.
/// </remarks>
/// <typeparam name="T">The record.</typeparam>
internal sealed class RecordWriter<T> : IDisposable
    where T : struct
{
    private const int WakeMilliseconds = 100;
    private const int BlockRecords = 256;

    private readonly string _path;
    private readonly Stream _file;
    private readonly RecordFormat<T> _format;
    private readonly int _capacity;
    private readonly Thread _thread;
    private readonly byte[] _bytes;
    private readonly ConcurrentQueue<Block> _free = new();

    // Held while a record is appended; the writer never takes it.
    private readonly Lock _appending = new();

    // For waiting and waking only.
    private readonly object _gate = new();
    private Block _filled;
    private Block _read;
    private int _readOfBlock;
    private long _appended,
        _written,
        _flushTo;
    private bool _reported;
    private volatile bool _closed;
    private volatile Exception? _failure;

    /// <summary>Takes over a stream.</summary>
    /// <param name="path">The name of the file in messages.</param>
    /// <param name="file">The stream, which belongs to the writer from now on.</param>
    /// <param name="capacity">How many records may wait in memory, at least 2.</param>
    /// <param name="longestLineBytes">The most bytes that a line has, at most 64 KiB.</param>
    /// <param name="format">Formats a record, on the writer's thread.</param>
    public RecordWriter(string path, Stream file, int capacity, int longestLineBytes, RecordFormat<T> format)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 2);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(longestLineBytes, 64 << 10);
        (_path, _file, _capacity, _format) = (path, file, capacity, format);
        _bytes = new byte[BlockRecords * longestLineBytes];
        _filled = _read = new();
        _thread = new Thread(WriteLoop) { IsBackground = true, Name = "log writer" };
        _thread.Start();
    }

    /// <summary>How many records have been appended so far.</summary>
    public long Appended => Volatile.Read(ref _appended);

    private long Waiting => Appended - Volatile.Read(ref _written);

    /// <summary>Appends a record.</summary>
    /// <param name="record">The record.</param>
    /// <exception cref="IOException">
    /// Earlier records could not be written to the disk. The file keeps those that were written before.
    /// </exception>
    public void Append(in T record)
    {
        lock (_appending)
        {
            var waiting = Waiting;
            if (waiting >= _capacity)
                AwaitRoom();
            ThrowIfFailed();
            ObjectDisposedException.ThrowIf(_closed, this);
            if (_filled.Published == BlockRecords)
            {
                if (!_free.TryDequeue(out var next))
                    next = new();
                _filled.Next = next;
                _filled = next;
            }
            _filled.Records[_filled.Published] = record;
            _filled.Published++;
            Volatile.Write(ref _appended, _appended + 1);
            if (waiting == _capacity / 2)
                Wake();
        }
    }

    /// <summary>Waits until everything appended so far has been handed to the operating system.</summary>
    /// <exception cref="IOException">It could not be written.</exception>
    public void Flush()
    {
        lock (_gate)
        {
            var target = Appended;
            _flushTo = Math.Max(_flushTo, target);
            Monitor.PulseAll(_gate);
            while (Volatile.Read(ref _written) < target && _failure is null)
                Monitor.Wait(_gate);
        }
        ThrowIfFailed();
    }

    /// <summary>Writes everything appended and closes the file.</summary>
    /// <exception cref="IOException">Something could not be written, and no earlier call has said so.</exception>
    public void Dispose()
    {
        lock (_appending)
        {
            if (_closed)
                return;
            _closed = true;
        }
        lock (_gate)
            Monitor.PulseAll(_gate);
        _thread.Join();
        try
        {
            _file.Dispose();
        }
        catch (IOException failure)
        {
            _failure ??= failure;
        }
        if (!_reported)
            ThrowIfFailed();
    }

    // The writer is awake if it holds the gate.
    private void Wake()
    {
        if (!Monitor.TryEnter(_gate))
            return;
        Monitor.PulseAll(_gate);
        Monitor.Exit(_gate);
    }

    private void AwaitRoom()
    {
        lock (_gate)
        {
            Monitor.PulseAll(_gate);
            while (Waiting >= _capacity && _failure is null)
                Monitor.Wait(_gate);
        }
    }

    private void WriteLoop()
    {
        while (true)
        {
            // Read before the records: what was appended before the end is written.
            var isLast = _closed;
            try
            {
                while (WriteBlock()) { }
            }
            catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
            {
                _failure = failure;
            }
            lock (_gate)
            {
                Monitor.PulseAll(_gate);
                if (isLast || _failure is not null)
                    return;
                if (!_closed && _flushTo <= Volatile.Read(ref _written) && Waiting < _capacity / 2)
                    Monitor.Wait(_gate, WakeMilliseconds);
            }
        }
    }

    // Writes what is published of a block.
    private bool WriteBlock()
    {
        var published = _read.Published;
        if (_readOfBlock == BlockRecords)
        {
            if (_read.Next is not { } next)
                return false;
            _read.Clear();
            _free.Enqueue(_read);
            (_read, _readOfBlock) = (next, 0);
            return true;
        }
        if (published == _readOfBlock)
            return false;
        var used = 0;
        for (var index = _readOfBlock; index < published; index++)
            used += _format(_read.Records[index], _bytes.AsSpan(used));
        _file.Write(_bytes, 0, used);
        Volatile.Write(ref _written, _written + published - _readOfBlock);
        _readOfBlock = published;
        if (Waiting + BlockRecords >= _capacity)
            Wake();
        return true;
    }

    private void ThrowIfFailed()
    {
        if (_failure is not { } failure)
            return;
        _reported = true;
        throw new IOException($"log {_path}: {failure.Message}", failure);
    }

    private sealed class Block
    {
        public readonly T[] Records = new T[BlockRecords];
        public volatile int Published;
        public volatile Block? Next;

        public void Clear() => (Published, Next) = (0, null);
    }
}
