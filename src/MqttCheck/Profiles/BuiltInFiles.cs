namespace MqttCheck.Profiles;

/// <summary>The JSON files of one folder that come with the library.</summary>
/// <param name="folder">The folder, with a slash at its end.</param>
internal sealed class BuiltInFiles(string folder)
{
    internal const string Extension = ".json";

    /// <summary>Their names without extension, sorted.</summary>
    internal IReadOnlyList<string> Names { get; } =
    [
        .. typeof(BuiltInFiles)
            .Assembly.GetManifestResourceNames()
            .Where(name =>
                name.StartsWith(folder, StringComparison.Ordinal) && name.EndsWith(Extension, StringComparison.Ordinal)
            )
            .Select(name => name[folder.Length..^Extension.Length])
            .Where(name => !name.EndsWith(".schema", StringComparison.Ordinal))
            .Order(StringComparer.Ordinal),
    ];

    /// <summary>The bytes of one of them.</summary>
    internal byte[] Read(string name)
    {
        using var resource = typeof(BuiltInFiles).Assembly.GetManifestResourceStream(folder + name + Extension)!;
        var bytes = new byte[resource.Length];
        resource.ReadExactly(bytes);
        return bytes;
    }
}
