using System.Diagnostics;

namespace MqttCheck.ClusterProtocols.Tests.Generation;

/// <summary>The changes that <c>scripts/cluster-mutants</c> makes still are changes of the cores.</summary>
[TestFixture]
internal sealed class MutantPatchTests
{
    private static readonly string s_folder = RepositoryFiles.At("tests/MqttCheck.ClusterProtocols.Tests/Mutants");

    private static readonly string[] s_names =
    [
        .. Directory.EnumerateFiles(s_folder, "*.patch").Select(Path.GetFileNameWithoutExtension).Order()!,
    ];

    [TestCaseSource(nameof(s_names))]
    public void A_patch_applies_to_one_core_and_says_what_it_changes(string name)
    {
        var file = Path.Combine(s_folder, name + ".patch");
        var lines = File.ReadAllLines(file);
        var changed = lines.Where(line => line.StartsWith("+++ ", StringComparison.Ordinal)).ToList();
        Assert.Multiple(() =>
        {
            Assert.That(lines[0], Does.EndWith("."), "the first line is a sentence");
            Assert.That(changed, Has.Count.EqualTo(1));
            Assert.That(changed.Single(), Does.StartWith("+++ b/src/MqttCheck.ClusterProtocols/" + Folder(name)));
            Assert.That(Check(file), Is.EqualTo(""));
        });
    }

    // The evidence has a row for each patch, in the order of their names, and no other.
    [Test]
    public void The_evidence_has_a_row_for_each_patch()
    {
        var rows = File.ReadLines(RepositoryFiles.At("docs/evidence/cluster-mutants.md"))
            .Select(line => line.Split('|'))
            .Where(cells => cells.Length > 6 && cells[1].Contains('-') && !cells[1].Contains("--"))
            .Select(cells => cells[1].Trim());
        Assert.That(rows.Order(StringComparer.Ordinal), Is.EqualTo(s_names.Order(StringComparer.Ordinal)));
    }

    // The name says which core: tree-..., or our-tree-... for those that were not asked for.
    private static string Folder(string name)
    {
        var core = name.StartsWith("our-", StringComparison.Ordinal) ? name.Split('-')[1] : name.Split('-')[0];
        return core switch
        {
            "tree" => "SpanningTree/",
            "overlay" => "Overlays/",
            "interest" => "Interest/",
            "discovery" => "Discovery/",
            "transport" => "Transport/",
            "pipeline" => "Pipeline/",
            _ => throw new InvalidOperationException($"'{name}' names no core."),
        };
    }

    private static string Check(string patch)
    {
        var start = new ProcessStartInfo("git", ["apply", "--check", patch])
        {
            WorkingDirectory = RepositoryFiles.Root,
            RedirectStandardError = true,
        };
        using var git = Process.Start(start)!;
        var problem = git.StandardError.ReadToEnd();
        git.WaitForExit();
        return problem;
    }
}
