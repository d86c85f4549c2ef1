namespace MqttCheck.Brokers.Fleets.Machine;

/// <summary>Reads the files in which Linux describes itself.</summary>
internal static class SystemFile
{
    /// <summary>The text of a file of /proc.</summary>
    /// <param name="path">Its path.</param>
    /// <returns>Null where the system does not tell (anywhere but Linux).</returns>
    public static string? Read(string path)
    {
        if (!OperatingSystem.IsLinux())
            return null;
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
