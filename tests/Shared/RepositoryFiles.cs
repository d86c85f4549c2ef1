namespace Shared;

/// <summary>Files of the repository that the tests were built from.</summary>
internal static class RepositoryFiles
{
    /// <summary>The directory of the solution.</summary>
    public static string Root { get; } = Find();

    /// <summary>The model that comes with the repository.</summary>
    public static string Model => At("models/embedded-example.json");

    /// <summary>The path of a file.</summary>
    public static string At(string path) => Path.Combine(Root, path);

    private static string Find()
    {
        var directory = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(directory.FullName, "MqttCheck.sln")))
            directory = directory.Parent!;
        return directory.FullName;
    }
}
