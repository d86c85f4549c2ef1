namespace MqttCheck.Tests.Text;

/// <summary>The folder of the repository that the tests were built from.</summary>
internal static class RepositoryRoot
{
    /// <summary>The path of a file or folder.</summary>
    /// <param name="path">Its path from the root; empty for the root itself.</param>
    public static string Of(string path = "")
    {
        var directory = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(directory!.FullName, "MqttCheck.sln")))
            directory = directory.Parent;
        return Path.Combine(directory.FullName, path);
    }
}
