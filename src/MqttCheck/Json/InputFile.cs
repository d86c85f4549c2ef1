using MqttCheck.Text;

namespace MqttCheck.Json;

/// <summary>Reads files that a user names, and says in one way why one cannot be read.</summary>
internal static class InputFile
{
    /// <summary>The bytes of a file.</summary>
    /// <param name="what">The content of the file, for the message.</param>
    /// <param name="path">The path.</param>
    /// <param name="allowed">The values that are allowed instead, for the message.</param>
    /// <param name="given">The path as the user gave it, if another one is read.</param>
    /// <param name="names">The names that may be given in the place of a path, to guess what was meant.</param>
    /// <exception cref="InputException">There is no such file, or it cannot be read.</exception>
    internal static byte[] ReadAllBytes(
        string what,
        string path,
        string allowed,
        string? given = null,
        IReadOnlyList<string>? names = null
    )
    {
        byte[] bytes;
        try
        {
            bytes = File.ReadAllBytes(path);
        }
        catch (Exception failure)
            when (failure is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new InputException(
                $"{what} \"{Printable.Value(given ?? path)}\": {Reason(failure, path)}; allowed: {allowed}"
                    + NearestName.Meant(given ?? path, names ?? []),
                failure
            );
        }
        KnownFile.RequireText(bytes, what, given ?? path, allowed);
        return bytes;
    }

    /// <summary>Says why a file cannot be read.</summary>
    /// <param name="failure">The failure to open it.</param>
    /// <param name="path">The path.</param>
    internal static string Reason(Exception failure, string path) =>
        Directory.Exists(path) ? "it is a directory"
        : failure is FileNotFoundException or DirectoryNotFoundException or ArgumentException ? "there is no such file"
        : failure is UnauthorizedAccessException ? "it may not be read"
        : failure.Message;
}
