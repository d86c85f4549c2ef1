using System.Text.RegularExpressions;

namespace MqttCheck.AcceptanceTests.Documentation;

/// <summary>A page in Markdown, as far as its links and its language can be looked at.</summary>
internal sealed partial class Page
{
    private Page(string name, IReadOnlyList<PageBlock> blocks) => (Name, Blocks) = (name, blocks);

    /// <summary>Its path in the repository, or a name for messages.</summary>
    public string Name { get; }

    /// <summary>Its parts without code.</summary>
    public IReadOnlyList<PageBlock> Blocks { get; }

    /// <summary>The names by which headings can be linked to, as GitHub makes them.</summary>
    public IEnumerable<string> Anchors()
    {
        var seen = new Dictionary<string, int>(StringComparer.Ordinal);
        foreach (var heading in Blocks.Where(block => block.Kind == PageBlockKind.Heading))
        {
            var text = LinkMark().Replace(heading.Text.TrimStart('#').Trim(), "$1").ToLowerInvariant();
            var anchor = NoAnchor().Replace(text, "").Replace(' ', '-');
            var earlier = seen.GetValueOrDefault(anchor);
            seen[anchor] = earlier + 1;
            yield return earlier == 0 ? anchor : $"{anchor}-{earlier}";
        }
    }

    /// <summary>The targets of its links and images, each with its line.</summary>
    public IEnumerable<(int Line, string Target)> Links() =>
        Blocks.SelectMany(block =>
            LinkMark()
                .Matches(InlineCode().Replace(block.Text, "``"))
                .Select(link => (block.Line, link.Groups[2].Value))
        );

    /// <summary>The pages at the root of the repository.</summary>
    public static IReadOnlyList<string> AtRoot { get; } = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"];

    /// <summary>All pages that people write: README files, pages at the root, and all of docs.</summary>
    public static IEnumerable<Page> All()
    {
        string[] folders = ["docs", "samples", "logs", "models", "profiles", "scripts", "benchmarks"];
        var nested = folders
            .Select(RepositoryFiles.At)
            .Where(Directory.Exists)
            .SelectMany(folder => Directory.EnumerateFiles(folder, "*.md", SearchOption.AllDirectories));
        return nested
            .Concat(AtRoot.Select(RepositoryFiles.At))
            .Select(file => Path.GetRelativePath(RepositoryFiles.Root, file).Replace('\\', '/'))
            .Where(name => !name.Split('/').Any(part => part is "bin" or "obj" or "node_modules"))
            .Order(StringComparer.Ordinal)
            .Select(Read);
    }

    /// <summary>Reads a page of the repository.</summary>
    public static Page Read(string name) => Parse(name, File.ReadAllText(RepositoryFiles.At(name)));

    /// <summary>Divides the text of a page into its parts.</summary>
    public static Page Parse(string name, string text)
    {
        var blocks = new List<PageBlock>();
        var lines = text.ReplaceLineEndings("\n").Split('\n');
        for (var i = 0; i < lines.Length; )
        {
            var start = i++;
            if (lines[start].TrimStart().StartsWith("```", StringComparison.Ordinal))
            {
                while (i < lines.Length && !lines[i].TrimStart().StartsWith("```", StringComparison.Ordinal))
                    i++;
                i++;
                continue;
            }
            if (KindOf(lines[start]) is not { } kind)
                continue;
            if (kind == PageBlockKind.Prose)
                while (i < lines.Length && Continues(lines[i]))
                    i++;
            blocks.Add(new(kind, start + 1, lines[start..i]));
        }
        return new(name, blocks);
    }

    // An empty line and an indented one, which is code, are no part of the text.
    private static PageBlockKind? KindOf(string line) =>
        line.Trim().Length == 0 || line.StartsWith("    ", StringComparison.Ordinal) || TableLine().IsMatch(line) ? null
        : line[0] == '|' ? PageBlockKind.Row
        : line[0] == '#' ? PageBlockKind.Heading
        : PageBlockKind.Prose;

    private static bool Continues(string line) => line.Trim().Length > 0 && !Begins().IsMatch(line.TrimStart());

    /// <summary>A link or an image: its text, and its target.</summary>
    [GeneratedRegex(@"!?\[([^\]]*)\]\(([^)\s]*)\)")]
    public static partial Regex LinkMark();

    /// <summary>Code within a line.</summary>
    [GeneratedRegex("`[^`]*`")]
    public static partial Regex InlineCode();

    [GeneratedRegex(@"[^\p{L}\p{Nd}\-_ ]")]
    private static partial Regex NoAnchor();

    [GeneratedRegex(@"^\|[\s:|-]+\|$")]
    private static partial Regex TableLine();

    [GeneratedRegex(@"^(- |\d+\. |\||#|```)")]
    private static partial Regex Begins();
}
