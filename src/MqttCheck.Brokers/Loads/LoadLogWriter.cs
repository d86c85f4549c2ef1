using System.Buffers.Text;
using System.IO.Compression;
using System.Text;

namespace MqttCheck.Brokers.Loads;

/// <summary>
/// Writes the messages of a load to a CSV file on a thread of its own, so that the generator pays for one copy into memory and never for the disk. Everything appended is handed
/// to the operating system within 200 ms.
/// </summary>
/// <remarks>When the disk falls behind by <see cref="Capacity"/> messages, <see cref="Append"/> waits rather than drops. A path that ends in <c>.gz</c> is compressed.</remarks>
public sealed class LoadLogWriter : ILoadSink, IDisposable
{
    /// <summary>How many messages may wait in memory.</summary>
    public const int Capacity = 16_384;

    private const int WakeMilliseconds = 100;
    private const int LongestLineBytes = 256;

    private readonly string _path;
    private readonly Stream _file;
    private readonly Thread _thread;
    private readonly object _gate = new();
    private readonly byte[] _bytes = new byte[64 << 10];
    private LoadMessage[] _waiting = new LoadMessage[Capacity];
    private LoadMessage[] _writing = new LoadMessage[Capacity];
    private int _count;
    private bool _closed, _reported;
    private Exception? _failure;

    /// <summary>Creates the file and writes its header.</summary>
    /// <param name="path">The path of the new file; its folder is created if need be.</param>
    /// <exception cref="InputException">The file exists already, or cannot be created.</exception>
    public LoadLogWriter(string path) : this(path, Create(path))
    {
    }

    /// <summary>Takes over a stream.</summary>
    /// <param name="path">What to call it in messages.</param>
    /// <param name="file">The stream, which belongs to the writer from now on.</param>
    internal LoadLogWriter(string path, Stream file)
    {
        (_path, _file) = (path, path.EndsWith(".gz", StringComparison.Ordinal) ? new GZipStream(file, CompressionLevel.Fastest) : file);
        _file.Write(Encoding.ASCII.GetBytes(string.Join(',', LoadColumns.Names) + "\n"));
        _thread = new Thread(WriteLoop) { IsBackground = true, Name = "message log" };
        _thread.Start();
    }

    /// <summary>Appends a message.</summary>
    /// <param name="message">The message.</param>
    /// <exception cref="IOException">Earlier messages could not be written to the disk. What was written before stays in the file.</exception>
    public void Append(in LoadMessage message)
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
            _waiting[_count++] = message;
            if (_count == Capacity / 2) Monitor.PulseAll(_gate);
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

    /// <summary>Formats one line.</summary>
    /// <param name="message">The message.</param>
    /// <param name="to">Room for it.</param>
    /// <returns>Its length in bytes, the newline included.</returns>
    internal static int Format(in LoadMessage message, Span<byte> to)
    {
        var used = Number(to, message.Publisher);
        used += Number(to[used..], message.Number);
        used += Word(to[used..], message.IsWarmUp ? "warm-up" : "counted");
        used += Number(to[used..], (long)message.Qos);
        used += Number(to[used..], message.PayloadBytes);
        used += Microseconds(to[used..], message.IntendedNanoseconds);
        used += Microseconds(to[used..], message.SentNanoseconds);
        used += Microseconds(to[used..], message.SendBoundNanoseconds);
        used += Microseconds(to[used..], message.AcknowledgedNanoseconds);
        used += Microseconds(to[used..], message.DeliveredNanoseconds);
        used += Number(to[used..], message.Deliveries);
        used += Number(to[used..], message.IsReordered ? 1 : 0);
        used += Number(to[used..], message.IsOffline ? 1 : 0);
        used += Word(to[used..], LoadColumns.Outcomes[(int)message.Outcome]);
        to[used - 1] = (byte)'\n';
        return used;
    }

    private static FileStream Create(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(path))!);
            // No buffer in between: what is written is with the operating system.
            return new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.Read, bufferSize: 0);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            var reason = File.Exists(path) ? "the file exists already; allowed: a new file" : failure.Message;
            throw new InputException($"log {path}: {reason}", failure);
        }
    }

    private static int Number(Span<byte> to, long value)
    {
        Utf8Formatter.TryFormat(value, to, out var used);
        to[used] = (byte)',';
        return used + 1;
    }

    private static int Word(Span<byte> to, string word)
    {
        var used = Encoding.ASCII.GetBytes(word, to);
        to[used] = (byte)',';
        return used + 1;
    }

    // Microseconds with three decimals, so nanoseconds exactly; nothing where there is no time.
    private static int Microseconds(Span<byte> to, long nanoseconds)
    {
        if (nanoseconds == LoadMessage.None)
        {
            to[0] = (byte)',';
            return 1;
        }
        var start = 0;
        if (nanoseconds < 0)
        {
            to[start++] = (byte)'-';
            nanoseconds = -nanoseconds;
        }
        Utf8Formatter.TryFormat(nanoseconds / 1000, to[start..], out var used);
        used += start;
        var rest = (int)(nanoseconds % 1000);
        to[used++] = (byte)'.';
        to[used++] = (byte)('0' + rest / 100);
        to[used++] = (byte)('0' + rest / 10 % 10);
        to[used++] = (byte)('0' + rest % 10);
        to[used] = (byte)',';
        return used + 1;
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
                // A generator that waits for room has it now.
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
            if (failure is null) continue;
            lock (_gate)
            {
                _failure = failure;
                Monitor.PulseAll(_gate);
                return;
            }
        }
    }

    private void Write(ReadOnlySpan<LoadMessage> messages)
    {
        var used = 0;
        foreach (ref readonly var message in messages)
        {
            if (_bytes.Length - used < LongestLineBytes)
            {
                _file.Write(_bytes, 0, used);
                used = 0;
            }
            used += Format(message, _bytes.AsSpan(used));
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
