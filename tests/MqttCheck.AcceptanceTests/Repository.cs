namespace MqttCheck.AcceptanceTests;

/// <summary>The files of the repository that the tests were built from.</summary>
internal static class Repository
{
    /// <summary>The path of a file that is part of the repository.</summary>
    public static string File(string path)
    {
        var directory = new DirectoryInfo(AppContext.BaseDirectory);
        while (directory is not null && !System.IO.File.Exists(Path.Combine(directory.FullName, "MqttCheck.sln")))
            directory = directory.Parent;
        Assert.That(directory, Is.Not.Null, "the tests run inside the repository");
        return Path.Combine(directory!.FullName, path);
    }
}
