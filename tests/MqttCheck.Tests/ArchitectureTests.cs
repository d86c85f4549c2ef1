using System.Text.RegularExpressions;

namespace MqttCheck.Tests;

/// <summary>The order of the folders is the order of the flow: a folder uses Statistics, Protocol and the folders above it, never one below.</summary>
[TestFixture]
internal sealed partial class ArchitectureTests
{
    private static readonly string[] Flow =
    [
        "Statistics",
        "Protocol",
        "Profiles",
        "Clients",
        "Logs",
        "Latency",
        "Automata",
        "Learning",
        "Checking",
        "Broker",
        "Conformance",
    ];

    [Test]
    public void A_folder_of_the_library_never_uses_a_folder_below_it()
    {
        var source = Path.Combine(RepositoryRoot(), "src", "MqttCheck");
        var wrong = new List<string>();
        foreach (var file in Directory.EnumerateFiles(source, "*.cs", SearchOption.AllDirectories))
        {
            var folder = Path.GetRelativePath(source, file).Split(Path.DirectorySeparatorChar)[0];
            var place = Array.IndexOf(Flow, folder);
            if (place < 0)
                continue;
            foreach (Match match in UsedFolder().Matches(File.ReadAllText(file)))
            {
                var used = Array.IndexOf(Flow, match.Groups[1].Value);
                if (used > place)
                    wrong.Add($"{Path.GetRelativePath(source, file)} uses {match.Groups[1].Value}");
            }
        }
        Assert.That(wrong, Is.Empty);
    }

    [Test]
    public void Every_folder_of_the_library_has_its_place_in_the_flow()
    {
        var folders = Directory
            .EnumerateDirectories(Path.Combine(RepositoryRoot(), "src", "MqttCheck"))
            .Select(folder => Path.GetFileName(folder))
            .Where(folder => folder is not ("bin" or "obj"));
        Assert.That(folders, Is.SubsetOf(Flow));
    }

    [Test]
    public void The_library_opens_no_socket_and_prints_nothing()
    {
        var source = Path.Combine(RepositoryRoot(), "src", "MqttCheck");
        var wrong = Directory
            .EnumerateFiles(source, "*.cs", SearchOption.AllDirectories)
            .Where(file => !Path.GetRelativePath(source, file).StartsWith("obj", StringComparison.Ordinal))
            .Where(file => Forbidden().IsMatch(File.ReadAllText(file)))
            .Select(file => Path.GetRelativePath(source, file));
        Assert.That(wrong, Is.Empty);
    }

    internal static string RepositoryRoot()
    {
        var directory = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(directory!.FullName, "MqttCheck.sln")))
            directory = directory.Parent;
        return directory.FullName;
    }

    [GeneratedRegex(
        @"\bMqttCheck\.(Statistics|Protocol|Profiles|Clients|Logs|Latency|Automata|Learning|Checking|Broker|Conformance)\b"
    )]
    private static partial Regex UsedFolder();

    [GeneratedRegex(@"System\.Net\.Sockets|\bConsole\.|System\.Diagnostics\.Process\b|DllImport|LibraryImport")]
    private static partial Regex Forbidden();
}
