namespace MqttCheck.Cli.Terminal;

/// <summary>Files that are written at the end of long work.</summary>
internal static class OutputPath
{
    private static readonly string[] s_ofSystem = ["/dev/", "/proc/", "/sys/"];

    /// <summary>
    /// Makes sure before the work begins that its result can be written. An earlier file of that name stays as it is.
    /// </summary>
    /// <param name="path">The file to be written; its folder is created if need be.</param>
    /// <exception cref="InputException">Nothing can be written there.</exception>
    public static void RequireWritable(string path, string option)
    {
        if (Directory.Exists(path))
            throw new InputException($"{option}: '{path}' is a directory; allowed: a file.");
        if (IsOfSystem(path))
            throw new InputException($"{option}: '{path}' is no place for a file; allowed: a file on a disk.");
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(path))!);
            using var probe = new FileStream(
                path + ".tmp",
                FileMode.Create,
                FileAccess.Write,
                FileShare.None,
                1,
                FileOptions.DeleteOnClose
            );
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new InputException(
                $"{option}: '{path}' cannot be written: {Reason(exception, path)}; allowed: a file in a directory that "
                    + "can be written.",
                exception
            );
        }
    }

    /// <summary>Makes sure that a result does not replace a file that is read.</summary>
    /// <param name="path">The file to be written.</param>
    /// <param name="inputs">The files that are read, or words for what is no file.</param>
    /// <exception cref="InputException">It is one of them.</exception>
    public static void RequireOther(string path, string option, IEnumerable<string> inputs)
    {
        if (inputs.Any(input => Path.GetFullPath(input) == Path.GetFullPath(path)))
            throw new InputException(
                $"{option}: '{path}' would be replaced by the result, and is read; allowed: another directory."
            );
    }

    /// <summary>Says that a file of an earlier result is about to be replaced, where there is one.</summary>
    /// <param name="path">The file to be written.</param>
    public static void NoteReplaced(Screen screen, string path)
    {
        if (File.Exists(path))
            screen.Note($"{path} existed and is replaced");
    }

    /// <summary>Makes sure that a directory can be made where results are to go.</summary>
    /// <param name="path">The directory, which need not exist.</param>
    /// <exception cref="InputException">A file stands there.</exception>
    public static void RequireDirectory(string path, string option)
    {
        if (File.Exists(path))
            throw new InputException($"{option}: '{path}' is a file; allowed: a directory.");
    }

    /// <summary>Makes sure before the work begins that files can be written to a directory.</summary>
    /// <param name="path">The directory; it is created if need be.</param>
    /// <exception cref="InputException">Nothing can be written there.</exception>
    public static void RequireWritableDirectory(string path, string option)
    {
        RequireDirectory(path, option);
        if (IsOfSystem(path))
            throw new InputException($"{option}: '{path}' is no place for files; allowed: a directory on a disk.");
        try
        {
            Directory.CreateDirectory(path);
            using var probe = new FileStream(
                Path.Combine(path, ".mqttcheck.tmp"),
                FileMode.Create,
                FileAccess.Write,
                FileShare.None,
                1,
                FileOptions.DeleteOnClose
            );
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new InputException(
                $"{option}: nothing can be written to '{path}': {Reason(exception, path)}; "
                    + "allowed: a directory that can be written, or one that can be made.",
                exception
            );
        }
    }

    // A device would be replaced by a file, for everyone on the machine.
    private static bool IsOfSystem(string path)
    {
        var whole = Path.GetFullPath(path);
        return Array.Exists(s_ofSystem, folder => whole.StartsWith(folder, StringComparison.Ordinal))
            && !whole.StartsWith("/dev/shm/", StringComparison.Ordinal);
    }

    // The system speaks of the file that was tried, which nobody has heard of.
    private static string Reason(Exception exception, string path) =>
        exception is UnauthorizedAccessException ? "it is not permitted"
        : Ancestor(path) is { } file ? $"'{file}' is a file"
        : exception is DirectoryNotFoundException ? "there is no such directory"
        : exception.Message.Replace(".tmp", "", StringComparison.Ordinal);

    private static string? Ancestor(string path)
    {
        var folder = Path.GetDirectoryName(Path.GetFullPath(path));
        while (folder is not null && !File.Exists(folder))
            folder = Path.GetDirectoryName(folder);
        return folder;
    }
}
