using MqttCheck.Json;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>The files that the assembly carries, and files by their path.</summary>
/// <param name="prefix">The folder inside the assembly, with a slash at the end.</param>
/// <param name="kind">The kind of the files, for messages.</param>
/// <param name="wanted">The kind as <see cref="KnownFile"/> names it.</param>
internal sealed class ClusterResources(string prefix, string kind, string wanted)
{
    private const string Extension = ".json";

    /// <summary>The names of the files in the assembly, sorted.</summary>
    public IReadOnlyList<string> Names { get; } =
    [
        .. typeof(ClusterResources)
            .Assembly.GetManifestResourceNames()
            .Where(name =>
                name.StartsWith(prefix, StringComparison.Ordinal) && name.EndsWith(Extension, StringComparison.Ordinal)
            )
            .Select(name => name[prefix.Length..^Extension.Length])
            .Where(name => !name.EndsWith(".schema", StringComparison.Ordinal))
            .Order(StringComparer.Ordinal),
    ];

    /// <summary>The bytes of a file, and what to call it in messages.</summary>
    /// <param name="nameOrPath">A name in the assembly, or the path of a file.</param>
    /// <param name="alsoAllowed">The other values that the user may give, for the message; empty for none.</param>
    /// <exception cref="InputException">There is neither, or the file is none of this kind.</exception>
    public (byte[] Bytes, string Source) Read(string nameOrPath, string alsoAllowed = "")
    {
        if (Names.Contains(nameOrPath))
        {
            using var resource = typeof(ClusterResources).Assembly.GetManifestResourceStream(
                prefix + nameOrPath + Extension
            )!;
            var bytes = new byte[resource.Length];
            resource.ReadExactly(bytes);
            return (bytes, nameOrPath + Extension);
        }
        var allowed = $"the path of a JSON file, {alsoAllowed}or one of the built-in names {string.Join(", ", Names)}";
        var content = InputFile.ReadAllBytes(kind, nameOrPath, allowed, names: Names);
        KnownFile.Require(content, kind, nameOrPath, wanted);
        return (content, nameOrPath);
    }
}
