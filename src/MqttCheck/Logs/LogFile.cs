using System.Text;

namespace MqttCheck.Logs;

/// <summary>Creates the files of logs, and knows their names.</summary>
internal static class LogFile
{
    /// <summary>How the name of a log ends that is compressed by gzip.</summary>
    public const string Compressed = ".gz";

    /// <summary>
    /// The path of a log without the end that says that it is compressed: <c>NAME.csv</c> for <c>NAME.csv.gz</c>.
    /// </summary>
    /// <param name="path">The path.</param>
    public static string Uncompressed(string path)
    {
        return IsCompressed(path) ? path[..^Compressed.Length] : path;
    }

    /// <summary>Whether a log is compressed, by its name.</summary>
    /// <param name="path">The path.</param>
    public static bool IsCompressed(string path)
    {
        return path.EndsWith(Compressed, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>Creates a file.</summary>
    /// <param name="path">The path of the new file; its folder is created if need be.</param>
    /// <returns>The file without a buffer: what is written is with the operating system.</returns>
    /// <exception cref="InputException">The file exists already, or cannot be created.</exception>
    public static FileStream Create(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(path))!);
            return new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.Read, bufferSize: 0);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            var reason = File.Exists(path) ? "the file exists already; allowed: a new file" : failure.Message;
            throw new InputException($"log {path}: {reason}", failure);
        }
    }

    /// <summary>Writes the names of the columns as the first line.</summary>
    /// <param name="path">The name of the file in messages.</param>
    /// <param name="file">The file, closed when it cannot be written.</param>
    /// <param name="columns">The names.</param>
    /// <returns>The file.</returns>
    /// <exception cref="InputException">It cannot be written.</exception>
    public static Stream WithHeader(string path, Stream file, IEnumerable<string> columns)
    {
        try
        {
            file.Write(Encoding.ASCII.GetBytes(string.Join(',', columns) + "\n"));
            return file;
        }
        catch (IOException failure)
        {
            file.Dispose();
            throw new InputException($"log {path}: {failure.Message}", failure);
        }
    }
}
