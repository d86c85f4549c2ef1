using System.Text.RegularExpressions;

namespace MqttCheck.Server.Hosting;

/// <summary>One mistake in what was asked.</summary>
/// <param name="Path">The key that it is about, such as <c>scenarios[0].clients</c>; empty for none.</param>
/// <param name="Text">What is wrong, the value given, and what is allowed.</param>
internal sealed partial record Mistake(string Path, string Text)
{
    /// <summary>The mistake of a line as the readers of files write it.</summary>
    public static Mistake Of(string line)
    {
        var parts = Parts().Match(line);
        var (source, path, text) = (
            parts.Groups["source"].Value,
            parts.Groups["path"].Value,
            parts.Groups["text"].Value
        );
        if (source is "" or "question")
            return new(path, text);
        // A reader of the page's text field counts its lines.
        var where = parts.Groups["line"] is { Success: true, Value: var number } ? $"line {number}: " : "";
        return new(source, $"{where}{(path.Length == 0 ? "" : path + ": ")}{text}");
    }

    [GeneratedRegex(
        """
            ^(?:(?<source>question|profile|topology)(?::(?<line>\d+))?:\ )?
            (?:(?<path>fault)\ (?=')|(?<path>[A-Za-z][\w.\[\]]*)(?::\ |,\ (?=column)))?
            (?<text>.*)$
            """,
        RegexOptions.Singleline | RegexOptions.IgnorePatternWhitespace
    )]
    private static partial Regex Parts();
}
