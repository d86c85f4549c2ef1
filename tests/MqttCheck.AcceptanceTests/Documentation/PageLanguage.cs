using System.Text.RegularExpressions;

namespace MqttCheck.AcceptanceTests.Documentation;

/// <summary>The rules of plain English that a machine can check: width, length of sentences, coined words.</summary>
internal static partial class PageLanguage
{
    private const int Columns = 100;
    private const int WordsInSentence = 25;

    /// <summary>What breaks the rules on a page, one sentence each.</summary>
    public static IEnumerable<string> Findings(Page page) =>
        page.Blocks.SelectMany(block =>
            Widths(block)
                .Concat(Texts(block).SelectMany(text => OfText(text, block.Kind != PageBlockKind.Heading)))
                .Select(finding => $"{page.Name}:{block.Line}: {finding}")
        );

    // The target of a link counts for nothing: it cannot be wrapped.
    private static IEnumerable<string> Widths(PageBlock block) =>
        block.Kind != PageBlockKind.Prose || block.Text[0] == '!'
            ? []
            : block
                .Lines.Select(line => Page.LinkMark().Replace(line, "[$1]"))
                .Where(line => line.Length > Columns)
                .Select(line => $"{line.Length} columns, at most {Columns}: {line}");

    private static string[] Texts(PageBlock block) =>
        block.Kind == PageBlockKind.Row ? Cell().Split(block.Text) : [block.Text];

    private static IEnumerable<string> OfText(string markdown, bool isSentence)
    {
        var text = Page.LinkMark().Replace(Page.InlineCode().Replace(markdown, "CODE"), "$1");
        text = Mark().Replace(text.Trim(), "").Replace("*", "", StringComparison.Ordinal);
        if (Coined().Match(text) is { Success: true } word)
            yield return $"'{word.Value}' is no word of the field: {text}";
        foreach (var sentence in SentenceEnd().Split(text).Select(part => part.Trim()).Where(part => part.Length > 0))
        {
            var words = sentence.Split(' ').Count(part => part.Any(char.IsLetterOrDigit));
            if (words > WordsInSentence)
                yield return $"{words} words, at most {WordsInSentence}: {sentence}";
            if (isSentence && Opening().IsMatch(sentence))
                yield return $"opens with a relative clause: {sentence}";
        }
    }

    [GeneratedRegex(@"(?<=[.!?])[""')\]]*\s+(?=[""'(\[]*[\p{Lu}0-9])")]
    private static partial Regex SentenceEnd();

    [GeneratedRegex(@"^(#+ |- |\d+\. )")]
    private static partial Regex Mark();

    [GeneratedRegex(@"(?<!\\)\|")]
    private static partial Regex Cell();

    [GeneratedRegex(@"\b(moods?|books|timid|room above|held against)\b", RegexOptions.IgnoreCase)]
    private static partial Regex Coined();

    [GeneratedRegex(@"^[""'(\[]*(Of|What|Whoever|Where)\b")]
    private static partial Regex Opening();
}
