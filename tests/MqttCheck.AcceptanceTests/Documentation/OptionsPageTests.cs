using System.Text.RegularExpressions;

namespace MqttCheck.AcceptanceTests.Documentation;

/// <summary>docs/reference/options.md has the commands of the tool and their options: all, and no others.</summary>
[TestFixture]
internal sealed partial class OptionsPageTests
{
    private static readonly Dictionary<string, IReadOnlyList<PageBlock>> s_sections = Sections(
        Page.Read("docs/reference/options.md")
    );

    [Test]
    public async Task The_page_has_the_commands_and_options_of_the_tool()
    {
        using var directory = new WorkDirectory();
        var help = await ToolProcess.RunAsync(directory.Path, "--help");
        var commands = CommandLine()
            .Matches(help.Output[help.Output.IndexOf("Commands:", StringComparison.Ordinal)..])
            .Select(match => match.Groups[1].Value)
            .ToList();
        Assert.That(commands, Has.Count.GreaterThan(15), help.ToString);
        Assert.That(
            s_sections.Keys.Where(name => name[0] == '`').Select(name => name.Trim('`')),
            Is.EquivalentTo(commands)
        );

        var differences = await Task.WhenAll(
            commands.Select(async command =>
            {
                var answer = await ToolProcess.RunAsync(directory.Path, command, "--help");
                // A group's section has the options of all its commands.
                var inner = Inner(answer.Output);
                var texts = await Task.WhenAll(
                    inner.Select(name => ToolProcess.RunAsync(directory.Path, command, name, "--help"))
                );
                var ofTool = OptionLine()
                    .Matches(string.Concat(texts.Select(text => text.Output).Prepend(answer.Output)))
                    .Select(match => match.Groups[1].Value)
                    .Where(name => name != "--help")
                    .ToHashSet();
                var onPage = OnPage($"`{command}`").ToHashSet();
                return $"{command}: not on the page: {string.Join(' ', ofTool.Except(onPage))}; "
                    + $"not in the tool: {string.Join(' ', onPage.Except(ofTool))}";
            })
        );
        Assert.That(differences, Has.All.EndWith(": not on the page: ; not in the tool: "));
    }

    private static IEnumerable<string> Inner(string help)
    {
        var start = help.IndexOf("Commands:", StringComparison.Ordinal);
        return start < 0 ? [] : CommandLine().Matches(help[start..]).Select(match => match.Groups[1].Value);
    }

    // A section links to the groups of options that its command takes. "Instead of" names one that it does not take.
    private static IEnumerable<string> OnPage(string section)
    {
        var blocks = s_sections[section];
        var prose = string.Join(
            ' ',
            blocks.Where(block => block.Kind == PageBlockKind.Prose).Select(block => block.Text)
        );
        var groups = Group()
            .Matches(prose)
            .Select(match => "Options of a " + match.Groups[1].Value)
            .SelectMany(name => InTable(s_sections[name]));
        var elsewhere = prose.Contains("(bench.md#options)", StringComparison.Ordinal)
            ? InTable(Sections(Page.Read("docs/reference/bench.md"))["Options"])
            : [];
        var replaced = Instead().Matches(prose).Select(match => match.Groups[1].Value);
        return groups
            .Except(replaced)
            .Concat(InTable(blocks))
            .Concat(elsewhere)
            .Concat(InTable(s_sections["Options of every command"]));
    }

    private static IEnumerable<string> InTable(IEnumerable<PageBlock> blocks) =>
        blocks
            .Where(block => block.Kind == PageBlockKind.Row)
            .SelectMany(row => Option().Matches(row.Text.Split('|')[1]).Select(match => match.Value));

    private static Dictionary<string, IReadOnlyList<PageBlock>> Sections(Page page)
    {
        var sections = new Dictionary<string, IReadOnlyList<PageBlock>>(StringComparer.Ordinal);
        List<PageBlock> current = [];
        foreach (var block in page.Blocks)
        {
            if (block.Kind == PageBlockKind.Heading)
                sections[block.Text.TrimStart('#').Trim()] = current = [];
            else
                current.Add(block);
        }
        return sections;
    }

    [GeneratedRegex(@"^  ([a-z][a-z-]*)[ \n]", RegexOptions.Multiline)]
    private static partial Regex CommandLine();

    [GeneratedRegex(@"^ {2}(?:-\w, )?(--[a-z-]+)", RegexOptions.Multiline)]
    private static partial Regex OptionLine();

    [GeneratedRegex(@"\(#options-of-a-(\w+)\)")]
    private static partial Regex Group();

    [GeneratedRegex("instead of `(--[a-z-]+)`")]
    private static partial Regex Instead();

    [GeneratedRegex("--[a-z-]+")]
    private static partial Regex Option();
}
