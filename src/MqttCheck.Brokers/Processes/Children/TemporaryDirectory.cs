namespace MqttCheck.Brokers.Processes.Children;

/// <summary>A directory of one broker instance, deleted at the end.</summary>
internal sealed class TemporaryDirectory : IAsyncDisposable
{
    private const int Attempts = 40;

    /// <summary>Its path. Only this user can enter it.</summary>
    public string Path { get; } = Directory.CreateTempSubdirectory("mqttcheck-").FullName;

    /// <summary>Writes a text file into it.</summary>
    /// <param name="name">The file's name.</param>
    /// <param name="text">Its text.</param>
    /// <returns>Its path.</returns>
    public string Write(string name, string text) => Write(Path, name, text);

    /// <summary>Writes a text file into a directory.</summary>
    /// <param name="directory">The path of the directory.</param>
    /// <param name="name">The file's name.</param>
    /// <param name="text">Its text.</param>
    /// <returns>Its path.</returns>
    public static string Write(string directory, string name, string text)
    {
        var path = System.IO.Path.Combine(directory, name);
        File.WriteAllText(path, text);
        return path;
    }

    /// <summary>Deletes it. Helpers of a broker may write for a moment longer than the broker lives.</summary>
    public async ValueTask DisposeAsync()
    {
        for (var attempt = 1; Directory.Exists(Path); attempt++)
        {
            try
            {
                Directory.Delete(Path, recursive: true);
            }
            catch (DirectoryNotFoundException)
            {
                // A helper, or the shell that watches the broker, was faster.
            }
            catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
            {
                if (attempt == Attempts)
                    return;
                await Task.Delay(50);
            }
        }
    }
}
