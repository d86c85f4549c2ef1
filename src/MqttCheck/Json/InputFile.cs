namespace MqttCheck.Json;

/// <summary>Reads files that a user names, and says in one way why one cannot be read.</summary>
internal static class InputFile
{
    /// <summary>The bytes of a file.</summary>
    /// <param name="what">The content of the file, for the message.</param>
    /// <param name="path">The path.</param>
    /// <param name="allowed">The values that are allowed instead, for the message.</param>
    /// <param name="given">The path as the user gave it, if another one is read.</param>
    /// <exception cref="InputException">There is no such file, or it cannot be read.</exception>
    internal static byte[] ReadAllBytes(string what, string path, string allowed, string? given = null)
    {
        try
        {
            return File.ReadAllBytes(path);
        }
        catch (Exception failure)
            when (failure is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            var reason =
                failure is FileNotFoundException or DirectoryNotFoundException or ArgumentException
                    ? "there is no such file"
                : Directory.Exists(path) ? "it is a directory"
                : failure.Message;
            throw new InputException($"{what} \"{given ?? path}\": {reason}; allowed: {allowed}", failure);
        }
    }
}
