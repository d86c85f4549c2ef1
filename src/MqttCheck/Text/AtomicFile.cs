namespace MqttCheck.Text;

/// <summary>
/// Replaces files whole or not at all: new content goes to a file beside the old one, which then takes its name. So a
/// reader finds either the old or the new content, even after a crash.
/// </summary>
internal static class AtomicFile
{
    /// <summary>Writes bytes.</summary>
    /// <param name="path">The path of the file; its folder is created if need be.</param>
    /// <param name="bytes">The new content of the file.</param>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public static void Write(string path, byte[] bytes) => Replace(path, beside => File.WriteAllBytes(beside, bytes));

    /// <summary>Writes text as UTF-8.</summary>
    /// <param name="path">The path of the file; its folder is created if need be.</param>
    /// <param name="text">The new content of the file.</param>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public static void Write(string path, string text) => Replace(path, beside => File.WriteAllText(beside, text));

    /// <summary>Writes what a function writes to a stream.</summary>
    /// <param name="path">The path of the file; its folder is created if need be.</param>
    /// <param name="write">Writes the content. When it throws, the file stays as it was.</param>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public static void Write(string path, Action<Stream> write)
    {
        Replace(
            path,
            beside =>
            {
                using var stream = File.Create(beside);
                write(stream);
            }
        );
    }

    private static void Replace(string path, Action<string> write)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(path))!);
        var beside = path + ".tmp";
        try
        {
            write(beside);
        }
        catch (Exception failure)
        {
            File.Delete(beside);
            // Nobody has heard of the file beside.
            if (failure is IOException && failure.Message.Contains(".tmp'", StringComparison.Ordinal))
                throw new IOException(failure.Message.Replace(".tmp'", "'", StringComparison.Ordinal), failure);
            throw;
        }
        File.Move(beside, path, overwrite: true);
    }
}
