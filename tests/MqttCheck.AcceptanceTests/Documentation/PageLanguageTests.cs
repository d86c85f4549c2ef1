namespace MqttCheck.AcceptanceTests.Documentation;

/// <summary>Pages are in plain English, as far as a machine can tell.</summary>
[TestFixture]
internal sealed class PageLanguageTests
{
    // Pages that do not keep the rules yet. The raw tables of soaks are written by the tool.
    private static readonly string[] s_exempt =
    [
        "docs/architecture.md",
        "docs/reference/method.md",
        "docs/reference/checking.md",
        "docs/manual/compare.md",
        "docs/manual/nunit.md",
    ];

    private static IEnumerable<Page> Pages() =>
        Page.All()
            .Where(page =>
                (page.Name.StartsWith("docs/", StringComparison.Ordinal) || Page.AtRoot.Contains(page.Name))
                && !page.Name.StartsWith("docs/evidence/soaks/", StringComparison.Ordinal)
                && !s_exempt.Contains(page.Name)
            );

    [Test]
    public void Pages_keep_to_the_rules_of_plain_English()
    {
        var pages = Pages().ToList();
        Assert.That(pages, Has.Count.GreaterThan(20), "the pages were found");
        Assert.That(pages.SelectMany(PageLanguage.Findings), Is.Empty);
    }

    [Test]
    public void Exempt_pages_are_there()
    {
        Assert.That(s_exempt.Where(name => !File.Exists(RepositoryFiles.At(name))), Is.Empty);
    }

    [TestCase("A sentence of moderate length.\n", 0, TestName = "A_plain_sentence_is_none")]
    [TestCase("Of all brokers this is the fastest.\n", 1, TestName = "An_opening_with_Of_is_one")]
    [TestCase(
        "It is fast. Where it is slow, it says so. What helps is rest.\n",
        2,
        TestName = "Openings_inside_of_a_paragraph_are_found"
    )]
    [TestCase("## What it does\n", 0, TestName = "A_heading_may_open_with_What")]
    [TestCase("| key | the room above it |\n", 1, TestName = "A_coined_word_in_a_table_is_one")]
    [TestCase("    held against code\n\n```\nWhat code says\n```\n", 0, TestName = "Code_is_not_judged")]
    [TestCase(
        "- one two three four five six seven eight nine ten eleven twelve\n  1 2 3 4 5 6 7 8 9 10 11 12 13 `a b c`\n",
        1,
        TestName = "A_sentence_of_26_words_over_two_lines_is_one"
    )]
    [TestCase(
        "- one two three four five six seven eight nine ten eleven twelve\n  1 2 3 4 5 6 7 8 9 10 11 12 `a b c`\n",
        0,
        TestName = "Code_in_a_sentence_counts_as_one_word"
    )]
    [TestCase(
        "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 01\n",
        1,
        TestName = "A_line_of_101_columns_is_one"
    )]
    [TestCase(
        "See [the page](a/very/long/path/that/cannot/be/wrapped/because/it/is/the/target/of/a/link/no/prose.md).\n",
        0,
        TestName = "The_target_of_a_link_has_no_width"
    )]
    public void Findings_of_a_text(string text, int findings)
    {
        Assert.That(PageLanguage.Findings(Page.Parse("page.md", text)).ToList(), Has.Count.EqualTo(findings));
    }
}
