namespace MqttCheck.Tests.Architecture;

/// <summary>What the rules of the house are applied to.</summary>
internal static class Repository
{
    private static readonly Lazy<IReadOnlyList<SourceFile>> s_source = new(() => Read("src"));
    private static readonly Lazy<IReadOnlyList<SourceFile>> s_tests = new(() =>
        [.. Read("tests"), .. Read("benchmarks")]
    );

    /// <summary>The product.</summary>
    public static IReadOnlyList<SourceFile> Source => s_source.Value;

    /// <summary>Tests and benchmarks.</summary>
    public static IReadOnlyList<SourceFile> Tests => s_tests.Value;

    private static SourceFile[] Read(string folder) =>
        [
            .. Directory
                .EnumerateFiles(RepositoryFiles.At(folder), "*.cs", SearchOption.AllDirectories)
                .Select(file => (Full: file, Path: Path.GetRelativePath(RepositoryFiles.Root, file).Replace('\\', '/')))
                .Where(file => !file.Path.Split('/').Any(part => part is "bin" or "obj" or "node_modules"))
                .OrderBy(file => file.Path, StringComparer.Ordinal)
                .Select(file => new SourceFile(file.Path, File.ReadAllText(file.Full))),
        ];
}
