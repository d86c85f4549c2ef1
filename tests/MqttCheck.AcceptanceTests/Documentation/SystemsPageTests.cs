using System.Text.RegularExpressions;

namespace MqttCheck.AcceptanceTests.Documentation;

/// <summary>
/// docs/reference/systems.md says where the parts of published systems are: files and tests that exist.
/// </summary>
[TestFixture]
internal sealed partial class SystemsPageTests
{
    private const string Page = "docs/reference/systems.md";

    private static readonly string[] s_sources = Files("src");

    private static readonly string[] s_tests = Files("tests");

    private static readonly Lazy<string> s_testText = new(() => string.Join('\n', s_tests.Select(File.ReadAllText)));

    [Test]
    public void Every_file_of_a_row_exists()
    {
        var named = Rows().SelectMany(row => Code(string.Join('|', row)).Where(IsSource)).Distinct().ToList();
        Assert.That(named, Has.Count.GreaterThan(20));
        Assert.That(named.Where(name => !Exists(name)), Is.Empty);
    }

    [Test]
    public void Every_test_of_a_row_exists()
    {
        var named = Rows().SelectMany(row => Code(string.Join('|', row)).Where(IsTest)).Distinct().ToList();
        Assert.That(named, Has.Count.GreaterThan(10));
        Assert.That(named.Where(name => !IsDeclared(name)), Is.Empty);
    }

    // A part without a file is not built, and then the last cell is the reason.
    [Test]
    public void Every_row_has_all_of_its_cells()
    {
        var rows = Rows().ToList();
        Assert.That(rows, Has.Count.GreaterThan(50));
        Assert.That(rows.Where(row => row.Any(cell => cell.Length == 0)).Select(row => row[0]), Is.Empty);
    }

    [TestCase("MqttCheck.Clusters/Topologies/TopologyNode.cs", true)]
    [TestCase("TopologyNode.cs", true)]
    [TestCase("MqttCheck.Clusters/Topologies/TopologyLeaf.cs", false)]
    [TestCase("pologyNode.cs", false)]
    public void A_file_is_found_by_the_end_of_its_path(string name, bool exists) =>
        Assert.That(Exists(name), Is.EqualTo(exists));

    private static IEnumerable<string[]> Rows() =>
        File.ReadLines(RepositoryFiles.At(Page))
            .Where(line => line.StartsWith("| ", StringComparison.Ordinal))
            .Select(line => line.Trim().Trim('|').Split('|').Select(cell => cell.Trim()).ToArray());

    private static IEnumerable<string> Code(string text) =>
        InlineCode().Matches(text).Select(one => one.Groups[1].Value);

    private static bool IsSource(string code) =>
        !code.Contains(' ')
        && (
            code.EndsWith(".cs", StringComparison.Ordinal)
            || (code.StartsWith("MqttCheck", StringComparison.Ordinal) && code.Contains('/'))
        );

    private static bool IsTest(string code) =>
        !code.Contains(' ') && (code.EndsWith("Tests", StringComparison.Ordinal) || TestName().IsMatch(code));

    private static bool Exists(string name) =>
        s_sources.Any(path => path.EndsWith("/" + name, StringComparison.Ordinal))
        || Directory.Exists(RepositoryFiles.At("src/" + name));

    private static bool IsDeclared(string name) =>
        name.EndsWith("Tests", StringComparison.Ordinal)
            ? s_tests.Any(path => path.EndsWith($"/{name}.cs", StringComparison.Ordinal))
            : s_testText.Value.Contains($" {name}(", StringComparison.Ordinal);

    private static string[] Files(string folder) =>
        [
            .. Directory
                .EnumerateFiles(RepositoryFiles.At(folder), "*.cs", SearchOption.AllDirectories)
                .Select(path => path.Replace('\\', '/'))
                .Where(path => !path.Contains("/obj/") && !path.Contains("/bin/")),
        ];

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex InlineCode();

    // Names of tests are sentences, with a line below each gap.
    [GeneratedRegex("^[A-Z][A-Za-z0-9]*(_[A-Za-z0-9]+){3,}$")]
    private static partial Regex TestName();
}
