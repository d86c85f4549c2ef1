using System.Text;
using MqttCheck.Clients;

namespace MqttCheck.Logs;

/// <summary>
/// Writes exchanges to a CSV file on a thread of its own, so that a sender pays for one copy into memory and never for the disk. Everything appended is handed to
/// the operating system within 200 ms, so a killed process loses no more than that; <see cref="Dispose"/> writes the rest.
/// </summary>
/// <remarks>
/// Any thread may append. When the disk falls behind by <see cref="Capacity"/> exchanges, <see cref="Append"/> waits rather than drops. UTF-8, newline <c>\n</c>, numbers as the shortest
/// text that reads back to the same value, NaN as an empty field.
/// </remarks>
public sealed class ExchangeLogWriter : IExchangeSink, IDisposable
{
    /// <summary>How many exchanges may wait in memory.</summary>
    public const int Capacity = 65_536;

    private const int WakeMilliseconds = 100;
    private const int LongestLineBytes = 1024;

    private readonly string _path;
    private readonly Stream _file;
    private readonly Thread _thread;
    private readonly object _gate = new();
    private readonly byte[] _bytes = new byte[256 * 1024];
    private Exchange[] _waiting = new Exchange[Capacity];
    private Exchange[] _writing = new Exchange[Capacity];
    private int _count;
    private long _appended, _written;
    private bool _closed, _reported;
    private Exception? _failure;

    /// <summary>Creates the file and writes its header.</summary>
    /// <param name="path">The path of the new file; its folder is created if need be.</param>
    /// <exception cref="InputException">The file exists already, or cannot be created.</exception>
    public ExchangeLogWriter(string path) : this(path, Create(path))
    {
    }

    /// <summary>Takes over an open file.</summary>
    /// <param name="path">What to call it in messages.</param>
    /// <param name="file">The file, which belongs to the writer from now on.</param>
    internal ExchangeLogWriter(string path, Stream file)
    {
        (_path, _file) = (path, file);
        _thread = new Thread(WriteLoop) { IsBackground = true, Name = "exchange log" };
        _thread.Start();
    }

    /// <summary>The path of the file.</summary>
    public string Path => _path;

    /// <summary>How many exchanges have been appended so far.</summary>
    public long Appended => Interlocked.Read(ref _appended);

    /// <summary>Appends an exchange.</summary>
    /// <param name="exchange">The exchange.</param>
    /// <exception cref="IOException">Earlier exchanges could not be written to the disk. What was written before stays in the file.</exception>
    public void Append(in Exchange exchange)
    {
        lock (_gate)
        {
            while (_count == Capacity && _failure is null && !_closed)
            {
                Monitor.PulseAll(_gate);
                Monitor.Wait(_gate);
            }
            ThrowIfFailed();
            ObjectDisposedException.ThrowIf(_closed, this);
            _waiting[_count++] = exchange;
            _appended++;
            if (_count == Capacity / 2) Monitor.PulseAll(_gate);
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

    private static FileStream Create(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        FileStream? file = null;
        try
        {
            Directory.CreateDirectory(System.IO.Path.GetDirectoryName(System.IO.Path.GetFullPath(path))!);
            // No buffer in between: what is written is with the operating system.
            file = new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.Read, bufferSize: 0);
            file.Write(Encoding.UTF8.GetBytes(string.Join(',', ExchangeColumns.Names) + "\n"));
            return file;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            file?.Dispose();
            var reason = file is null && File.Exists(path) ? "the file exists already; allowed: a new file" : failure.Message;
            throw new InputException($"log {path}: {reason}", failure);
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
                if (_count < Capacity / 2 && !_closed) Monitor.Wait(_gate, WakeMilliseconds);
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

    private void Write(ReadOnlySpan<Exchange> exchanges)
    {
        var used = 0;
        foreach (ref readonly var exchange in exchanges)
        {
            if (_bytes.Length - used < LongestLineBytes)
            {
                _file.Write(_bytes, 0, used);
                used = 0;
            }
            used += FormatLine(exchange, _bytes.AsSpan(used));
        }
        if (used > 0) _file.Write(_bytes, 0, used);
    }

    private static int FormatLine(in Exchange exchange, Span<byte> to)
    {
        var line = new CsvLine(to);
        line.Word(exchange.Message.Name());
        line.Number(exchange.ActiveMessages);
        line.Number(exchange.TotalSubscriptions);
        line.Number(exchange.TopicSize);
        line.Number(exchange.MessageSize);
        line.Number(exchange.Subscribers);
        line.Number(exchange.Receivers);
        line.Number(exchange.LatencyMilliseconds);
        line.Number(exchange.Run);
        line.Number(exchange.Client);
        line.Number(exchange.Sequence);
        line.Number(exchange.IssueIndex);
        line.Number(exchange.IntendedMicroseconds);
        line.Number(exchange.SentMicroseconds);
        line.Number(exchange.SendBoundMicroseconds);
        line.Number(exchange.AcknowledgedMicroseconds);
        line.Number(exchange.LastDeliveryMicroseconds);
        line.Number(exchange.EndMicroseconds);
        line.Number((int)exchange.Qos);
        line.Number(exchange.Topic);
        line.Word(ExchangeColumns.Phases[(int)exchange.Phase]);
        line.Word(ExchangeColumns.Outcomes[(int)exchange.Outcome]);
        return line.End();
    }

    private void ThrowIfFailed()
    {
        if (_failure is null) return;
        _reported = true;
        throw new IOException($"log {_path}: {_failure.Message}", _failure);
    }
}
