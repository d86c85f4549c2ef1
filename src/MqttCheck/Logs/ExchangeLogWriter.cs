using MqttCheck.Clients;

namespace MqttCheck.Logs;

/// <summary>
/// Writes exchanges to a CSV file on a thread of its own, as <see cref="RecordWriter{T}"/> does: appending costs a
/// sender one copy into memory.
/// </summary>
/// <remarks>
/// Any thread may append. When the disk falls behind by <see cref="Capacity"/> exchanges, <see cref="Append"/> waits
/// rather than drops. UTF-8, newline <c>\n</c>, numbers as the shortest text that reads back to the same value, NaN as
/// an empty field.
/// </remarks>
internal sealed class ExchangeLogWriter : IExchangeSink, IDisposable
{
    /// <summary>How many exchanges may wait in memory.</summary>
    public const int Capacity = 65_536;

    internal const int LongestLineBytes = 1024;

    private readonly RecordWriter<Exchange> _writer;

    /// <summary>Creates the file and writes its header.</summary>
    /// <param name="path">The path of the new file; its folder is created if need be.</param>
    /// <exception cref="InputException">The file exists already, or cannot be created.</exception>
    public ExchangeLogWriter(string path)
        : this(path, LogFile.WithHeader(path, LogFile.Create(path), ExchangeColumns.Names)) { }

    /// <summary>Takes over an open file, whose header is written.</summary>
    /// <param name="path">The name of the file in messages.</param>
    /// <param name="file">The file, which belongs to the writer from now on.</param>
    internal ExchangeLogWriter(string path, Stream file)
    {
        Path = path;
        _writer = new(path, file, Capacity, LongestLineBytes, ExchangeColumns.FormatLine);
    }

    /// <summary>The path of the file.</summary>
    public string Path { get; }

    /// <summary>How many exchanges have been appended so far.</summary>
    public long Appended => _writer.Appended;

    /// <summary>Appends an exchange.</summary>
    /// <param name="exchange">The exchange.</param>
    /// <exception cref="IOException">
    /// Earlier exchanges could not be written to the disk. The file keeps those that were written before.
    /// </exception>
    public void Append(in Exchange exchange) => _writer.Append(exchange);

    /// <summary>Waits until everything appended so far has been handed to the operating system.</summary>
    /// <exception cref="IOException">It could not be written.</exception>
    public void Flush() => _writer.Flush();

    /// <summary>Writes everything appended and closes the file.</summary>
    /// <exception cref="IOException">Something could not be written, and no earlier call has said so.</exception>
    public void Dispose() => _writer.Dispose();
}
