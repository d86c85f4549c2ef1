namespace MqttCheck.Brokers.Processes.Children;

/// <summary>Finds installed programs.</summary>
internal static class CommandSearch
{
    // Brokers are daemons, which Debian installs outside the search path of ordinary users.
    private static readonly string[] MoreDirectories =
    [
        "/usr/sbin",
        "/usr/local/sbin",
        "/usr/local/bin",
        "/opt/homebrew/sbin",
        "/opt/homebrew/bin",
    ];

    /// <summary>The path of a program, or null.</summary>
    /// <param name="name">Its name, or its path.</param>
    public static string? Find(string name)
    {
        if (name.Contains(Path.DirectorySeparatorChar))
            return File.Exists(name) ? Path.GetFullPath(name) : null;
        var directories = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(
            Path.PathSeparator,
            StringSplitOptions.RemoveEmptyEntries
        );
        string[] names = OperatingSystem.IsWindows() ? [name + ".exe", name + ".cmd", name] : [name];
        return directories
            .Concat(MoreDirectories)
            .SelectMany(directory => names.Select(file => Path.Combine(directory, file)))
            .FirstOrDefault(File.Exists);
    }

    /// <summary>The path of a program that must be there.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="howToInstall">The advice for a user who lacks it.</param>
    /// <exception cref="BrokerException">It is not installed.</exception>
    public static string Require(string name, string howToInstall) =>
        Find(name)
        ?? throw new BrokerException($"Command '{name}' is not installed. {howToInstall}") { IsMissing = true };
}
