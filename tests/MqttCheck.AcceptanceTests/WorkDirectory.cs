namespace MqttCheck.AcceptanceTests;

/// <summary>An empty directory to run the tool in, deleted at the end.</summary>
internal sealed class WorkDirectory : IDisposable
{
    public WorkDirectory() => Path = Directory.CreateTempSubdirectory("mqttcheck-acceptance-").FullName;

    public string Path { get; }

    /// <summary>The only file that matches, such as <c>logs/*.csv</c> without the verification's.</summary>
    public string Only(string folder, string pattern, string? without = null)
    {
        var files = Directory
            .GetFiles(File(folder), pattern)
            .Where(file => without is null || !file.Contains(without, StringComparison.Ordinal))
            .ToArray();
        Assert.That(files, Has.Length.EqualTo(1), () => $"files {pattern} in {folder}: {string.Join(", ", files)}");
        return files[0];
    }

    /// <summary>The path of a file in the directory.</summary>
    public string File(string name) => System.IO.Path.Combine(Path, name);

    /// <summary>All files with their text.</summary>
    public IEnumerable<(string Name, string Text)> Texts() =>
        Directory
            .EnumerateFiles(Path, "*", SearchOption.AllDirectories)
            .Select(file => (file, System.IO.File.ReadAllText(file)));

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
