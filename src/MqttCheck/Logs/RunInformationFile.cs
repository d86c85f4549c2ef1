using MqttCheck.Text;

namespace MqttCheck.Logs;

/// <summary>
/// Reads and writes the file beside a log, <c>NAME.run.json</c> beside <c>NAME.csv</c> or <c>NAME.csv.gz</c>.
/// </summary>
internal static class RunInformationFile
{
    /// <summary>The version of the log's columns and of this file that is written and read.</summary>
    public const int Schema = 1;

    /// <summary>The path of the file beside a log.</summary>
    /// <param name="logPath">The path of the log.</param>
    public static string PathOf(string logPath) => Path.ChangeExtension(LogFile.Uncompressed(logPath), ".run.json");

    /// <summary>Writes the file beside a log, or replaces it whole.</summary>
    /// <param name="logPath">The path of the log.</param>
    /// <param name="information">The information to write.</param>
    /// <exception cref="IOException">The file cannot be written; an earlier one stays as it was.</exception>
    public static void Write(string logPath, RunInformation information)
    {
        AtomicFile.Write(PathOf(logPath), RunFormat.Kind.ToBytes(information));
    }

    /// <summary>Reads the file beside a log.</summary>
    /// <param name="logPath">The path of the log.</param>
    /// <returns>The information, or null if there is no such file.</returns>
    /// <exception cref="InputException">
    /// The file is malformed or of another version: every finding with file, line and key.
    /// </exception>
    public static RunInformation? TryRead(string logPath)
    {
        var path = PathOf(logPath);
        if (!File.Exists(path))
            return null;
        try
        {
            return RunFormat.Kind.Parse(File.ReadAllBytes(path), path);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new InputException($"{path}: {failure.Message}", failure);
        }
    }
}
