namespace MqttCheck.Cli.Tests;

/// <summary>A row of docs/evidence/bad-input.md.</summary>
/// <param name="Command">The command line, with the names of ports in braces.</param>
/// <param name="Code">The exit code.</param>
/// <param name="Needles">What the message has.</param>
internal sealed record BadInput(string Group, string Command, int Code, IReadOnlyList<string> Needles)
{
    /// <summary>The page.</summary>
    public static string Page { get; } = Path.Combine(RepositoryFiles.Root, "docs", "evidence", "bad-input.md");

    /// <summary>The rows of the page, in its order.</summary>
    public static IReadOnlyList<BadInput> All { get; } = [.. Read()];

    /// <summary>What stands before a command that is run with fewer descriptors.</summary>
    public const string Limited = "(ulimit -n 64) ";

    private const string Empty = "\u0002";

    /// <summary>The command as words, quotes taken off as a shell does.</summary>
    /// <param name="ports">The numbers of the ports by their names.</param>
    public string[] Words(IReadOnlyDictionary<string, int> ports)
    {
        var words = new List<string>();
        // An empty word has no letter that would keep it.
        var pieces = Command.Replace("''", Empty, StringComparison.Ordinal).Split('\'');
        var open = "";
        for (var i = 0; i < pieces.Length; i++)
        {
            // Every second piece stands between quotes.
            var parts = i % 2 == 1 ? [pieces[i]] : pieces[i].Split(' ');
            words.AddRange(parts[..^1].Select((part, index) => index == 0 ? open + part : part));
            open = parts.Length == 1 ? open + parts[0] : parts[^1];
        }
        words.Add(open);
        return
        [
            .. words
                .Where(word => word.Length > 0)
                .Select(word => Filled(word, ports).Replace(Empty, "", StringComparison.Ordinal)),
        ];
    }

    /// <summary>A text with the numbers of ports in the place of their names.</summary>
    public static string Filled(string text, IReadOnlyDictionary<string, int> ports) =>
        ports.Aggregate(
            text,
            (filled, port) => filled.Replace($"{{{port.Key}}}", $"{port.Value}", StringComparison.Ordinal)
        );

    private static IEnumerable<BadInput> Read()
    {
        var group = "";
        foreach (var line in File.ReadLines(Page))
        {
            if (line.StartsWith("## ", StringComparison.Ordinal))
                group = line[3..].Split(':')[0];
            if (group.Length == 0 || !line.StartsWith("| `", StringComparison.Ordinal))
                continue;
            var cells = line.Replace("\\|", "\u0001", StringComparison.Ordinal)
                .Split('|', StringSplitOptions.TrimEntries);
            yield return new(
                group,
                InCode(cells[1]),
                int.Parse(cells[2], System.Globalization.CultureInfo.InvariantCulture),
                [.. cells[3].Split("`, `").Select(InCode)]
            );
        }
    }

    private static string InCode(string cell) => cell.Trim('`').Replace('\u0001', '|');
}
