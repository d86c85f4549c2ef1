using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace MqttCheck.Text;

/// <summary>
/// Text of users and of files as it may stand in a message: without characters that steer a terminal or turn the
/// direction of writing, and no longer than can be read.
/// </summary>
internal static partial class Printable
{
    // A longer value tells a reader nothing more.
    private const int LongestValue = 80;

    // Messages with lists of allowed keys are shorter.
    private const int LongestLine = 2000;

    // A path or a command line is shorter, as far as people write them.
    private const int LongestWord = 300;

    /// <summary>A text whose line breaks stay and whose other controls become escapes such as <c>\e</c>.</summary>
    /// <param name="text">The text.</param>
    public static string Text(string text)
    {
        for (var at = 0; at < text.Length; at++)
        {
            if (Steers(text, at))
                return Escaped(text, at);
        }
        return text;
    }

    /// <summary>A value on one line, escaped; the middle of a long one is left out.</summary>
    /// <param name="value">The value as it was given.</param>
    public static string Value(string value) =>
        Cut(Text(value.Replace("\n", "\\n", StringComparison.Ordinal)), LongestValue);

    /// <summary>A message of several lines, escaped; the middle of a line that nobody would read is left out.</summary>
    /// <param name="message">The message.</param>
    public static string Message(string message)
    {
        var text =
            message.Length <= LongestWord
                ? Text(message)
                : LongWord().Replace(Text(message), word => Cut(word.Value, LongestValue));
        return text.Length <= LongestLine
            ? text
            : string.Join('\n', text.Split('\n').Select(line => Cut(line, LongestLine)));
    }

    [GeneratedRegex(@"\S{301,}")]
    private static partial Regex LongWord();

    private static string Cut(string text, int longest)
    {
        if (text.Length <= longest)
            return text;
        var head = longest * 3 / 4;
        var tail = text.Length - longest / 4;
        // A character of two halves stays whole.
        head -= char.IsHighSurrogate(text[head - 1]) ? 1 : 0;
        tail += char.IsLowSurrogate(text[tail]) ? 1 : 0;
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{text.AsSpan(0, head)}... ({text.Length} characters) ...{text.AsSpan(tail)}"
        );
    }

    private static string Escaped(string text, int first)
    {
        var escaped = new StringBuilder(text, 0, first, text.Length + 16);
        for (var at = first; at < text.Length; at++)
        {
            if (!Steers(text, at))
                escaped.Append(text[at]);
            else
                escaped.Append(
                    text[at] switch
                    {
                        '\0' => "\\0",
                        '\a' => "\\a",
                        '\b' => "\\b",
                        '\t' => "\\t",
                        '\r' => "\\r",
                        '\e' => "\\e",
                        var other => string.Create(CultureInfo.InvariantCulture, $"\\u{(int)other:x4}"),
                    }
                );
        }
        return escaped.ToString();
    }

    // Breaks and directions of Unicode change what a line seems to say, though they are no controls.
    private static bool Steers(string text, int at) =>
        text[at] switch
        {
            '\n' => false,
            '\r' => at + 1 == text.Length || text[at + 1] != '\n',
            '\u2028' or '\u2029' or '\u061c' or '\u200e' or '\u200f' or '\ufeff' => true,
            (>= '\u202a' and <= '\u202e') or (>= '\u2066' and <= '\u2069') => true,
            var other => char.IsControl(other),
        };
}
