using System.Text.RegularExpressions;

namespace MqttCheck.AcceptanceTests.Documentation;

/// <summary>Folders, files and names of code that pages mention are there.</summary>
[TestFixture]
internal sealed partial class PageSourcesTests
{
    [Test]
    public void Every_path_of_the_repository_that_a_page_names_is_there()
    {
        var named = Page.All()
            .Where(page => !page.Name.StartsWith("docs/evidence/", StringComparison.Ordinal))
            .SelectMany(page =>
                page.Blocks.SelectMany(block => Page.InlineCode().Matches(block.Text))
                    .Select(code => code.Value.Trim('`'))
                    .Where(code => RepositoryPath().IsMatch(code))
                    .Select(path => (page.Name, Path: path))
            )
            .ToList();
        Assert.That(named, Has.Count.GreaterThan(20), "pages name paths");
        Assert.That(
            named.Where(name =>
                !File.Exists(RepositoryFiles.At(name.Path)) && !Directory.Exists(RepositoryFiles.At(name.Path))
            ),
            Is.Empty
        );
    }

    [Test]
    public void Every_name_in_the_recipes_for_extending_is_one_of_the_code()
    {
        string[] folders = ["src", "tests"];
        var code = folders
            .Select(RepositoryFiles.At)
            .SelectMany(folder => Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories))
            .Where(file => Source().IsMatch(file.Replace('\\', '/')))
            .SelectMany(file => Identifier().Matches(File.ReadAllText(file)).Select(match => match.Value))
            .ToHashSet();
        var named = Page.Read("docs/extending.md")
            .Blocks.SelectMany(block => Page.InlineCode().Matches(block.Text))
            .Select(match => match.Value)
            .Where(text =>
                !text.Contains('/', StringComparison.Ordinal) && !text.Contains("VERB", StringComparison.Ordinal)
            )
            .SelectMany(text => Identifier().Matches(text).Select(match => match.Value))
            .Where(name => name.Any(char.IsUpper))
            .Distinct()
            .ToList();
        Assert.That(named, Has.Count.GreaterThan(40), "the page names types and members");
        Assert.That(named.Where(name => !code.Contains(name)), Is.Empty);
    }

    [GeneratedRegex(@"^(src|tests|scripts|profiles|samples|benchmarks|\.ci)/[\w./-]*$")]
    private static partial Regex RepositoryPath();

    [GeneratedRegex(@"^(?!.*/(bin|obj|node_modules)/).*\.(cs|ts)$")]
    private static partial Regex Source();

    [GeneratedRegex(@"[A-Za-z_]\w+")]
    private static partial Regex Identifier();
}
