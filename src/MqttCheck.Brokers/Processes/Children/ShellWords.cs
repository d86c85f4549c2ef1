using System.Text;

namespace MqttCheck.Brokers.Processes.Children;

/// <summary>Splits a command line into words as a shell does, without its other powers.</summary>
internal static class ShellWords
{
    /// <summary>
    /// Splits at blanks. Single quotes keep everything, double quotes keep blanks, a backslash keeps the next
    /// character.
    /// </summary>
    /// <param name="line">The command line.</param>
    /// <param name="words">The words.</param>
    /// <returns>False when a quote is not closed.</returns>
    public static bool TrySplit(string line, out IReadOnlyList<string> words)
    {
        var found = new List<string>();
        var word = new StringBuilder();
        var isWord = false;
        var quote = '\0';
        for (var i = 0; i < line.Length; i++)
        {
            var c = line[i];
            if (c == '\\' && quote != '\'' && i + 1 < line.Length)
            {
                word.Append(line[++i]);
                isWord = true;
            }
            else if (quote != '\0')
            {
                if (c == quote)
                    quote = '\0';
                else
                    word.Append(c);
            }
            else if (c is '"' or '\'')
            {
                quote = c;
                isWord = true;
            }
            else if (!char.IsWhiteSpace(c))
            {
                word.Append(c);
                isWord = true;
            }
            else if (isWord)
            {
                found.Add(word.ToString());
                word.Clear();
                isWord = false;
            }
        }
        if (isWord)
            found.Add(word.ToString());
        words = found;
        return quote == '\0';
    }
}
