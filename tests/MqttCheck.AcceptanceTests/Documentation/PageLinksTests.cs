using System.Text.RegularExpressions;

namespace MqttCheck.AcceptanceTests.Documentation;

/// <summary>Links of pages, and the pages that code and scripts name, lead somewhere.</summary>
[TestFixture]
internal sealed partial class PageLinksTests
{
    private static readonly string[] s_sources =
    [
        "src",
        "tests",
        "samples",
        "scripts",
        ".ci",
        "benchmarks",
        "profiles",
    ];

    [Test]
    public void Every_relative_link_of_a_page_leads_to_a_file_and_a_heading()
    {
        var pages = Page.All().ToList();
        Assert.That(
            pages.Count(page => page.Name.StartsWith("docs/", StringComparison.Ordinal)),
            Is.GreaterThan(20),
            "the pages were found"
        );
        Assert.That(pages.Sum(page => page.Links().Count()), Is.GreaterThan(100), "the links were found");
        Assert.That(pages.SelectMany(page => PageLinks.Broken(page, RepositoryFiles.Root)), Is.Empty);
    }

    [Test]
    public void Every_page_is_linked_from_the_list_of_pages()
    {
        var linked = Page.Read("docs/README.md")
            .Links()
            .Select(link => "docs/" + link.Target.Split('#')[0])
            .ToHashSet();
        var pages = Page.All()
            .Select(page => page.Name)
            .Where(name => name.StartsWith("docs/", StringComparison.Ordinal));
        // The raw tables are linked from the page that sums them up.
        Assert.That(
            pages.Where(name =>
                name != "docs/README.md" && !name.StartsWith("docs/evidence/soaks/", StringComparison.Ordinal)
            ),
            Is.SubsetOf(linked)
        );
    }

    [Test]
    public void Every_file_of_docs_that_code_or_a_script_names_is_there()
    {
        var named = s_sources
            .Select(RepositoryFiles.At)
            .SelectMany(folder => Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories))
            .Where(file => !Skipped().IsMatch(file.Replace('\\', '/')))
            .SelectMany(file =>
                Named().Matches(File.ReadAllText(file)).Select(match => (File: file, Page: match.Value))
            )
            .ToList();
        Assert.That(named, Has.Count.GreaterThan(5), "code names pages");
        Assert.That(named.Where(name => !File.Exists(RepositoryFiles.At(name.Page))), Is.Empty);
    }

    [Test]
    public void A_link_that_leads_nowhere_is_found()
    {
        const string Text = """
            # A page

            ## What `x` is, and why

            A [file](other.md) and [none](missing.md), `a [link](in-code.md)`.
            It is [here](#what-x-is-and-why) and [nowhere](#what).
            Also [there](other.md#that), [not there](other.md#this), [far](https://example.org/x.md)
            and ![a picture](none.png).

                [code](is-no-link.md)
            """;
        using var directory = new WorkDirectory();
        File.WriteAllText(Path.Combine(directory.Path, "other.md"), "# That\n");

        var broken = PageLinks
            .Broken(Page.Parse("page.md", Text), directory.Path)
            .Select(sentence => sentence.Split('\'')[1]);

        Assert.That(broken, Is.EqualTo(new[] { "missing.md", "#what", "other.md#this", "none.png" }));
    }

    [Test]
    public void Headings_of_one_name_are_told_apart_as_GitHub_does()
    {
        var page = Page.Parse("page.md", "# Speed\n\n## Speed\n\n## `check`: options, files\n");
        Assert.That(page.Anchors(), Is.EqualTo(new[] { "speed", "speed-1", "check-options-files" }));
    }

    [GeneratedRegex(@"docs/[\w./-]+\.(md|png|svg)")]
    private static partial Regex Named();

    [GeneratedRegex(@"/(bin|obj|node_modules|TestResults)/|\.(gz|png|ttf|pem|pfx|dll)$")]
    private static partial Regex Skipped();
}
