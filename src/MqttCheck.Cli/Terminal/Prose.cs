using System.Text;
using System.Text.RegularExpressions;

namespace MqttCheck.Cli.Terminal;

/// <summary>Sentences on a terminal: lines that end between words, where an eye finds the next one.</summary>
internal static partial class Prose
{
    private const int Widest = 100;
    private const string Indent = "  ";

    /// <summary>A text with its lines broken between words; commands in quotes and longer words stay whole.</summary>
    /// <param name="text">The text, perhaps of several lines.</param>
    /// <param name="columns">How many columns the terminal has.</param>
    /// <param name="before">How many columns of the first line are taken.</param>
    public static string Wrapped(string text, int columns, int before = 0) =>
        string.Join('\n', text.Split('\n').Select((line, number) => Line(line, columns, number == 0 ? before : 0)));

    private static string Line(string line, int columns, int before)
    {
        var width = Math.Min(columns, Widest);
        if (before + line.Length <= width)
            return line;
        var start = line[..^line.TrimStart().Length];
        var wrapped = new StringBuilder(start);
        var length = before + start.Length;
        var isFirst = true;
        foreach (var word in Words().Matches(line).Select(match => match.Value))
        {
            if (!isFirst && length + 1 + word.Length > width)
            {
                wrapped.Append('\n').Append(start).Append(Indent);
                length = start.Length + Indent.Length;
            }
            else if (!isFirst)
            {
                wrapped.Append(' ');
                length++;
            }
            wrapped.Append(word);
            length += word.Length;
            isFirst = false;
        }
        return wrapped.ToString();
    }

    // A command that is copied from two lines would be two commands.
    [GeneratedRegex(@"(?<!\S)'[^'\n]*'\S*|\S+")]
    private static partial Regex Words();
}
