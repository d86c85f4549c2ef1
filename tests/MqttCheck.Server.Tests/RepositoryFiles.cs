namespace MqttCheck.Server.Tests;

/// <summary>Files of the repository that the tests use.</summary>
internal static class RepositoryFiles
{
    private static readonly string s_root = Find();

    /// <summary>The model that comes with the repository.</summary>
    public static string Model => At("models/embedded-example.json");

    /// <summary>The path of a file.</summary>
    public static string At(string path) => Path.Combine(s_root, path);

    private static string Find()
    {
        var directory = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(directory.FullName, "MqttCheck.sln")))
            directory = directory.Parent!;
        return directory.FullName;
    }
}
