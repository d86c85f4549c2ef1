using System.Text.RegularExpressions;

namespace MqttCheck.AcceptanceTests.Documentation;

/// <summary>The pages that say how many promises are kept say what the audit's own page says.</summary>
[TestFixture]
internal sealed partial class PromiseCountsTests
{
    [TestCase("README.md")]
    [TestCase("docs/reference/method.md")]
    [TestCase("docs/reference/checking.md")]
    public void The_counts_are_those_of_the_page_of_the_audit(string name)
    {
        var counts = Counts().Match(Text("docs/evidence/promises.md"));
        Assert.That(counts.Success, "the page of the audit has the three counts");
        Assert.That(Text(name), Does.Contain(counts.Value));
    }

    // With one space for each break of a line.
    private static string Text(string name) => Space().Replace(File.ReadAllText(RepositoryFiles.At(name)), " ");

    [GeneratedRegex(@"\d+ of \d+ promises are kept at the stated error\. .*? cells lie outside of what is promised\.")]
    private static partial Regex Counts();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Space();
}
