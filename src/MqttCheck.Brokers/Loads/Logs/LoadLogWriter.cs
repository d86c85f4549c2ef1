using System.IO.Compression;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Loads.Logs;

/// <summary>
/// Writes the messages of a load to a CSV file on a thread of its own, as <see cref="RecordWriter{T}"/> does: the
/// generator pays for one copy into memory.
/// </summary>
/// <remarks>
/// When the disk falls behind by <see cref="Capacity"/> messages, <see cref="Append"/> waits rather than drops. A path
/// that ends in <c>.gz</c> is compressed.
/// </remarks>
internal sealed class LoadLogWriter : ILoadSink, IDisposable
{
    /// <summary>How many messages may wait in memory.</summary>
    public const int Capacity = 16_384;

    private const int LongestLineBytes = 256;

    private readonly RecordWriter<LoadLine> _writer;
    private long _messages;

    /// <summary>Creates the file and writes its header.</summary>
    /// <param name="path">The path of the new file; its folder is created if need be.</param>
    /// <exception cref="InputException">The file exists already, or cannot be created.</exception>
    public LoadLogWriter(string path)
        : this(path, LogFile.Create(path)) { }

    /// <summary>Takes over a stream.</summary>
    /// <param name="path">The name of the log in messages.</param>
    /// <param name="file">The stream, which belongs to the writer from now on.</param>
    internal LoadLogWriter(string path, Stream file)
    {
        file = path.EndsWith(".gz", StringComparison.Ordinal) ? new GZipStream(file, CompressionLevel.Fastest) : file;
        _writer = new(
            path,
            LogFile.WithHeader(path, file, LoadColumns.Names),
            Capacity,
            LongestLineBytes,
            LoadLine.Format
        );
    }

    /// <summary>Appends a message.</summary>
    /// <param name="message">The message.</param>
    /// <exception cref="IOException">
    /// Earlier messages could not be written to the disk. Messages that were written before stay in the file.
    /// </exception>
    public void Append(in LoadMessage message)
    {
        _writer.Append(LoadLine.Of(message));
        _messages++;
    }

    /// <summary>Appends a further arrival of a message.</summary>
    /// <param name="repeat">The arrival.</param>
    /// <exception cref="IOException">As <see cref="Append"/>.</exception>
    public void AppendRepeat(in LoadRepeat repeat) => _writer.Append(LoadLine.Of(repeat));

    /// <summary>
    /// Appends the last line, the verdict on the run. A log without it belongs to a run that was killed.
    /// </summary>
    /// <param name="verdict">Whether the messages can be used.</param>
    /// <exception cref="IOException">As <see cref="Append"/>.</exception>
    public void Conclude(LoadVerdict verdict) => _writer.Append(LoadLine.Of(verdict, _messages));

    /// <summary>Writes everything appended and closes the file.</summary>
    /// <exception cref="IOException">Something could not be written, and no earlier call has said so.</exception>
    public void Dispose() => _writer.Dispose();
}
