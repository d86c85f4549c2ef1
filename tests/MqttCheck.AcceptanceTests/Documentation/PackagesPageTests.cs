using System.Text.Json;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace MqttCheck.AcceptanceTests.Documentation;

/// <summary>docs/reference/packages.md names what the project takes from others: all of it, and nothing else.</summary>
[TestFixture]
internal sealed partial class PackagesPageTests
{
    private static readonly string s_page = File.ReadAllText(RepositoryFiles.At("docs/reference/packages.md"));

    [Test]
    public void Every_package_of_the_builds_is_on_the_page()
    {
        var named = Named(Used());
        Assert.That(Packages().Where(package => !named.Any(name => Matches(name, package))), Is.Empty);
    }

    [Test]
    public void Every_package_on_the_page_is_used()
    {
        var packages = Packages().ToList();
        Assert.That(Named(Used()).Where(name => !packages.Any(package => Matches(name, package))), Is.Empty);
    }

    [Test]
    public void What_was_not_taken_is_not_used()
    {
        var packages = Packages().ToList();
        Assert.That(
            Named(s_page[s_page.IndexOf("## Looked at", StringComparison.Ordinal)..]).Where(packages.Contains),
            Is.Empty
        );
    }

    private static string Used() =>
        s_page[
            s_page.IndexOf("## Packages from others", StringComparison.Ordinal)..s_page.IndexOf(
                "## Looked at",
                StringComparison.Ordinal
            )
        ];

    // "SkiaSharp.NativeAssets.*" stands for all packages of that beginning.
    private static bool Matches(string name, string package) =>
        name.EndsWith('*') ? package.StartsWith(name[..^1], StringComparison.Ordinal) : name == package;

    private static IEnumerable<string> Named(string part) =>
        FirstCell()
            .Matches(part)
            .SelectMany(row =>
                row.Groups[1]
                    .Value.Replace("(npm)", "", StringComparison.Ordinal)
                    .Split(',', StringSplitOptions.TrimEntries)
            )
            .Where(name => name.Length > 0 && name != "package" && !name.Contains(' ') && !name.StartsWith('-'));

    private static IEnumerable<string> Packages()
    {
        var central = XDocument
            .Load(RepositoryFiles.At("Directory.Packages.props"))
            .Descendants("PackageVersion")
            .Select(package => package.Attribute("Include")!.Value);
        string[] manifests =
        [
            "src/MqttCheck.Reports/viewer/package.json",
            "scripts/aedes/package.json",
            "tests/MqttCheck.Brokers.Tests/Embedded/Judges/mqttjs/package.json",
            "tests/MqttCheck.Tests/Protocol/Interop/mqtt-packet/package.json",
        ];
        return central.Concat(manifests.SelectMany(Dependencies));
    }

    private static List<string> Dependencies(string manifest)
    {
        using var json = JsonDocument.Parse(File.ReadAllText(RepositoryFiles.At(manifest)));
        return
        [
            .. new[] { "dependencies", "devDependencies" }
                .Where(key => json.RootElement.TryGetProperty(key, out _))
                .SelectMany(key => json.RootElement.GetProperty(key).EnumerateObject().Select(package => package.Name)),
        ];
    }

    [GeneratedRegex(@"^\| ([^|]+) \|", RegexOptions.Multiline)]
    private static partial Regex FirstCell();
}
