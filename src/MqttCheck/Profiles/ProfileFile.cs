using System.Text.Json;
using MqttCheck.Json;

namespace MqttCheck.Profiles;

/// <summary>
/// Reads usage profiles and populations from JSON files, by path or by the name of a built-in one, and writes them in
/// the same form.
/// </summary>
internal static class ProfileFile
{
    private static readonly BuiltInFiles s_builtIn = new("profiles/");

    /// <summary>The names of the built-in profiles and populations, sorted.</summary>
    public static IReadOnlyList<string> BuiltInNames => s_builtIn.Names;

    /// <summary>Reads a profile or a population.</summary>
    /// <param name="nameOrPath">
    /// The name of a built-in one, for example <c>up1</c>, or the path of a JSON file. A file that is named like a
    /// built-in one is reached by a path with a directory, <c>./up1</c>.
    /// </param>
    /// <returns>A population; a profile becomes a population of one group.</returns>
    /// <exception cref="InputException">
    /// There is no such file or name, or the file is malformed. The message holds every finding, one per line: what is
    /// wrong, the value given, what is allowed, file, line and key.
    /// </exception>
    public static Population Read(string nameOrPath)
    {
        return Read(nameOrPath, nameOrPath, asPartOfPopulation: false) with { ReadFrom = nameOrPath };
    }

    /// <summary>Reads a profile or a population from text.</summary>
    /// <param name="utf8Json">The JSON text.</param>
    /// <param name="source">The name of the text in messages.</param>
    /// <exception cref="InputException">The text is malformed; see <see cref="Read(string)"/>.</exception>
    public static Population Parse(ReadOnlySpan<byte> utf8Json, string source)
    {
        return Parse(utf8Json, source, Directory.GetCurrentDirectory(), asPartOfPopulation: false);
    }

    /// <summary>
    /// Writes a profile or a population in the form that <see cref="Read(string)"/> reads, profiles of groups inline.
    /// </summary>
    /// <param name="writer">Receives one JSON object.</param>
    /// <param name="population">The population to write.</param>
    /// <exception cref="ArgumentException">A wait has a law that profile files cannot express.</exception>
    public static void Write(Utf8JsonWriter writer, Population population)
    {
        ProfileFormat.Inline.Write(writer, population);
    }

    /// <summary>Reads a profile or population that is part of another file.</summary>
    /// <param name="tree">Its JSON value.</param>
    /// <param name="findings">Receives the findings.</param>
    internal static Population Read(JsonTree tree, JsonFindings findings) => ProfileFormat.Inline.Read(tree, findings);

    private static Population Read(string nameOrPath, string source, bool asPartOfPopulation)
    {
        if (BuiltInNames.Contains(nameOrPath))
        {
            var text = s_builtIn.Read(nameOrPath);
            return Parse(
                text,
                nameOrPath + BuiltInFiles.Extension,
                Directory.GetCurrentDirectory(),
                asPartOfPopulation
            );
        }
        var allowed = $"the path of a JSON file or one of the built-in names {string.Join(", ", BuiltInNames)}";
        var bytes = InputFile.ReadAllBytes("profile", nameOrPath, allowed, given: source, names: BuiltInNames);
        KnownFile.Require(bytes, "profile", source, KnownFile.Profile, KnownFile.Population);
        return Parse(bytes, source, Path.GetDirectoryName(Path.GetFullPath(nameOrPath))!, asPartOfPopulation);
    }

    // A path that a group names is relative to the file of the population. A group names a profile, never a population,
    // so references cannot run in circles.
    private static Population Parse(
        ReadOnlySpan<byte> utf8Json,
        string source,
        string directory,
        bool asPartOfPopulation
    )
    {
        var tree = JsonTree.Parse(utf8Json, source);
        var findings = new JsonFindings(source);
        if (asPartOfPopulation && tree.Member("groups") is { } groups)
        {
            findings.Add(groups, "a population inside a population given; allowed: a profile");
            findings.ThrowIfAny();
        }
        var population = ProfileFormat
            .Of(name =>
                Read(BuiltInNames.Contains(name) ? name : Path.Combine(directory, name), name, asPartOfPopulation: true)
                    .Groups[0]
                    .Profile
            )
            .Read(tree, findings);
        findings.ThrowIfAny();
        return population;
    }
}
