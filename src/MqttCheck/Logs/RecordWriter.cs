namespace MqttCheck.Logs;

/// <summary>
/// Writes records to a file, one line each, on a thread of its own, so that a sender pays for one copy into memory and never for the disk. Everything appended is handed to the operating system within 200 ms,
/// so a killed process loses no more than that; <see cref="Dispose"/> writes the rest.
/// </summary>
/// <remarks>
/// Any thread may append. When the disk falls behind by the capacity, <see cref="Append"/> waits rather than drops. Sender and writer share a lock for as long as it takes to copy one record or to change two
/// buffers over: formatting and writing happen outside.
/// </remarks>
/// <typeparam name="T">The record.</typeparam>
public sealed class RecordWriter<T> : IDisposable where T : struct
{
    private const int WakeMilliseconds = 100;
    private const int BufferBytes = 256 << 10;

    private readonly string _path;
    private readonly Stream _file;
    private readonly RecordFormat<T> _format;
    private readonly int _longestLineBytes;
    private readonly Thread _thread;
    private readonly object _gate = new();
    private readonly byte[] _bytes = new byte[BufferBytes];
    private T[] _waiting, _writing;
    private int _count;
    private long _appended, _written;
    private bool _closed, _reported;
    private Exception? _failure;

    /// <summary>Takes over a stream.</summary>
    /// <param name="path">What to call it in messages.</param>
    /// <param name="file">The stream, which belongs to the writer from now on.</param>
    /// <param name="capacity">How many records may wait in memory, at least 2.</param>
    /// <param name="longestLineBytes">The most bytes that a line has, at most 64 KiB.</param>
    /// <param name="format">Formats a record, on the writer's thread.</param>
    public RecordWriter(string path, Stream file, int capacity, int longestLineBytes, RecordFormat<T> format)
    {
        ArgumentNullException.ThrowIfNull(path);
        ArgumentNullException.ThrowIfNull(file);
        ArgumentNullException.ThrowIfNull(format);
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 2);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(longestLineBytes, 64 << 10);
        (_path, _file, _longestLineBytes, _format) = (path, file, longestLineBytes, format);
        (_waiting, _writing) = (new T[capacity], new T[capacity]);
        _thread = new Thread(WriteLoop) { IsBackground = true, Name = "log writer" };
        _thread.Start();
    }

    /// <summary>How many records have been appended so far.</summary>
    public long Appended => Interlocked.Read(ref _appended);

    /// <summary>Appends a record.</summary>
    /// <param name="record">The record.</param>
    /// <exception cref="IOException">Earlier records could not be written to the disk. What was written before stays in the file.</exception>
    public void Append(in T record)
    {
        lock (_gate)
        {
            while (_count == _waiting.Length && _failure is null && !_closed)
            {
                Monitor.PulseAll(_gate);
                Monitor.Wait(_gate);
            }
            ThrowIfFailed();
            ObjectDisposedException.ThrowIf(_closed, this);
            _waiting[_count++] = record;
            _appended++;
            if (_count == _waiting.Length / 2) Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Waits until everything appended so far has been handed to the operating system.</summary>
    /// <exception cref="IOException">It could not be written.</exception>
    public void Flush()
    {
        lock (_gate)
        {
            var target = _appended;
            while (_written < target && _failure is null)
            {
                Monitor.PulseAll(_gate);
                Monitor.Wait(_gate);
            }
            ThrowIfFailed();
        }
    }

    /// <summary>Writes everything appended and closes the file.</summary>
    /// <exception cref="IOException">Something could not be written, and no earlier call has said so.</exception>
    public void Dispose()
    {
        lock (_gate)
        {
            if (_closed) return;
            _closed = true;
            Monitor.PulseAll(_gate);
        }
        _thread.Join();
        try
        {
            _file.Dispose();
        }
        catch (IOException failure)
        {
            _failure ??= failure;
        }
        lock (_gate)
        {
            if (!_reported) ThrowIfFailed();
        }
    }

    private void WriteLoop()
    {
        while (true)
        {
            int count;
            lock (_gate)
            {
                if (_count == 0 && _closed) return;
                if (_count < _waiting.Length / 2 && !_closed) Monitor.Wait(_gate, WakeMilliseconds);
                (_waiting, _writing) = (_writing, _waiting);
                (count, _count) = (_count, 0);
                // A sender that waits for room has it now.
                Monitor.PulseAll(_gate);
            }
            Exception? failure = null;
            try
            {
                Write(_writing.AsSpan(0, count));
            }
            catch (Exception caught) when (caught is IOException or UnauthorizedAccessException)
            {
                failure = caught;
            }
            lock (_gate)
            {
                _written += count;
                if (failure is not null) _failure = failure;
                Monitor.PulseAll(_gate);
                if (failure is not null) return;
            }
        }
    }

    private void Write(ReadOnlySpan<T> records)
    {
        var used = 0;
        foreach (ref readonly var record in records)
        {
            if (_bytes.Length - used < _longestLineBytes)
            {
                _file.Write(_bytes, 0, used);
                used = 0;
            }
            used += _format(record, _bytes.AsSpan(used));
        }
        if (used > 0) _file.Write(_bytes, 0, used);
    }

    private void ThrowIfFailed()
    {
        if (_failure is null) return;
        _reported = true;
        throw new IOException($"log {_path}: {_failure.Message}", _failure);
    }
}
